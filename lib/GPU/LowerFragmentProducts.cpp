//===- LowerFragmentProducts.cpp - A warp's products by tensor cores ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FloatPieces.h"
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

/// Columns of a piece of sums.
constexpr int64_t kPieceColumns = 8;

/// What one warp multiplies: 16 rows, 8 columns and 16 terms at a time, or 8
/// terms of f32.
class ProductOfWarp {
public:
  ProductOfWarp(MmaOp op, ValueRange left, ValueRange sums, ThreadPlace &place,
                OpBuilder &builder)
      : loc(op.getLoc()), builder(builder),
        elementType(op.getLeft().getType().getElementType()),
        depth(elementType.isF32() ? 8 : 16),
        rowPieces(count(op.getAccumulator(), 0) / 2),
        columnPieces(count(op.getAccumulator(), 1) / 2),
        leftColumns(count(op.getLeft(), 1)),
        terms(op.getLeft().getType().getColumns() / depth),
        isCausal(op.getCausal()), splitsLeft(op.getSplitLeft()),
        splitsRight(op.getSplitRight()), left(left), sums(sums),
        origin(getOrigin(op, place, builder)),
        halves(op.getRight(), !op.isRightTransposed(), /*isSwizzled=*/true,
               origin, place),
        floats(op.getRight(), !op.isRightTransposed(), origin, place) {}

  SmallVector<Value> emit() {
    // One `ldmatrix` reads two columns of pieces.
    int64_t atOnce = elementType.isF32() ? 1 : 2;
    for (int64_t term : llvm::seq(terms))
      for (int64_t column = 0; column < columnPieces; column += atOnce) {
        // What `ldmatrix` reads at once is left out at once, too.
        if (isCausal && term * depth >= (column + atOnce) * kPieceColumns)
          continue;
        int64_t columns = std::min(atOnce, columnPieces - column);
        SmallVector<Value> words = loadRight(term, column, columns);
        for (int64_t each : llvm::seq(columns))
          multiply(term, column + each, ArrayRef(words).slice(2 * each, 2));
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

  /// Of one or two columns of pieces, two registers each.
  SmallVector<Value> loadRight(int64_t term, int64_t column, int64_t columns) {
    std::array<int64_t, 2> offset = {column * kPieceColumns, term * depth};
    if (elementType.isF32())
      return llvm::map_to_vector(
          floats.load(builder, loc, offset),
          [&](Value element) { return getWord(element); });
    // Terms 0 to 7 and 8 to 15, and the next column.
    std::array<MatrixPieces::Offset, 2> steps = {{{0, 8}, {kPieceColumns, 0}}};
    return halves.load(builder, loc, offset,
                       ArrayRef(steps).take_front(columns));
  }

  /// A TF32 is for NVVM an i32.
  Value getWord(Value element) {
    return arith::BitcastOp::create(builder, loc, builder.getI32Type(),
                                    element);
  }

  /// What tensor cores ignore of a word of f32.
  Value getRest(Value word) {
    constexpr int32_t kTaken = ~0x1fff;
    auto getFloat = [&](Value word) -> Value {
      return arith::BitcastOp::create(builder, loc, elementType, word);
    };
    Value mask = arith::ConstantIntOp::create(builder, loc, kTaken, 32);
    Value taken = arith::AndIOp::create(builder, loc, word, mask);
    return getWord(
        arith::SubFOp::create(builder, loc, getFloat(word), getFloat(taken)));
  }

  void multiply(int64_t term, int64_t column, ArrayRef<Value> words) {
    for (int64_t row : llvm::seq(rowPieces)) {
      SmallVector<Value> own;
      for (int64_t half : {0, 1})
        for (int64_t rows : {0, 1})
          own.push_back(getLeft(2 * row + rows, 2 * term + half));
      auto getRests = [&](ArrayRef<Value> words) {
        return llvm::map_to_vector(words,
                                   [&](Value word) { return getRest(word); });
      };
      addTo(row, column, own, words);
      if (splitsLeft)
        addTo(row, column, getRests(own), words);
      if (splitsRight)
        addTo(row, column, own, getRests(words));
    }
  }

  void addTo(int64_t row, int64_t column, ArrayRef<Value> own,
             ArrayRef<Value> words) {
    SmallVector<Value> before;
    for (int64_t rows : {0, 1})
      for (int64_t each : {0, 1})
        before.push_back(getSum(2 * row + rows, 2 * column + each));
    Value after = add(own, words, before);
    for (int64_t index : llvm::seq(4))
      getSum(2 * row + index / 2, 2 * column + index % 2) =
          LLVM::ExtractValueOp::create(builder, loc, after, index);
  }

  Value add(ArrayRef<Value> own, ArrayRef<Value> words,
            ArrayRef<Value> before) {
    auto type = elementType.isF32()    ? NVVM::MMATypes::tf32
                : elementType.isBF16() ? NVVM::MMATypes::bf16
                                       : NVVM::MMATypes::f16;
    SmallVector<Type> types(4, builder.getF32Type());
    return NVVM::MmaOp::create(
        builder, loc,
        LLVM::LLVMStructType::getLiteral(builder.getContext(), types), own,
        convert(words), before, ArrayRef<int64_t>{16, 8, depth}, std::nullopt,
        std::nullopt, std::array{type, type},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  }

  /// Pairs of f16 are vectors for NVVM, all else is i32.
  SmallVector<Value> convert(ArrayRef<Value> words) {
    if (!elementType.isF16())
      return SmallVector<Value>(words);
    return llvm::map_to_vector(words, [&](Value word) -> Value {
      return LLVM::BitcastOp::create(builder, loc,
                                     VectorType::get(2, elementType), word);
    });
  }

  /// A register of the left operand: two of a thread's columns or, of f32, one.
  /// Slots t and t + 4 of eight terms are then the columns 2t and 2t + 1, as in
  /// the right operand.
  Value getLeft(int64_t row, int64_t number) {
    Value &found = leftRegisters[{row, number}];
    if (found)
      return found;
    ValueRange columns = left.slice(row * leftColumns, leftColumns);
    found = elementType.isF32()
                ? getWord(columns[number])
                : convert(packPair(builder, loc, columns[2 * number],
                                   columns[2 * number + 1]))[0];
    return found;
  }

  Value &getSum(int64_t row, int64_t column) {
    return sums[row * columnPieces * 2 + column];
  }

  Location loc;
  OpBuilder &builder;
  Type elementType;
  /// Terms of one `mma.sync`.
  int64_t depth;
  int64_t rowPieces, columnPieces, leftColumns, terms;
  bool isCausal, splitsLeft, splitsRight;
  ValueRange left;
  SmallVector<Value> sums;
  std::array<Value, 2> origin;
  MatrixPieces halves;
  FloatPieces floats;
  DenseMap<std::pair<int64_t, int64_t>, Value> leftRegisters;
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
