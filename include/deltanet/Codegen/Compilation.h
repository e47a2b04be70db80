//===- Compilation.h - From a rule to files -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_COMPILATION_H
#define DELTANET_CODEGEN_COMPILATION_H

#include "deltanet/Codegen/KernelLibrary.h"
#include "deltanet/Pipelines/CPUPipeline.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::deltanet {

/// Sees a module as it is at the end of a stage.
using StageObserver = std::function<LogicalResult(Stage, ModuleOp)>;

struct Lowering {
  /// The stage that the input is at; Rule also stands for rules that are not
  /// yet in canonical form, and is run, the others are not.
  Stage first = Stage::Rule;
  Stage last = Stage::Llvm;
  /// As CPUPipelineOptions::schedule.
  std::string schedule;
  StageObserver observer;
};

/// A copy of `input`, compiled for `target` as far as `lowering.last`. Errors,
/// such as an input of another stage than `lowering.first`, are reported.
FailureOr<OwningOpRef<ModuleOp>>
lowerForTarget(ModuleOp input, TargetAttr target, const Lowering &lowering);

/// What to make of a library.
enum class Artifact { LLVMIR, Assembly, Object, StaticLibrary, SharedLibrary };

/// Makes an artifact of modules at the stage `llvm`, one a level of one
/// architecture. `path` is where it will lie: a shared library is written
/// there by the linker, the others are appended to `out`. Every artifact but
/// LLVM IR is checked to need no symbol of another one. Errors are reported.
LogicalResult makeArtifact(ArrayRef<ModuleOp> modules, Artifact artifact,
                           StringRef producer, StringRef path,
                           SmallVectorImpl<char> &out);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_COMPILATION_H
