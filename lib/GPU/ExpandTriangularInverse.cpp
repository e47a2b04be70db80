//===- ExpandTriangularInverse.cpp - Substitution by columns, merges ------===//
//
// Part of the Delta-Net project.
//
// X = (I + L)⁻¹ of a strictly lower triangular L, C×C, by a block of threads:
//
//   diagonal blocks of 16   a thread solves a column of a block in registers:
//                           x_r = e_r − Σ_{l<r} L_rl x_l
//   pairs of blocks         X₂₁ = −X₂₂ (L₂₁ X₁₁), all pairs at once, from 16 to
//                           32, 64, 128
//
// A thread sums four rows of a product together, so that what is read of the
// right operand serves four sums.
//
//===----------------------------------------------------------------------===//

#include "BlockWork.h"
#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDGPUTRIANGULARINVERSE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Side of the blocks that are inverted by columns.
constexpr int64_t kBlock = 16;
/// Rows of a product that one thread sums.
constexpr int64_t kRows = 4;

class InverseExpansion {
public:
  InverseExpansion(TrilInverseOp op, BlockWork &work)
      : w(work), matrix(op.getMatrix()),
        size(cast<RankedTensorType>(matrix.getType()).getDimSize(0)) {}

  Value expand() {
    Value blocks = invertDiagonalBlocks();
    // Zeros are written a step before they are added to.
    Value sums = zeros(kBlock);
    for (int64_t side = kBlock; side < size; side *= 2)
      blocks = mergePairs(blocks, side, sums);
    return w.join(blocks, {2, 1});
  }

private:
  using Operand = BlockWork::Operand;

  /// [C/16, 16, 16], over blocks, columns and rows.
  Value invertDiagonalBlocks() {
    int64_t count = size / kBlock;
    Value blocks = w.split(matrix, {count, kBlock, count, kBlock}, {2, 2});
    AffineExpr block = w.dimension(0), column = w.dimension(1);
    SmallVector<Operand> factors;
    for (int64_t row = 0; row < kBlock; ++row)
      for (int64_t above = 0; above < row; ++above)
        factors.push_back(
            {blocks, {block, w.constant(row), block, w.constant(above)}});
    // Half a warp has a block: the other half's is 16 banks apart.
    Value inverse = w.scratchApart({count, kBlock, kBlock}, 1);
    return w.computeTogether(factors,
                             {inverse, {block, w.dimension(2), column}},
                             /*reductions=*/0, solveColumn);
  }

  /// `factors` are those of L below its diagonal, row by row. The thread needs
  /// all of a column, which is solved once for all its rows.
  static SmallVector<Value> solveColumn(BlockWork &n, ValueRange factors) {
    Value column = n.element(1), row = n.element(2);
    Value zero = n.f32(0.0), one = n.f32(1.0), result = zero;
    SmallVector<Value> solution;
    for (int64_t r = 0; r < kBlock; ++r) {
      Value number = arith::ConstantIndexOp::create(n, r);
      Value sum = n.select(n.isEqual(column, number), one, zero);
      for (auto [factor, above] : llvm::zip(factors, solution))
        sum = n.fma(arith::NegFOp::create(n, factor), above, sum);
      factors = factors.drop_front(r);
      solution.push_back(sum);
      result = n.select(n.isEqual(row, number), sum, result);
    }
    return {result};
  }

  /// For L₂₁ X₁₁ of blocks of `side`; nothing if they are the whole matrix.
  Value zeros(int64_t side) {
    if (side == size)
      return {};
    Value sums = w.scratch({size / (2 * side), side, side}), zero = w.f32(0.0);
    return linalg::FillOp::create(w, zero, sums).getResult(0);
  }

  /// From inverses of blocks of `side` to those of twice that, and from their
  /// zeros to those of the next.
  Value mergePairs(Value blocks, int64_t side, Value &sums) {
    int64_t pairs = size / (2 * side), rows = side / kRows;
    Value merged = place(blocks, pairs, side);
    // Over pairs, rows, columns, rows of one thread, and what is summed.
    AffineExpr pair = w.dimension(0), row = w.dimension(1);
    AffineExpr column = w.dimension(2), part = w.dimension(3);
    AffineExpr sum = w.dimension(4);
    AffineExpr first = w.constant(0), second = w.constant(1);
    Value lower =
        w.split(matrix, {pairs, 2, kRows, rows, pairs, 2, side}, {4, 3});
    Value diagonal = w.split(blocks, {pairs, 2, side, side}, {2, 1, 1});
    Value coupled = w.computeTogether(
        {{lower, {pair, second, part, row, pair, first, sum}},
         {diagonal, {pair, first, sum, column}}},
        {w.split(sums, {pairs, kRows, rows, side}, {1, 2, 1}),
         {pair, part, row, column}},
        /*reductions=*/1, [](BlockWork &n, ValueRange x) -> SmallVector<Value> {
          return {n.fma(x[0], x[1], x[2])};
        });

    sums = zeros(2 * side);
    Corner corner(w, pairs, side);
    Value out = corner.extract(w, merged);
    out = w.computeTogether(
        {{w.split(blocks, {pairs, 2, kRows, rows, side}, {2, 2, 1}),
          {pair, second, part, row, sum}},
         {w.join(coupled, {1, 2, 1}), {pair, sum, column}}},
        {w.split(out, {pairs, kRows, rows, side}, {1, 2, 1}),
         {pair, part, row, column}},
        /*reductions=*/1, [](BlockWork &n, ValueRange x) -> SmallVector<Value> {
          return {n.fma(arith::NegFOp::create(n, x[0]), x[1], x[2])};
        });
    merged = corner.insert(w, w.join(out, {1, 2, 1}), merged);
    return w.join(merged, {1, 2, 2});
  }

  /// X₁₁ and X₂₂ of all pairs, zeros beside them: [C/2s, 2, s, 2, s].
  Value place(Value blocks, int64_t pairs, int64_t side) {
    Value diagonal = w.split(blocks, {pairs, 2, side, side}, {2, 1, 1});
    SmallVector<int64_t> shape{pairs, 2, side, 2, side};
    // Half a warp has a row of X₂₁: the other half's is 16 banks apart.
    Value merged = side == kBlock ? w.scratchApart(shape, 3) : w.scratch(shape);
    return w.compute(
        {{diagonal,
          {w.dimension(0), w.dimension(1), w.dimension(2), w.dimension(4)}}},
        merged, [](BlockWork &n, ValueRange x) -> SmallVector<Value> {
          Value isDiagonal = n.isEqual(n.element(1), n.element(3));
          return {n.select(isDiagonal, x[0], n.f32(0.0))};
        })[0];
  }

  /// X₂₁ of all pairs.
  struct Corner {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    RankedTensorType type;

    Corner(Builder &b, int64_t pairs, int64_t side)
        : offsets(getAsIndexOpFoldResult(b.getContext(), {0, 1, 0, 0, 0})),
          sizes(getAsIndexOpFoldResult(b.getContext(),
                                       {pairs, 1, side, 1, side})),
          strides(5, b.getIndexAttr(1)),
          type(RankedTensorType::get({pairs, side, side}, b.getF32Type())) {}

    Value extract(BlockWork &w, Value tensor) {
      return tensor::ExtractSliceOp::create(w, type, tensor, offsets, sizes,
                                            strides);
    }
    Value insert(BlockWork &w, Value corner, Value tensor) {
      return tensor::InsertSliceOp::create(w, corner, tensor, offsets, sizes,
                                           strides);
    }
  };

  BlockWork &w;
  Value matrix;
  int64_t size;
};

struct ExpandGpuTriangularInverse
    : deltanet::impl::ExpandGpuTriangularInverseBase<
          ExpandGpuTriangularInverse> {
  void runOnOperation() override {
    getOperation()->walk([](TrilInverseOp op) {
      BlockWork work(op.getLoc(), op);
      op.replaceAllUsesWith(InverseExpansion(op, work).expand());
      op.erase();
    });
  }
};

} // namespace
