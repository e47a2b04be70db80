//===- ExpandTriangularInverse.cpp - Block forward substitution -----------===//
//
// Part of the Delta-Net project.
//
// X = (I + L)⁻¹ of a strictly lower triangular L, C×C:
//
//   diagonal blocks of 16   row by row: X_r = e_r − Σ_{l<r} L_rl X_l
//   pairs of blocks         X₂₁ = −X₂₂ (L₂₁ X₁₁), from 16 to 32, 64, 128
//
// Each level is a tensor of its own, [C/s, s, s]: a product that reads and
// writes parts of one tensor would need a copy, and the blocks that are carried
// over are few.
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDTRIANGULARINVERSE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Side of the blocks that are inverted row by row.
constexpr int64_t kBlock = 16;

class InverseExpansion {
public:
  InverseExpansion(TrilInverseOp op, TileBuilder &builder)
      : b(builder), matrix(op.getMatrix()),
        size(cast<RankedTensorType>(matrix.getType()).getDimSize(0)) {}

  Value expand() {
    Value blocks = invertDiagonalBlocks();
    for (int64_t side = kBlock; side < size; side *= 2)
      blocks = mergePairs(blocks, side);
    return b.extract(blocks, part(b.attr(0), b.attr(0), b.attr(0), size, size),
                     2);
  }

private:
  /// Rows and columns from (row, column) of one block of a level.
  TileSlice part(OpFoldResult block, OpFoldResult row, OpFoldResult column,
                 OpFoldResult rows, OpFoldResult columns) {
    return TileBuilder::at({block, row, column}, {b.attr(1), rows, columns});
  }
  TileSlice part(OpFoldResult block, OpFoldResult row, OpFoldResult column,
                 int64_t rows, int64_t columns) {
    return part(block, row, column, b.attr(rows), b.attr(columns));
  }
  /// The square of this side at (row, column) of the matrix.
  Value square(Value row, Value column, int64_t side) {
    return b.extract(
        matrix, TileBuilder::at({row, column}, {b.attr(side), b.attr(side)}),
        2);
  }
  Value product(Value left, Value right, Value accumulator) {
    return linalg::MatmulOp::create(b, accumulator.getType(),
                                    ValueRange{left, right}, accumulator)
        .getResult(0);
  }

  /// −L of the diagonal block at `begin`, with zeros elsewhere.
  Value negatedBlock(Value begin) {
    Value block = square(begin, begin, kBlock);
    return b.elementwise(
        {{block, {0, 1}}}, b.scratch({kBlock, kBlock}),
        [](TileBuilder &b, ValueRange x) -> Value {
          Value row = linalg::IndexOp::create(b, 0);
          Value column = linalg::IndexOp::create(b, 1);
          Value below =
              arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, row, column);
          Value negated = arith::NegFOp::create(b, x[0]);
          return arith::SelectOp::create(b, below, negated, b.f32(0.0));
        });
  }

  /// The row e_r of the unit matrix into `row`, [1,16].
  Value unitRow(Value r, Value row) {
    return b.elementwise({}, row, [r](TileBuilder &b, ValueRange) -> Value {
      Value column = linalg::IndexOp::create(b, 1);
      Value diagonal =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, column, r);
      Value one = b.f32(1.0), zero = b.f32(0.0);
      return arith::SelectOp::create(b, diagonal, one, zero);
    });
  }

  Value invertDiagonalBlocks() {
    int64_t count = size / kBlock;
    auto results = b.loop(
        count, 1, {b.scratch({count, kBlock, kBlock})},
        [&](Value block, ValueRange outer) {
          Value negated = negatedBlock(b.mul(block, kBlock));
          return b.loop(
              kBlock, 1, outer,
              [&](Value r, ValueRange carried) -> SmallVector<Value> {
                Value x = carried[0];
                TileSlice row = part(block, r, b.attr(0), 1, kBlock);
                Value factors = b.extract(
                    negated, TileBuilder::at({r, b.attr(0)}, {b.attr(1), r}),
                    2);
                Value above = b.extract(
                    x, part(block, b.attr(0), b.attr(0), r, b.attr(kBlock)), 2);
                Value sum =
                    product(factors, above, unitRow(r, b.extract(x, row, 2)));
                return {b.insert(sum, x, row)};
              });
        });
    return results[0];
  }

  /// From inverses of blocks of `side` to those of twice that.
  Value mergePairs(Value blocks, int64_t side) {
    int64_t count = size / (2 * side);
    auto results = b.loop(
        count, 1, {b.scratch({count, 2 * side, 2 * side})},
        [&](Value pair, ValueRange carried) -> SmallVector<Value> {
          Value x = carried[0];
          Value upper = b.mul(pair, 2), lower = b.add(upper, b.index(1));
          auto whole = [&](Value block) {
            return b.extract(blocks,
                             part(block, b.attr(0), b.attr(0), side, side), 2);
          };
          auto put = [&](int64_t row, int64_t column, auto &&make) {
            TileSlice slice =
                part(pair, b.attr(row), b.attr(column), side, side);
            x = b.insert(make(b.extract(x, slice, 2)), x, slice);
          };
          put(0, 0, [&](Value out) { return b.copy(whole(upper), out); });
          put(0, side, [&](Value out) { return b.fill(out, 0.0); });
          put(side, side, [&](Value out) { return b.copy(whole(lower), out); });
          Value column = b.mul(pair, 2 * side);
          Value row = b.add(column, b.index(side));
          Value coupling = square(row, column, side), first = whole(upper);
          Value coupled =
              product(coupling, first, b.fill(b.scratch({side, side}), 0.0));
          Value second = whole(lower);
          Value positive =
              product(second, coupled, b.fill(b.scratch({side, side}), 0.0));
          put(side, 0, [&](Value out) {
            return b.elementwise({{positive, {0, 1}}}, out,
                                 [](TileBuilder &b, ValueRange v) -> Value {
                                   return arith::NegFOp::create(b, v[0]);
                                 });
          });
          return {x};
        });
    return results[0];
  }

  TileBuilder &b;
  Value matrix;
  int64_t size;
};

struct ExpandTriangularInverse
    : deltanet::impl::ExpandTriangularInverseBase<ExpandTriangularInverse> {
  void runOnOperation() override {
    SmallVector<TrilInverseOp> inverses;
    getOperation()->walk([&](TrilInverseOp op) { inverses.push_back(op); });
    for (TrilInverseOp op : inverses) {
      OpBuilder at(op);
      TileBuilder builder(op.getLoc(), at);
      op.replaceAllUsesWith(InverseExpansion(op, builder).expand());
      op.erase();
    }
  }
};

} // namespace
