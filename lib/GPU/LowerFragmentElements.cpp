//===- LowerFragmentElements.cpp - Computing what a thread holds ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

struct LowerSplat : ThreadPattern<SplatOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(SplatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> elements(op.getResult().getType().getElementsPerThread(),
                                op.getScalar());
    rewriter.replaceOpWithMultiple(op, {elements});
    return success();
  }
};

struct LowerExtract : ThreadPattern<ExtractOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(ExtractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getTile().front());
    return success();
  }
};

/// Upstream makes selections of conditions that only yield.
struct LowerSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> elements;
    for (auto [yes, no] :
         llvm::zip(adaptor.getTrueValue(), adaptor.getFalseValue()))
      elements.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                                 op.getCondition(), yes, no));
    rewriter.replaceOpWithMultiple(op, {elements});
    return success();
  }
};

struct LowerMap : ThreadPattern<MapOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(MapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<TileType>(op.getResult(0).getType());
    SmallVector<int64_t> rows = tile.getSpread(0).offsets,
                         columns = tile.getSpread(1).offsets;
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (unsigned row = 0; row < rows.size(); ++row)
      for (unsigned column = 0; column < columns.size(); ++column) {
        IRMapping mapping;
        for (auto [element, type, registers] :
             llvm::zip(op.getBody().getArguments(), op.getInputs().getTypes(),
                       adaptor.getInputs()))
          mapping.map(element,
                      pick(cast<TileType>(type), registers, row, column));
        compute(op, tile, {rows[row], columns[column]}, mapping, rewriter);
        for (auto [result, value] :
             llvm::zip(results, op.getYield().getValues()))
          result.push_back(mapping.lookupOrDefault(value));
      }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  /// The input at a row and column of the results' registers.
  static Value pick(TileType input, ValueRange registers, unsigned row,
                    unsigned column) {
    unsigned columns = input.getSpread(1).offsets.size();
    return registers[(input.getRows() == 1 ? 0 : row * columns) +
                     (input.getColumns() == 1 ? 0 : column)];
  }

  /// The body for one element.
  void compute(MapOp op, TileType tile, std::array<int64_t, 2> offsets,
               IRMapping &mapping, ConversionPatternRewriter &rewriter) const {
    auto getIndex = [&](IndexOp index) -> Value {
      auto dimension = static_cast<unsigned>(index.getDimension());
      Value offset = arith::ConstantIndexOp::create(rewriter, op.getLoc(),
                                                    offsets[dimension]);
      return rewriter.createOrFold<arith::AddIOp>(
          op.getLoc(), place.getPosition(tile, dimension), offset);
    };
    for (Operation &each : op.getBody().front().without_terminator()) {
      if (auto index = dyn_cast<IndexOp>(each)) {
        mapping.map(index.getResult(), getIndex(index));
        continue;
      }
      Operation *copy = rewriter.clone(each, mapping);
      copy->walk([&](IndexOp index) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(index);
        rewriter.replaceOp(index, getIndex(index));
      });
    }
  }
};

} // namespace

void mlir::deltanet::populateFragmentElementPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    ThreadPlace &place) {
  patterns.add<LowerSplat, LowerExtract, LowerMap>(
      converter, patterns.getContext(), place);
  patterns.add<LowerSelect>(converter, patterns.getContext());
}
