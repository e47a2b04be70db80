//===- LowerFragmentSums.cpp - Sums along rows and columns of tiles -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FoldingSum.h"
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
    SmallVector<Value> sums =
        sumInThread(op, tile, dimension, adaptor.getTile(), rewriter);
    auto lanes = tile.getLayout().getLaneGrid();
    auto steps = tile.getSpread(dimension).laneSteps;
    int64_t parts =
        op.getResult().getType().getLayout().getLaneGrid()[0] / lanes[0];
    LaneGroup alongColumns{1, lanes[1]}, alongRows{lanes[1], lanes[0]};
    if (parts != 1)
      sums = sumPartsOverLanes(rewriter, op.getLoc(), sums, parts, alongColumns,
                               place);
    else if (steps[1])
      sums = sumOverLanes(rewriter, op.getLoc(), sums, alongColumns, place);
    else if (steps[0])
      sums = sumOverLanes(rewriter, op.getLoc(), sums, alongRows, place);
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }

private:
  /// Adds in the order of the elements; products are fused with it if they
  /// allow that.
  static SmallVector<Value> sumInThread(ReduceOp op, TileType tile,
                                        unsigned dimension, ValueRange elements,
                                        OpBuilder &builder) {
    unsigned rows = tile.getSpread(0).offsets.size(),
             columns = tile.getSpread(1).offsets.size();
    unsigned count = dimension == 0 ? rows : columns,
             sums = dimension == 0 ? columns : rows;
    SmallVector<Value> results;
    for (unsigned index = 0; index < sums; ++index) {
      Value sum;
      for (unsigned each = 0; each < count; ++each) {
        Value element = elements[dimension == 0 ? each * columns + index
                                                : index * columns + each];
        sum = sum ? arith::AddFOp::create(builder, op.getLoc(), sum, element,
                                          arith::FastMathFlags::contract)
                  : element;
      }
      results.push_back(sum);
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

void mlir::deltanet::populateFragmentSumPatterns(const TypeConverter &converter,
                                                 RewritePatternSet &patterns,
                                                 ThreadPlace &place) {
  patterns.add<LowerReduce, LowerBroadcast>(converter, patterns.getContext(),
                                            place);
}
