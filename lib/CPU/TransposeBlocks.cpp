//===- TransposeBlocks.cpp - Transposition by shuffles --------------------===//
//
// Part of the Delta-Net project.
//
// Shuffles that stay inside 128-bit lanes are cheap on every machine, so a
// block of rows r0 … r7 is transposed in three steps: interleave single
// elements of neighbouring rows in each lane, then pairs of elements, and then
// exchange lanes (8x8 only):
//
//   r0: 0 1 2 3 | 4 5 6 7      lane L of the c-th row after two steps holds
//   r1: 0 1 2 3 | 4 5 6 7  →   column 4L + c of rows r0 … r3 (or r4 … r7)
//
//===----------------------------------------------------------------------===//

#include "TransposeBlocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

namespace {

class BlockTransposer {
public:
  BlockTransposer(RewriterBase &rewriter, Location loc)
      : rewriter(rewriter), loc(loc) {}

  /// Transposes n rows of n elements, n = 4 or 8.
  SmallVector<Value> transpose(ArrayRef<Value> rows) {
    int64_t n = rows.size();
    SmallVector<Value> singles(n), pairs(n);
    for (int64_t i = 0; i < n; i += 2) {
      singles[i] = interleaveInLanes(rows[i], rows[i + 1], n, 1, 0);
      singles[i + 1] = interleaveInLanes(rows[i], rows[i + 1], n, 1, 2);
    }
    for (int64_t i = 0; i < n; i += 4)
      for (int64_t j = 0; j < 2; ++j) {
        Value a = singles[i + j], b = singles[i + j + 2];
        pairs[i + 2 * j] = interleaveInLanes(a, b, n, 2, 0);
        pairs[i + 2 * j + 1] = interleaveInLanes(a, b, n, 2, 2);
      }
    if (n == 4)
      return pairs;
    SmallVector<Value> columns(n);
    for (int64_t c = 0; c < 4; ++c) {
      columns[c] = shuffle(pairs[c], pairs[c + 4], {0, 1, 2, 3, 8, 9, 10, 11});
      columns[c + 4] =
          shuffle(pairs[c], pairs[c + 4], {4, 5, 6, 7, 12, 13, 14, 15});
    }
    return columns;
  }

private:
  Value shuffle(Value a, Value b, ArrayRef<int64_t> mask) {
    return vector::ShuffleOp::create(rewriter, loc, a, b, mask);
  }

  /// In each lane of 4, groups of `width` elements of a and b in turn, of two
  /// elements each from position `from`.
  Value interleaveInLanes(Value a, Value b, int64_t n, int64_t width,
                          int64_t from) {
    SmallVector<int64_t> mask;
    for (int64_t lane = 0; lane < n; lane += 4)
      for (int64_t group = 0; group < 2; group += width)
        for (int64_t source : {int64_t(0), n})
          for (int64_t e = 0; e < width; ++e)
            mask.push_back(source + lane + from + group + e);
    return shuffle(a, b, mask);
  }

  RewriterBase &rewriter;
  Location loc;
};

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
    BlockTransposer transposer(rewriter, loc);
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
        for (auto [i, part] : llvm::enumerate(transposer.transpose(block)))
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
