//===- MapCanonicalization.cpp - Maps without what they do not need -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

namespace {

/// Inputs that are one number or another input, or that nothing uses.
struct FewerInputs : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map,
                                PatternRewriter &rewriter) const override {
    Block &body = map.getBody().front();
    for (OpOperand &input : map->getOpOperands()) {
      unsigned number = input.getOperandNumber();
      BlockArgument element = body.getArgument(number);
      Value instead;
      if (auto splat = input.get().getDefiningOp<SplatOp>())
        instead = splat.getScalar();
      for (unsigned other = 0; !instead && other < number; ++other)
        if (map.getInputs()[other] == input.get())
          instead = body.getArgument(other);
      if (!instead && !element.use_empty())
        continue;
      rewriter.modifyOpInPlace(map, [&] {
        if (instead)
          rewriter.replaceAllUsesWith(element, instead);
        body.eraseArgument(number);
        map.getInputsMutable().erase(number);
      });
      return success();
    }
    return failure();
  }
};

/// Results that nothing uses. One that is used is left: a map without any is
/// dead.
struct FewerResults : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map,
                                PatternRewriter &rewriter) const override {
    YieldOp yield = map.getYield();
    SmallVector<Value> used, elements;
    SmallVector<Type> types;
    for (auto [result, element] :
         llvm::zip(map.getResults(), yield.getValues()))
      if (!result.use_empty()) {
        used.push_back(result);
        types.push_back(result.getType());
        elements.push_back(element);
      }
    if (used.empty() || used.size() == map.getNumResults())
      return failure();
    rewriter.modifyOpInPlace(
        yield, [&] { yield.getValuesMutable().assign(elements); });
    auto fewer = MapOp::create(rewriter, map.getLoc(), types, map.getInputs());
    rewriter.inlineRegionBefore(map.getBody(), fewer.getBody(),
                                fewer.getBody().end());
    for (auto [result, kept] : llvm::zip(used, fewer.getResults()))
      rewriter.replaceAllUsesWith(result, kept);
    rewriter.eraseOp(map);
    return success();
  }
};

} // namespace

void MapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<FewerInputs, FewerResults>(context);
}
