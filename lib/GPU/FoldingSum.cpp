//===- FoldingSum.cpp - Sums over lanes of a warp -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FoldingSum.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

class FoldingSum {
public:
  FoldingSum(OpBuilder &builder, Location loc, int64_t lowestBit, int64_t lanes,
             ThreadPlace &place)
      : builder(builder), loc(loc), lowestBit(lowestBit), lanes(lanes),
        place(place) {}

  SmallVector<Value> sum(ArrayRef<Value> values) {
    SmallVector<Value> sums;
    // Powers of two, which fold without a rest.
    while (!values.empty()) {
      size_t count = llvm::bit_floor(values.size());
      llvm::append_range(sums, foldingPays(count)
                                   ? fold(values.take_front(count))
                                   : exchange(values.take_front(count), lanes));
      values = values.drop_front(count);
    }
    return sums;
  }

private:
  /// In shuffles: halves, single values, and giving sums to all.
  bool foldingPays(int64_t count) const {
    int64_t folding = count, each = count;
    for (int64_t left = lanes; left > 1; left /= 2) {
      each = std::max<int64_t>(each / 2, 1);
      folding += each;
    }
    return folding < count * static_cast<int64_t>(llvm::Log2_64(lanes));
  }

  /// Each value by itself, over lanes that differ in the lower bits.
  SmallVector<Value> exchange(ArrayRef<Value> values, int64_t over) {
    SmallVector<Value> sums(values);
    for (int64_t left = over / 2; left >= 1; left /= 2)
      for (Value &value : sums)
        value = add(value, shuffle(NVVM::ShflKind::bfly, value,
                                   left * lowestBit, kWarpSize - 1));
    return sums;
  }

  SmallVector<Value> fold(ArrayRef<Value> values) {
    SmallVector<Value> kept(values);
    int64_t left = lanes;
    // Who has the bit takes the upper half.
    for (; left > 1 && kept.size() > 1; left /= 2) {
      int64_t bit = left / 2 * lowestBit;
      Value takesUpper = place.hasLaneBit(bit);
      size_t half = kept.size() / 2;
      for (size_t index = 0; index < half; ++index) {
        Value lower = kept[index], upper = kept[index + half];
        Value own = select(takesUpper, upper, lower);
        Value given = select(takesUpper, lower, upper);
        kept[index] =
            add(own, shuffle(NVVM::ShflKind::bfly, given, bit, kWarpSize - 1));
      }
      kept.truncate(half);
    }
    return distribute(exchange(kept, left), values.size(), left);
  }

  /// Sum i is now in the lanes whose upper bits are those of i.
  SmallVector<Value> distribute(ArrayRef<Value> kept, int64_t count,
                                int64_t unfolded) {
    int64_t otherBits = ~((lanes - 1) * lowestBit) & (kWarpSize - 1);
    int64_t perLane = kept.size();
    SmallVector<Value> sums;
    for (int64_t index : llvm::seq(count)) {
      int64_t source = index / perLane * unfolded * lowestBit;
      // The upper byte keeps a lane among those with its other bits.
      sums.push_back(shuffle(NVVM::ShflKind::idx, kept[index % perLane], source,
                             otherBits << 8 | (kWarpSize - 1)));
    }
    return sums;
  }

  Value shuffle(NVVM::ShflKind kind, Value value, int64_t lane,
                int64_t maskAndClamp) {
    return NVVM::ShflOp::create(builder, loc, value.getType(), constant(-1),
                                value, constant(lane), constant(maskAndClamp),
                                kind, UnitAttr());
  }

  Value add(Value first, Value second) {
    return arith::AddFOp::create(builder, loc, first, second);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
  }

  OpBuilder &builder;
  Location loc;
  int64_t lowestBit, lanes;
  ThreadPlace &place;
};

} // namespace

SmallVector<Value>
mlir::deltanet::sumOverLanes(OpBuilder &builder, Location loc,
                             ArrayRef<Value> values, int64_t lowestBit,
                             int64_t lanes, ThreadPlace &place) {
  return FoldingSum(builder, loc, lowestBit, lanes, place).sum(values);
}
