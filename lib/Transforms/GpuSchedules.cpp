//===- GpuSchedules.cpp - What the cost model takes for a GPU -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"
#include "deltanet/Schedule/CostModel.h"
#include "deltanet/Schedule/StateSpread.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Elements of the state that a thread best holds: enough loads on their way to
/// hide the latency of memory, and room for key and query.
constexpr int64_t kStateRegisters = 32;

/// Tokens of a chunk, and from how many on one is worth it: a chunk that is cut
/// short costs the same. An estimate, from counts of instructions.
constexpr int64_t kChunk = 64, kLeastTokens = 64;
/// Of f32, where keys and queries are twice as large.
constexpr int64_t kChunkOfF32 = 32;
/// Columns of V of a block that computes chunks: 16 for each of its warps.
constexpr int64_t kChunkColumns = 64, kWarpColumns = 16;
/// Warps that share the matrices of a chunk, where as many can: of 64 tokens 16
/// rows and half of the columns each.
constexpr int64_t kIntraWarps = 8;
/// Bytes of shared memory of a block beside the operands of chunks: 64 rows of
/// o of 16 bits, or 32 of f32.
constexpr int64_t kOtherSharedBytes = 2 * kChunk * kChunkColumns + 192;
/// Of the 255 registers of a thread, those that its part of the state may have
/// beside a product of the same size.
constexpr int64_t kStateRegistersOfChunks = 64;

struct Slice {
  int64_t columns, warps, registers;
};

/// The slice of V that a block takes. Small blocks fill many multiprocessors
/// where sequences and heads are few.
std::optional<Slice> chooseSlice(StateLayout layout, int64_t k, int64_t v) {
  std::optional<Slice> best;
  auto distance = [](int64_t registers) {
    return std::abs(registers - kStateRegisters);
  };
  for (int64_t warps : {4, 2, 1})
    for (int64_t columns = 16; columns <= v; columns += 16) {
      if (v % columns)
        continue;
      std::optional<StateSpread> spread =
          spreadState(layout, k, columns, warps);
      if (spread &&
          (!best || distance(spread->registers) < distance(best->registers)))
        best = {columns, warps, spread->registers};
    }
  return best;
}

ScheduleChoice chooseRecurrence(DeltaRuleOp rule, int64_t maxTokens) {
  std::optional<Slice> slice =
      chooseSlice(rule.getStateLayout(), rule.getKeyDim(), rule.getValueDim());
  // One warp takes 16 columns of any K that a rule may have.
  assert(slice && "K and V are multiples of 16");
  ScheduleFields fields;
  fields.state = Residency::Registers;
  fields.valueSlice = slice->columns;
  fields.warps = slice->warps;
  fields.maxTokens = maxTokens;
  std::string reason;
  llvm::raw_string_ostream(reason)
      << "a block of " << slice->warps
      << (slice->warps == 1 ? " warp keeps " : " warps keeps ")
      << slice->columns << " columns of a state in registers, "
      << slice->registers
      << " a thread: it is read and written once for all tokens of a sequence";
  return {fields.get(rule.getContext()), reason};
}

/// Whether tensor cores multiply numbers of tf32 more than three times as fast
/// as others those of f32. By the data sheets: A100 156 and 19.5 TFLOP/s, H200
/// 495 and 67, B200 1100 and 75, but A10 62 and 31, L40S 183 and 92, RTX 5090
/// 105 and 105.
bool hasFastTf32(Chip chip) {
  return chip == Chip::Sm80 || chip == Chip::Sm90a || chip == Chip::Sm100a;
}

/// Why tensor cores should not compute the chunks of a rule, or nothing.
std::string whyNoChunks(DeltaRuleOp rule, GpuTargetAttr target) {
  std::string reason;
  llvm::raw_string_ostream text(reason);
  if (rule.getIoType().isF32() && !hasFastTf32(target.getChip()))
    text << "tensor cores of " << stringifyChip(target.getChip())
         << " are too slow for three products in place of one of f32";
  else if (rule.getKeyDim() * kWarpColumns / 32 > kStateRegistersOfChunks)
    text << "K = " << rule.getKeyDim()
         << " leaves no registers for products beside the state";
  return reason;
}

/// Bytes of shared memory of a block on every GPU that runs code for this one:
/// later ones have less than sm_80, but run it.
int64_t getPortableBytes(GpuTargetAttr target) {
  constexpr int64_t kLeast = 101376;
  bool isForOneAlone = target.getChip() == Chip::Sm90a ||
                       target.getChip() == Chip::Sm100a ||
                       target.getChip() == Chip::Sm120a;
  return isForOneAlone ? target.getSharedBytes()
                       : std::min(kLeast, target.getSharedBytes());
}

/// Bytes of shared memory that the operands of one chunk take in the scan: keys
/// and queries of f16, in two parts if they are of f32, values as they are, two
/// causal matrices and three vectors of f32, each with the 192 bytes that keep
/// buffers apart.
int64_t getSlotBytes(DeltaRuleOp rule, const ScheduleFields &fields) {
  int64_t c = fields.chunk;
  int64_t bytes = rule.getIoType().getIntOrFloatBitWidth() / 8;
  return 2 * (bytes * c * rule.getKeyDim()) + bytes * c * fields.valueSlice +
         2 * (4 * c * c) + 3 * (4 * c) + 10 * 192;
}

ScheduleChoice chooseChunks(DeltaRuleOp rule, GpuTargetAttr target,
                            int64_t minTokens) {
  ScheduleFields fields;
  fields.algorithm = Algorithm::Chunked;
  fields.matrix = MatrixUnit::Mma;
  fields.staging = Staging::TwoStage;
  fields.minTokens = minTokens;
  fields.chunk = rule.getIoType().isF32() ? kChunkOfF32 : kChunk;
  fields.valueSlice = kChunkColumns;
  while (rule.getValueDim() % fields.valueSlice)
    fields.valueSlice /= 2;
  fields.warps = fields.valueSlice / kWarpColumns;
  fields.intraWarps =
      std::min(kIntraWarps, getMostIntraWarps(fields.chunk, rule.getKeyDim()));
  // Where the blocks of one sequence fill the GPU, several of them share a
  // multiprocessor: one computes while others wait for copies.
  int64_t blocks = rule.getHV() * rule.getValueDim() / fields.valueSlice;
  int64_t slot = getSlotBytes(rule, fields);
  bool pipelines = blocks <= target.getMultiprocessors() &&
                   2 * slot + kOtherSharedBytes <= getPortableBytes(target);
  fields.stages = pipelines ? 2 : 1;
  std::string reason;
  llvm::raw_string_ostream(reason)
      << "tensor cores compute chunks of " << fields.chunk << " tokens, "
      << fields.warps << (fields.warps == 1 ? " warp" : " warps")
      << " a block with 16 columns of a state each: by an estimate worth it "
         "from "
      << kLeastTokens << " tokens on; " << blocks
      << (pipelines
              ? " blocks a sequence copy the next chunk while they compute one"
              : " blocks a sequence wait for the copies of each chunk");
  return {fields.get(rule.getContext()), reason};
}

} // namespace

SmallVector<ScheduleChoice>
mlir::deltanet::chooseSchedules(DeltaRuleOp rule, GpuTargetAttr target) {
  std::string why = whyNoChunks(rule, target);
  int64_t tokens = rule.getQ().getType().getDimSize(0);
  // With cu_seqlens all tokens are those of several sequences.
  bool isShort = !ShapedType::isDynamic(tokens) && tokens < kLeastTokens;
  bool isLong = !ShapedType::isDynamic(tokens) && tokens >= kLeastTokens &&
                !rule.getCuSeqlens();
  if (!why.empty() || isShort) {
    ScheduleChoice choice = chooseRecurrence(rule, ScheduleAttr::kUnbounded);
    if (!why.empty())
      choice.reason += "; no chunks, because " + why;
    return {choice};
  }
  if (isLong)
    return {chooseChunks(rule, target, 0)};
  return {chooseRecurrence(rule, kLeastTokens - 1),
          chooseChunks(rule, target, kLeastTokens)};
}
