//===- FragmentConverter.h - Operations of a plan as fragments ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FRAGMENTCONVERTER_H
#define DELTANET_LIB_GPU_FRAGMENTCONVERTER_H

#include "FragmentBuilder.h"

namespace mlir::deltanet {

/// Each operation of the plan reads its tensors as tiles and writes its results
/// back; what one writes and the next reads then stays in registers once the
/// kernel is simplified.
class FragmentConverter {
public:
  FragmentConverter(FragmentPlan &plan, IRRewriter &rewriter)
      : plan(plan), rewriter(rewriter), b(rewriter.getUnknownLoc(), rewriter) {}

  void run();

private:
  void convert(TokenStepOp step);
  void convert(linalg::DotOp dot);
  void convert(linalg::MatmulOp product);
  void convert(tensor::PadOp pad);
  void convert(tensor::InsertSliceOp insert);
  void convertReduction(linalg::GenericOp op);
  void convertElementwise(linalg::LinalgOp op);

  FragmentPlace placeOf(Value tensor) { return plan.places.lookup(tensor); }
  Value load(Value tensor) { return b.load(tensor, placeOf(tensor)); }
  Value store(Value tile, Value tensor) {
    return b.store(tile, tensor, placeOf(tensor));
  }
  /// Tensors that take the place of others lie as they do.
  void replace(Operation *op, ValueRange results);

  Value sumOfProducts(Value x, Value y, int64_t dimension);
  /// An operand of a product in shared memory, for so many warps; one copy
  /// serves all products of a block of code.
  Value sharedOperand(Value tensor, int64_t warps);
  /// The tensor, or a copy of a vector that every turn of a loop reads
  /// elsewhere.
  Value nearby(Value tensor, const FragmentPlace &place);
  /// A copy in shared memory that begins with the block of code, as soon as the
  /// source is known; rows that it does not have are zeros. A matrix is
  /// swizzled.
  Value copyEarly(Value source, RankedTensorType type);

  FragmentPlan &plan;
  IRRewriter &rewriter;
  FragmentBuilder b;
  DenseMap<std::pair<Value, Block *>, Value> sharedOperands;
  DenseMap<Block *, Operation *> lastCopies;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FRAGMENTCONVERTER_H
