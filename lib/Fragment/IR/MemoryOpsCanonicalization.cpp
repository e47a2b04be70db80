//===- MemoryOpsCanonicalization.cpp - Loads and stores seen through ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

namespace {

/// A tile that was stored and is loaded as it was.
struct LoadOfStore : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp load,
                                PatternRewriter &rewriter) const override {
    auto store = load.getSource().getDefiningOp<StoreOp>();
    if (!store || !load.getMemoryType().hasStaticShape() ||
        store.getTileType() != load.getTileType() ||
        store.getDimensionMap() != load.getDimensionMap() ||
        store.getSwizzled() != load.getSwizzled())
      return failure();
    rewriter.replaceOp(load, store.getValue());
    return success();
  }
};

/// A tensor that was filled with a scalar of its element type. Beyond the end
/// of a dynamic one a tile has zeros.
struct LoadOfFill : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp load,
                                PatternRewriter &rewriter) const override {
    auto fill = load.getSource().getDefiningOp<linalg::FillOp>();
    if (!fill || !load.getMemoryType().hasStaticShape() ||
        fill.value().getType() != load.getTileType().getElementType())
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(load, load.getTileType(),
                                         fill.value());
    return success();
  }
};

/// A tensor that is a copy. How the original is aligned is not known, and it is
/// not swizzled.
struct LoadOfCopy : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp load,
                                PatternRewriter &rewriter) const override {
    auto copy = load.getSource().getDefiningOp<linalg::CopyOp>();
    if (!copy || copy.getInputs()[0].getType() != load.getMemoryType() ||
        load.getSwizzled())
      return failure();
    rewriter.modifyOpInPlace(load, [&] {
      load.getSourceMutable().assign(copy.getInputs()[0]);
      load.removeAlignmentAttr();
    });
    return success();
  }
};

/// A destination whose content was only made to be overwritten.
struct StoreOverwrites : OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreOp store,
                                PatternRewriter &rewriter) const override {
    Operation *made = store.getDest().getDefiningOp();
    if (!isa_and_nonnull<linalg::FillOp, linalg::CopyOp, StoreOp>(made) ||
        !store.getMemoryType().hasStaticShape())
      return failure();
    Value dest = cast<DestinationStyleOpInterface>(made).getDpsInits()[0];
    rewriter.modifyOpInPlace(store,
                             [&] { store.getDestMutable().assign(dest); });
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<LoadOfStore, LoadOfFill, LoadOfCopy>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<StoreOverwrites>(context);
}
