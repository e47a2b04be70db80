//===- LaneShuffles.cpp - Shuffles that lanes of 128 bits are made for ----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/LaneShuffles.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct Lanes {
  explicit Lanes(Value vector) {
    auto type = cast<VectorType>(vector.getType());
    elements = type.getNumElements();
    size = 128 / type.getElementTypeBitWidth();
  }

  int64_t elements; ///< of the vector
  int64_t size;     ///< of a lane, in elements
};

} // namespace

Value LaneShuffles::shuffle(Value a, Value b, ArrayRef<int64_t> mask) {
  return vector::ShuffleOp::create(builder, loc, a, b, mask);
}

/// In each lane, groups of `width` elements of a and b in turn, from the lower
/// or the upper half of the lane.
Value LaneShuffles::interleaveHalves(Value a, Value b, int64_t width,
                                     int64_t half) {
  Lanes all(a);
  SmallVector<int64_t> mask;
  for (int64_t lane = 0; lane < all.elements; lane += all.size)
    for (int64_t group = 0; group < all.size / 2; group += width)
      for (int64_t source : {int64_t(0), all.elements})
        for (int64_t e = 0; e < width; ++e)
          mask.push_back(source + lane + half * all.size / 2 + group + e);
  return shuffle(a, b, mask);
}

SmallVector<Value> LaneShuffles::interleave(ArrayRef<Value> rows,
                                            int64_t width) {
  if (rows.size() == 1)
    return {rows.front()};
  // What a half of the rows makes of a group is a wider group.
  size_t half = rows.size() / 2;
  SmallVector<Value> upper = interleave(rows.take_front(half), width);
  SmallVector<Value> lower = interleave(rows.drop_front(half), width);
  SmallVector<Value> result;
  for (auto [a, b] : llvm::zip_equal(upper, lower))
    for (int64_t which : {0, 1})
      result.push_back(interleaveHalves(a, b, half * width, which));
  return result;
}

SmallVector<Value> LaneShuffles::exchangeLanes(ArrayRef<Value> upper,
                                               ArrayRef<Value> lower) {
  SmallVector<Value> result;
  for (int64_t odd : {0, 1})
    for (auto [a, b] : llvm::zip_equal(upper, lower))
      result.push_back(lanes(a, b, odd));
  return result;
}

/// The even lanes of a and then of b (first = 0), or the odd ones (1).
Value LaneShuffles::lanes(Value a, Value b, int64_t first) {
  Lanes all(a);
  SmallVector<int64_t> mask;
  for (int64_t source : {int64_t(0), all.elements})
    for (int64_t lane = first * all.size; lane < all.elements;
         lane += 2 * all.size)
      for (int64_t e = 0; e < all.size; ++e)
        mask.push_back(source + lane + e);
  return shuffle(a, b, mask);
}
