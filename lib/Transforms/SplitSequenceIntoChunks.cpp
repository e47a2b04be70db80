//===- SplitSequenceIntoChunks.cpp - The chunked algorithm made explicit --===//
//
// Part of the Delta-Net project.
//
// Decides first (analyse: the sizes of a chunked rule, or a located error),
// then writes its phases (ChunkPhases.h has the formulas).
//
//===----------------------------------------------------------------------===//

#include "ChunkPhases.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_SPLITSEQUENCEINTOCHUNKS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// No schedule of the rule is chunked.
bool isLeftAlone(DeltaRuleOp rule) {
  auto schedules = rule.getSchedulesAttr();
  return !schedules ||
         llvm::none_of(schedules.getAsRange<ScheduleAttr>(),
                       [](ScheduleAttr schedule) {
                         return schedule.getAlgorithm() == Algorithm::Chunked;
                       });
}

/// C46.
LogicalResult checkTensorCores(const ChunkedRule &chunked) {
  DeltaRuleOp rule = chunked.rule;
  ScheduleAttr schedule = chunked.schedule;
  int64_t tokens = rule.getQ().getType().getDimSize(0);
  if (!ShapedType::isDynamic(tokens) && !rule.getCuSeqlens() &&
      tokens < chunked.chunk)
    return rule.emitOpError("expected at least ")
           << chunked.chunk
           << " tokens, those of a chunk, where they are static with matrix = "
              "mma, got "
           << tokens;
  bool hasIntra = schedule.getIntraWarps() > 0;
  int64_t intra = hasIntra ? schedule.getIntraWarps() : schedule.getWarps();
  int64_t most = getMostIntraWarps(chunked.chunk, chunked.keys);
  if (intra > most || !llvm::isPowerOf2_64(intra))
    return rule.emitOpError("expected ")
           << (hasIntra ? "intra_warps" : "warps without intra_warps")
           << " as a power of two up to " << most << " for K = " << chunked.keys
           << " and a chunk of " << chunked.chunk << " with matrix = mma, got "
           << intra;
  if (int64_t columns = 16 * schedule.getWarps(); chunked.slice % columns)
    return rule.emitOpError("expected V as a multiple of 16 * warps (")
           << columns << ") with matrix = mma and value_slice = 0, got "
           << chunked.slice;
  // Beside them lies a product of the same size.
  constexpr int64_t kMostElements = 128;
  int64_t elements = chunked.keys * chunked.slice / (32 * schedule.getWarps());
  if (elements > kMostElements)
    return rule.emitOpError("expected at most ")
           << kMostElements
           << " elements of a state a thread with matrix = mma, got "
           << elements << ": K = " << chunked.keys << " times " << chunked.slice
           << " columns for " << schedule.getWarps() << " warps";
  return success();
}

FailureOr<ChunkedRule> analyse(DeltaRuleOp rule) {
  auto schedules = rule.getSchedulesAttr();
  if (schedules.size() != 1)
    return rule.emitOpError("expected one schedule where one is chunked, got ")
           << schedules.size();
  auto schedule = cast<ScheduleAttr>(schedules[0]);
  if (!rule.getOInit() || !rule.getScaleOperand())
    return rule.emitOpError("expected the form of a kernel, with outs and a "
                            "scale operand");
  ChunkedRule chunked{rule,
                      schedule,
                      schedule.getChunk(),
                      rule.getH(),
                      rule.getGroupSize(),
                      rule.getKeyDim(),
                      rule.getValueDim(),
                      rule.getValueDim()};
  Type io = rule.getQ().getType().getElementType();
  if (chunked.solves() && !io.isBF16())
    return rule.emitOpError("expected activations of bf16 with matrix = amx, "
                            "got ")
           << io;
  if (chunked.solves() && chunked.keys % 32)
    return rule.emitOpError("expected K as a multiple of 32 with matrix = amx, "
                            "got ")
           << chunked.keys;
  int64_t slice = schedule.getValueSlice();
  if (slice != 0)
    chunked.slice = slice;
  if (chunked.usesTensorCores() && failed(checkTensorCores(chunked)))
    return failure();
  if (chunked.slice != chunked.values &&
      schedule.getStaging() == Staging::OnePass)
    return rule.emitOpError("expected value_slice of 0 or V (")
           << chunked.values
           << ") with staging = one_pass, because every slice would repeat the "
              "products of the keys, got "
           << slice;
  return chunked;
}

struct SplitSequenceIntoChunks
    : deltanet::impl::SplitSequenceIntoChunksBase<SplitSequenceIntoChunks> {
  void runOnOperation() override {
    SmallVector<ChunkedRule> rules;
    WalkResult result = getOperation().walk([&](DeltaRuleOp rule) {
      if (isLeftAlone(rule))
        return WalkResult::advance();
      FailureOr<ChunkedRule> chunked = analyse(rule);
      if (failed(chunked))
        return WalkResult::interrupt();
      rules.push_back(*chunked);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (const ChunkedRule &chunked : rules) {
      DeltaRuleOp rule = chunked.rule;
      ChunkBuilder builder(rule.getLoc(), rule);
      rule->replaceAllUsesWith(ChunkPhases(chunked, builder).build());
      Operation *function = rule->getParentOp();
      rule->erase();
      simplify(function);
    }
  }
};

} // namespace
