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

/// A copy of `input`, compiled for `target`, a #deltanet.target or
/// #deltanet.gpu_target, as far as `lowering.last`. Errors, such as an input of
/// another stage than `lowering.first`, are reported.
FailureOr<OwningOpRef<ModuleOp>>
lowerForTarget(ModuleOp input, Attribute target, const Lowering &lowering);

/// What to make of modules: a library, or the code for GPUs alone.
enum class Artifact {
  LLVMIR,
  Assembly,
  Object,
  StaticLibrary,
  SharedLibrary,
  Ptx,
  Cubin,
  FatBinary
};

/// Whether an artifact is code for GPUs alone.
bool isForGpus(Artifact artifact);

struct ArtifactOptions {
  std::string producer;
  /// Where the artifact will lie.
  std::string path;
  /// The architecture of CPUs, where no module is for one.
  Arch arch = Arch::X86_64;
  DeviceOptions device;
};

/// Makes an artifact of modules at the stage `llvm`, one a level of one
/// architecture or a kind of GPU; of one module for a GPU for PTX and cubins,
/// of modules for GPUs for a fat binary. A shared library is written by the
/// linker, the others are appended to `out`. Libraries but LLVM IR are checked
/// to need no symbol of another one. Errors are reported.
LogicalResult makeArtifact(ArrayRef<ModuleOp> modules, Artifact artifact,
                           const ArtifactOptions &options,
                           SmallVectorImpl<char> &out);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_COMPILATION_H
