//===- Stages.h - The staircase from a rule to an object ------------------===//
//
// Part of the Delta-Net project.
//
// Every stage once: its name, what the IR looks like there and which dialects
// are legal. Used by --emit=, --dump-stages=, the pipelines, the verifier
// between stages and the documentation.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_PIPELINES_STAGES_H
#define DELTANET_PIPELINES_STAGES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include <optional>

namespace mlir::deltanet {

/// What a staircase leads to. They part after Fused.
enum class Processor { CPU, GPU };

enum class Stage {
  Rule,
  Chunks,
  Fused,
  Layout,    ///< CPU
  Tiles,     ///< CPU
  Vectors,   ///< CPU
  Fragments, ///< GPU
  Buffers,
  Target,
  Llvm,
  Asm,  ///< CPU
  Obj,  ///< CPU
  Ptx,  ///< GPU
  Cubin ///< GPU
};

struct StageInfo {
  Stage stage;
  StringRef name;
  /// What the IR looks like, in one sentence.
  StringRef sentence;
  /// Namespaces of the dialects that may appear; empty where the stage is no
  /// longer MLIR.
  ArrayRef<StringRef> dialects;
};

/// What the `deltanet.target` of a module says; CPU if there is none.
Processor getProcessor(ModuleOp module);

/// All stages of a staircase, in order.
ArrayRef<StageInfo> getStages(Processor processor = Processor::CPU);

/// Whether the staircase of a processor comes by a stage.
bool hasStage(Stage stage, Processor processor);

/// `stage` must be one of the processor's.
const StageInfo &getStageInfo(Stage stage,
                              Processor processor = Processor::CPU);

/// The name of a stage of either processor.
StringRef getStageName(Stage stage);

/// The stage of this name, or none.
std::optional<Stage> parseStage(StringRef name,
                                Processor processor = Processor::CPU);

/// Emits a located error for every operation that is not legal at the stage.
LogicalResult verifyStage(ModuleOp module, Stage stage);

/// Emits a located error unless a module that somebody else made is at the
/// stage, as far as that can be told: its operations are legal there, no rule
/// after `rule` is still whole, and there is a kernel in the stage's form.
LogicalResult verifyInput(ModuleOp module, Stage stage);

} // namespace mlir::deltanet

#endif // DELTANET_PIPELINES_STAGES_H
