//===- FoldingReduction.cpp - Sums and maxima over lanes of a warp --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FoldingReduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
}

static Value shuffle(OpBuilder &builder, Location loc, NVVM::ShflKind kind,
                     Value value, int64_t lane, int64_t maskAndClamp) {
  return NVVM::ShflOp::create(
      builder, loc, value.getType(), constant(builder, loc, -1), value,
      constant(builder, loc, lane), constant(builder, loc, maskAndClamp), kind,
      UnitAttr());
}

/// What a function makes of a value that is 32 bits wide.
static Value throughWord(OpBuilder &builder, Location loc, Value value,
                         function_ref<Value(Value)> function) {
  Type type = value.getType();
  if (type.getIntOrFloatBitWidth() == 32)
    return function(value);
  Type half = builder.getI16Type();
  Value bits = arith::BitcastOp::create(builder, loc, half, value);
  bits = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), bits);
  bits = arith::TruncIOp::create(builder, loc, half, function(bits));
  return arith::BitcastOp::create(builder, loc, type, bits);
}

/// The value that the lane whose number differs in one bit gives.
static Value getOther(OpBuilder &builder, Location loc, Value given,
                      int64_t bit) {
  return shuffle(builder, loc, NVVM::ShflKind::bfly, given, bit, kWarpSize - 1);
}

/// Whether folding takes fewer shuffles than exchanging each value: halves,
/// single values, and giving the results to all.
static bool foldingPays(int64_t count, int64_t lanes) {
  int64_t folding = count, each = count;
  for (int64_t left = lanes; left > 1; left /= 2) {
    each = std::max<int64_t>(each / 2, 1);
    folding += each;
  }
  return folding < count * static_cast<int64_t>(llvm::Log2_64(lanes));
}

SmallVector<Value>
mlir::deltanet::reduceOverLanes(OpBuilder &builder, Location loc,
                                ArrayRef<Value> values, Combine combine,
                                LaneGroup group, ThreadPlace &place) {
  SmallVector<Value> results;
  // Powers of two, which fold without a rest.
  while (!values.empty()) {
    ArrayRef<Value> some = values.take_front(llvm::bit_floor(values.size()));
    values = values.drop_front(some.size());
    int64_t count = some.size();
    int64_t parts =
        foldingPays(count, group.size) ? std::min(count, group.size) : 1;
    llvm::append_range(results, gatherFromLanes(builder, loc,
                                                reducePartsOverLanes(
                                                    builder, loc, some, combine,
                                                    parts, group, place),
                                                parts, group));
  }
  return results;
}

SmallVector<Value> mlir::deltanet::reducePartsOverLanes(
    OpBuilder &builder, Location loc, ArrayRef<Value> values, Combine combine,
    int64_t parts, LaneGroup group, ThreadPlace &place) {
  SmallVector<Value> kept(values);
  int64_t bit = group.size / 2 * group.lowestBit;
  // Who has the bit takes the upper half.
  for (int64_t left = parts; left > 1; left /= 2, bit /= 2) {
    Value takesUpper = place.hasLaneBit(bit);
    auto select = [&](Value yes, Value no) -> Value {
      return arith::SelectOp::create(builder, loc, takesUpper, yes, no);
    };
    size_t half = kept.size() / 2;
    for (size_t index = 0; index < half; ++index) {
      Value lower = kept[index], upper = kept[index + half];
      kept[index] = combine(select(upper, lower),
                            getOther(builder, loc, select(lower, upper), bit));
    }
    kept.truncate(half);
  }
  for (; bit >= group.lowestBit; bit /= 2)
    for (Value &value : kept)
      value = combine(value, getOther(builder, loc, value, bit));
  return kept;
}

SmallVector<Value> mlir::deltanet::gatherFromLanes(OpBuilder &builder,
                                                   Location loc,
                                                   ArrayRef<Value> part,
                                                   int64_t parts,
                                                   LaneGroup group) {
  if (parts == 1)
    return SmallVector<Value>(part);
  int64_t otherBits = ~((group.size - 1) * group.lowestBit) & (kWarpSize - 1);
  SmallVector<Value> all;
  for (int64_t number : llvm::seq(parts))
    for (Value value : part) {
      int64_t source = number * (group.size / parts) * group.lowestBit;
      // The upper byte keeps a lane among those with its other bits.
      all.push_back(throughWord(builder, loc, value, [&](Value word) {
        return shuffle(builder, loc, NVVM::ShflKind::idx, word, source,
                       otherBits << 8 | (kWarpSize - 1));
      }));
    }
  return all;
}
