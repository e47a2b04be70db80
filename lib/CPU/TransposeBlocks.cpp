//===- TransposeBlocks.cpp - Transposition by shuffles --------------------===//
//
// Part of the Delta-Net project.
//
// A block of rows r0 … r7 is transposed by shuffles of lanes: four rows at a
// time are interleaved in each lane, and then lanes are exchanged (8x8 only).
//
//===----------------------------------------------------------------------===//

#include "TransposeBlocks.h"
#include "deltanet/Transforms/LaneShuffles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

namespace {

/// Transposes n rows of n elements, n = 4 or 8.
SmallVector<Value> transposeBlock(LaneShuffles &shuffles,
                                  ArrayRef<Value> rows) {
  if (rows.size() == 4)
    return shuffles.interleave(rows, /*width=*/1);
  SmallVector<Value> upper = shuffles.interleave(rows.take_front(4), 1);
  SmallVector<Value> lower = shuffles.interleave(rows.drop_front(4), 1);
  return shuffles.exchangeLanes(upper, lower);
}

struct TransposeByBlocks : OpRewritePattern<vector::TransposeOp> {
  TransposeByBlocks(MLIRContext *context, int64_t vectorBits)
      : OpRewritePattern(context, /*benefit=*/2), vectorBits(vectorBits) {}

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getSourceVectorType();
    // The two dimensions that are not 1 must be exchanged.
    SmallVector<int64_t> dims;
    for (int64_t d : op.getPermutation())
      if (type.getDimSize(d) != 1)
        dims.push_back(d);
    if (dims.size() != 2 || dims[0] < dims[1])
      return rewriter.notifyMatchFailure(op, "no exchange of two dimensions");
    int64_t rows = type.getDimSize(dims[1]), columns = type.getDimSize(dims[0]);
    if (rows % 4 || columns % 4 || type.getElementTypeBitWidth() != 32)
      return rewriter.notifyMatchFailure(op, "no blocks of 32-bit elements");
    int64_t n = vectorBits >= 256 && rows % 8 == 0 && columns % 8 == 0 ? 8 : 4;

    Location loc = op.getLoc();
    Type element = type.getElementType();
    Value source = vector::ShapeCastOp::create(
        rewriter, loc, VectorType::get({rows, columns}, element),
        op.getVector());
    Value result = arith::ConstantOp::create(
        rewriter, loc,
        rewriter.getZeroAttr(VectorType::get({columns, rows}, element)));
    LaneShuffles shuffles(rewriter, loc);
    for (int64_t c = 0; c < columns; c += n) {
      SmallVector<Value> parts(n * (rows / n));
      for (int64_t r = 0; r < rows; r += n) {
        SmallVector<Value> block;
        for (int64_t i = 0; i < n; ++i)
          block.push_back(vector::ExtractStridedSliceOp::create(
              rewriter, loc,
              vector::ExtractOp::create(rewriter, loc, source, r + i),
              ArrayRef<int64_t>{c}, ArrayRef<int64_t>{n},
              ArrayRef<int64_t>{1}));
        for (auto [i, part] : llvm::enumerate(transposeBlock(shuffles, block)))
          parts[i * (rows / n) + r / n] = part;
      }
      for (int64_t i = 0; i < n; ++i) {
        Value row = concatenate(
            rewriter, loc, ArrayRef(parts).slice(i * (rows / n), rows / n));
        result = vector::InsertOp::create(rewriter, loc, row, result, c + i);
      }
    }
    rewriter.replaceOpWithNewOp<vector::ShapeCastOp>(
        op, op.getResultVectorType(), result);
    return success();
  }

private:
  static Value concatenate(RewriterBase &rewriter, Location loc,
                           ArrayRef<Value> parts) {
    if (parts.size() == 1)
      return parts.front();
    auto part = cast<VectorType>(parts.front().getType());
    int64_t n = part.getDimSize(0);
    auto type = VectorType::get(n * parts.size(), part.getElementType());
    Value row =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    for (auto [i, value] : llvm::enumerate(parts))
      row = vector::InsertStridedSliceOp::create(
          rewriter, loc, value, row, ArrayRef<int64_t>{int64_t(i) * n},
          ArrayRef<int64_t>{1});
    return row;
  }

  int64_t vectorBits;
};

} // namespace

void cpu::populateTransposeBlocksPatterns(RewritePatternSet &patterns,
                                          int64_t vectorBits) {
  patterns.add<TransposeByBlocks>(patterns.getContext(), vectorBits);
}
