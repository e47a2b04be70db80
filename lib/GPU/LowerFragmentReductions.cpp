//===- LowerFragmentReductions.cpp - Sums and maxima of rows and columns --===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FoldingReduction.h"
#include "LowerFragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

struct LowerReduce : ThreadPattern<ReduceOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType tile = op.getTile().getType();
    auto dimension = static_cast<unsigned>(op.getDimension());
    SmallVector<Value> results =
        reduceInThread(op, tile, dimension, adaptor.getTile(), rewriter);
    auto lanes = tile.getLayout().getLaneGrid();
    auto steps = tile.getSpread(dimension).laneSteps;
    int64_t parts =
        op.getResult().getType().getLayout().getLaneGrid()[0] / lanes[0];
    LaneGroup alongColumns{1, lanes[1]}, alongRows{lanes[1], lanes[0]};
    auto combineLanes = [&](Value own, Value other) {
      return combine(op, own, other, arith::FastMathFlags::none, rewriter);
    };
    if (parts != 1)
      results = reducePartsOverLanes(rewriter, op.getLoc(), results,
                                     combineLanes, parts, alongColumns, place);
    else if (steps[0] || steps[1])
      results = reduceOverLanes(rewriter, op.getLoc(), results, combineLanes,
                                steps[1] ? alongColumns : alongRows, place);
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }

private:
  static Value combine(ReduceOp op, Value first, Value second,
                       arith::FastMathFlags flags, OpBuilder &builder) {
    if (op.getMaximum())
      return arith::MaxNumFOp::create(builder, op.getLoc(), first, second);
    return arith::AddFOp::create(builder, op.getLoc(), first, second, flags);
  }

  /// In the order of the elements; products are fused with sums if they allow
  /// that.
  static SmallVector<Value> reduceInThread(ReduceOp op, TileType tile,
                                           unsigned dimension,
                                           ValueRange elements,
                                           OpBuilder &builder) {
    unsigned rows = tile.getSpread(0).offsets.size(),
             columns = tile.getSpread(1).offsets.size();
    unsigned count = dimension == 0 ? rows : columns,
             others = dimension == 0 ? columns : rows;
    SmallVector<Value> results;
    for (unsigned index = 0; index < others; ++index) {
      Value result;
      for (unsigned each = 0; each < count; ++each) {
        Value element = elements[dimension == 0 ? each * columns + index
                                                : index * columns + each];
        result = result ? combine(op, result, element,
                                  arith::FastMathFlags::contract, builder)
                        : element;
      }
      results.push_back(result);
    }
    return results;
  }
};

struct LowerBroadcast : ThreadPattern<BroadcastOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(BroadcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto some = op.getTile().getType().getLayout().getLaneGrid(),
         all = op.getResult().getType().getLayout().getLaneGrid();
    SmallVector<Value> part(adaptor.getTile());
    rewriter.replaceOpWithMultiple(
        op, {gatherFromLanes(rewriter, op.getLoc(), part, some[0] / all[0],
                             LaneGroup{1, all[1]})});
    return success();
  }
};

} // namespace

void mlir::deltanet::populateFragmentReductionPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    ThreadPlace &place) {
  patterns.add<LowerReduce, LowerBroadcast>(converter, patterns.getContext(),
                                            place);
}
