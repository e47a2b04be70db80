//===- LowerFragmentProducts.cpp - A warp's products by tensor cores ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
#include "MatrixPieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

struct LowerCast : ThreadPattern<CastOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getTile()});
    return success();
  }
};

/// What one warp multiplies: 16 rows, 8 columns and 16 terms at a time.
class ProductOfWarp {
public:
  ProductOfWarp(MmaOp op, ValueRange left, ValueRange sums, ThreadPlace &place,
                OpBuilder &builder)
      : loc(op.getLoc()), builder(builder),
        elementType(op.getLeft().getType().getElementType()),
        rowPieces(count(op.getAccumulator(), 0) / 2),
        columnPieces(count(op.getAccumulator(), 1) / 2),
        terms(count(op.getLeft(), 1) / 4), left(left), sums(sums),
        right(op.getRight(), !op.isRightTransposed(), /*isSwizzled=*/true,
              getOrigin(op, place, builder), place) {}

  SmallVector<Value> emit() {
    for (int64_t term : llvm::seq(terms)) {
      int64_t column = 0;
      for (; column + 1 < columnPieces; column += 2) {
        // Terms 0 to 7 and 8 to 15 of two columns of pieces.
        SmallVector<Value> words =
            right.load(builder, loc, {column * 8, term * 16}, {{0, 8}, {8, 0}});
        multiply(term, column, ArrayRef(words).take_front(2));
        multiply(term, column + 1, ArrayRef(words).drop_front(2));
      }
      if (column < columnPieces)
        multiply(term, column,
                 right.load(builder, loc, {column * 8, term * 16}, {{0, 8}}));
    }
    return sums;
  }

private:
  static int64_t count(Value tile, unsigned dimension) {
    return cast<TileType>(tile.getType()).getSpread(dimension).offsets.size();
  }

  /// The right operand as [N,K], as `mma.sync` has it: where the warp's columns
  /// begin.
  static std::array<Value, 2> getOrigin(MmaOp op, ThreadPlace &place,
                                        OpBuilder &builder) {
    return {place.getWarpPosition(op.getAccumulator().getType(), 1),
            arith::ConstantIndexOp::create(builder, op.getLoc(), 0)};
  }

  void multiply(int64_t term, int64_t column, ArrayRef<Value> words) {
    for (int64_t row : llvm::seq(rowPieces)) {
      SmallVector<Value> own;
      for (int64_t half : {0, 1})
        for (int64_t rows : {0, 1})
          own.push_back(getLeft(2 * row + rows, 4 * term + 2 * half));
      SmallVector<Value> before;
      for (int64_t rows : {0, 1})
        for (int64_t each : {0, 1})
          before.push_back(getSum(2 * row + rows, 2 * column + each));
      Value after = add(own, words, before);
      for (int64_t index : llvm::seq(4))
        getSum(2 * row + index / 2, 2 * column + index % 2) =
            LLVM::ExtractValueOp::create(builder, loc, after, index);
    }
  }

  Value add(ArrayRef<Value> own, ArrayRef<Value> words,
            ArrayRef<Value> before) {
    auto type =
        elementType.isBF16() ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
    SmallVector<Type> types(4, builder.getF32Type());
    return NVVM::MmaOp::create(
        builder, loc,
        LLVM::LLVMStructType::getLiteral(builder.getContext(), types), own,
        convert(words), before, ArrayRef<int64_t>{16, 8, 16}, std::nullopt,
        std::nullopt, std::array{type, type},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  }

  /// Pairs of bf16 are i32 for NVVM, pairs of f16 vectors.
  SmallVector<Value> convert(ArrayRef<Value> words) {
    if (elementType.isBF16())
      return SmallVector<Value>(words);
    return llvm::map_to_vector(words, [&](Value word) -> Value {
      return LLVM::BitcastOp::create(builder, loc,
                                     VectorType::get(2, elementType), word);
    });
  }

  Value getLeft(int64_t row, int64_t column) {
    Value &found = leftPairs[{row, column}];
    if (!found) {
      size_t first = row * terms * 4 + column;
      found = convert(packPair(builder, loc, left[first], left[first + 1]))[0];
    }
    return found;
  }

  Value &getSum(int64_t row, int64_t column) {
    return sums[row * columnPieces * 2 + column];
  }

  Location loc;
  OpBuilder &builder;
  Type elementType;
  int64_t rowPieces, columnPieces, terms;
  ValueRange left;
  SmallVector<Value> sums;
  MatrixPieces right;
  DenseMap<std::pair<int64_t, int64_t>, Value> leftPairs;
};

struct LowerMma : ThreadPattern<MmaOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ProductOfWarp product(op, adaptor.getLeft(), adaptor.getAccumulator(),
                          place, rewriter);
    rewriter.replaceOpWithMultiple(op, {product.emit()});
    return success();
  }
};

} // namespace

void mlir::deltanet::populateFragmentProductPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    ThreadPlace &place) {
  patterns.add<LowerCast, LowerMma>(converter, patterns.getContext(), place);
}
