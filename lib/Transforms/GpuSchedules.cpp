//===- GpuSchedules.cpp - What the cost model takes for a GPU -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"
#include "deltanet/Schedule/StateSpread.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Elements of the state that a thread best holds: enough loads on their way to
/// hide the latency of memory, and room for key and query.
constexpr int64_t kStateRegisters = 32;

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

} // namespace

SmallVector<ScheduleChoice>
mlir::deltanet::chooseSchedules(DeltaRuleOp rule, GpuTargetAttr target) {
  std::optional<Slice> slice =
      chooseSlice(rule.getStateLayout(), rule.getKeyDim(), rule.getValueDim());
  // One warp takes 16 columns of any K that a rule may have.
  assert(slice && "K and V are multiples of 16");
  ScheduleFields fields;
  fields.state = Residency::Registers;
  fields.valueSlice = slice->columns;
  fields.warps = slice->warps;
  std::string reason;
  llvm::raw_string_ostream(reason)
      << "a block of " << slice->warps
      << (slice->warps == 1 ? " warp keeps " : " warps keeps ")
      << slice->columns << " columns of a state in registers, "
      << slice->registers
      << " a thread: it is read and written once for all tokens of a sequence";
  return {{fields.get(rule.getContext()), reason}};
}
