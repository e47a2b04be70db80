//===- VectorizeTiles.cpp - Tiles on tensors to vectors -------------------===//
//
// Part of the Delta-Net project.
//
// Each linalg operation is vectorized on its own; vectorizing whole regions
// would also turn every insertion of a slice into one wide vector. Then slices
// are folded into the reads and writes of vectors, and what a loop reads and
// writes at one place is hoisted out of it: the accumulators.
//
//===----------------------------------------------------------------------===//

#include "Divisibility.h"
#include "MatrixTiles.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VECTORIZETILES
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Turns a unroll of the reduction loop does.
constexpr uint64_t kReductionUnroll = 2;
/// Lanes a sum along a vector is folded to before its lanes are added.
constexpr int64_t kSumLanes = 16;

/// sum(x[1 × n]) with n a multiple of 16: adds pieces of 16 lanes to one
/// another, in order, then the lanes of the last. The order of the sum is that
/// of the vector alone, so equal inputs give equal bits everywhere.
struct FoldRowSum : OpRewritePattern<vector::MultiDimReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getSourceVectorType();
    int64_t lanes = type.getShape().back();
    if (op.getKind() != vector::CombiningKind::ADD ||
        !isa<FloatType>(type.getElementType()) ||
        type.getNumElements() != lanes || lanes % kSumLanes ||
        !op.isReducedDim(type.getRank() - 1))
      return rewriter.notifyMatchFailure(op, "not the sum of one long row");
    Location loc = op.getLoc();
    auto row = VectorType::get({lanes}, type.getElementType());
    Value source =
        vector::ShapeCastOp::create(rewriter, loc, row, op.getSource());
    Value sum;
    for (int64_t begin = 0; begin < lanes; begin += kSumLanes) {
      Value piece = vector::ExtractStridedSliceOp::create(rewriter, loc, source,
                                                          begin, kSumLanes, 1);
      sum = sum ? arith::AddFOp::create(rewriter, loc, sum, piece) : piece;
    }
    Value scalar =
        vector::ReductionOp::create(rewriter, loc, vector::CombiningKind::ADD,
                                    sum, arith::FastMathFlags::reassoc);
    if (!isa<VectorType>(op.getType())) {
      rewriter.replaceOpWithNewOp<arith::AddFOp>(op, scalar, op.getAcc());
      return success();
    }
    Value splat =
        vector::BroadcastOp::create(rewriter, loc, op.getType(), scalar);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, splat, op.getAcc());
    return success();
  }
};

/// acc[l] + Σ_k a[k,l]·b[k,l] with one k: a multiply-add of lanes. As a
/// contraction, whose l would be a batch dimension, it would become scalars.
struct MultiplyAddLanes : OpRewritePattern<vector::MultiDimReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    auto product = op.getSource().getDefiningOp<arith::MulFOp>();
    auto isSpread = [](Value factor) {
      auto read = factor.getDefiningOp<vector::TransferReadOp>();
      return read && read.hasBroadcastDim();
    };
    if (op.getKind() != vector::CombiningKind::ADD || !type || !product ||
        type.getNumElements() != op.getSourceVectorType().getNumElements() ||
        isSpread(product.getLhs()) || isSpread(product.getRhs()))
      return rewriter.notifyMatchFailure(op, "not a product of lanes");
    auto lanes = [&](Value factor) {
      return vector::ShapeCastOp::create(rewriter, op.getLoc(), type, factor);
    };
    Value left = lanes(product.getLhs()), right = lanes(product.getRhs());
    rewriter.replaceOpWithNewOp<vector::FMAOp>(op, left, right, op.getAcc());
    return success();
  }
};

LogicalResult vectorizeEach(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> ofMatrixUnit, tiles;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op->hasAttr(DeltaNetDialect::kMatrixTilesAttr))
      ofMatrixUnit.push_back(op);
  });
  for (linalg::LinalgOp op : ofMatrixUnit)
    if (failed(vectorizeMatrixTiles(rewriter, op)))
      return failure();
  kernel.walk([&](linalg::LinalgOp op) { tiles.push_back(op); });
  for (linalg::LinalgOp tile : tiles) {
    if (tile.hasDynamicShape())
      return tile.emitOpError("expected a tile of static sizes, got ")
             << tile.getDpsInitOperand(0)->get().getType();
    rewriter.setInsertionPoint(tile);
    FailureOr<linalg::VectorizationResult> result =
        linalg::vectorize(rewriter, tile);
    if (failed(result))
      return tile.emitOpError("expected a tile that can be a vector");
    rewriter.replaceOp(tile, result->replacements);
  }
  return success();
}

/// Sums that are no outer products find their form, and slices fold into the
/// reads and writes of vectors. Nothing else folds yet: a write of all that was
/// read would become the tensor read, and the copy of a vector one of buffers.
void rewriteTiles(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  patterns.add<FoldRowSum, MultiplyAddLanes>(kernel.getContext());
  tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(patterns);
  walkAndApplyPatterns(kernel, std::move(patterns));
}

void formContractions(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  vector::populateVectorReductionToContractPatterns(patterns);
  vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
  tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(patterns);
  simplify(kernel, std::move(patterns));

  // Only now: a write of lower rank does not fold with an insertion of a slice.
  RewritePatternSet rows(kernel.getContext());
  vector::populateCastAwayVectorLeadingOneDimPatterns(rows);
  simplify(kernel, std::move(rows));
}

void simplifyLoops(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
  scf::populateSCFForLoopCanonicalizationPatterns(patterns);
  simplify(kernel, std::move(patterns));
}

/// Inner loops first, so that an accumulator can leave a whole nest. The
/// indices of what is hoisted are constants, which leave the loop before.
void carryAccumulators(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<LoopLikeOpInterface> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (LoopLikeOpInterface loop : loops) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) {
          return loop.isDefinedOutsideOfLoop(value);
        },
        [](Operation *op, Region *) {
          return op->hasTrait<OpTrait::ConstantLike>();
        },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    hoistLoopInvariantSubsets(rewriter, loop);
  }
}

/// A block of one row is carried as that row.
void carryRows(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    Location loc = loop.getLoc();
    SmallVector<unsigned> blocks;
    SmallVector<Value> rows;
    rewriter.setInsertionPoint(loop);
    for (auto [number, init] : llvm::enumerate(loop.getInitArgs())) {
      auto type = dyn_cast<VectorType>(init.getType());
      if (!type || type.getRank() != 2 || type.getDimSize(0) != 1)
        continue;
      blocks.push_back(number);
      rows.push_back(vector::ExtractOp::create(rewriter, loc, init, 0));
    }
    if (blocks.empty())
      continue;
    unsigned first = loop.getInitArgs().size();
    auto yieldRows = [&](OpBuilder &builder, Location loc,
                         ArrayRef<BlockArgument>) {
      Operation *yield = loop.getBody()->getTerminator();
      SmallVector<Value> yielded;
      for (unsigned block : blocks)
        yielded.push_back(vector::ExtractOp::create(
            builder, loc, yield->getOperand(block), 0));
      return yielded;
    };
    auto replaced = cast<scf::ForOp>(
        *loop.replaceWithAdditionalYields(rewriter, rows, false, yieldRows));
    for (auto [index, block] : llvm::enumerate(blocks)) {
      auto spread = [&](Value row, Value value) {
        value.replaceAllUsesWith(
            vector::BroadcastOp::create(rewriter, loc, value.getType(), row));
      };
      rewriter.setInsertionPointToStart(replaced.getBody());
      spread(replaced.getRegionIterArg(first + index),
             replaced.getRegionIterArg(block));
      rewriter.setInsertionPointAfter(replaced);
      spread(replaced.getResult(first + index), replaced.getResult(block));
      // What was carried before is no longer used.
      replaced.getBody()->getTerminator()->setOperand(
          block, replaced.getRegionIterArg(block));
    }
  }
}

LogicalResult unrollReductions(func::FuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (loop->hasAttr(DeltaNetDialect::kReductionAttr))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    loop->removeAttr(DeltaNetDialect::kReductionAttr);
    Value end = loop.getUpperBound();
    bool divides = matchPattern(loop.getLowerBound(), m_Zero()) &&
                   matchPattern(loop.getStep(), m_One()) &&
                   isMultipleOf(end, kReductionUnroll);
    FailureOr<UnrolledLoopInfo> unrolled =
        loopUnrollByFactor(loop, kReductionUnroll);
    if (failed(unrolled))
      return loop.emitOpError("expected a reduction loop that can be unrolled");
    if (!divides || !unrolled->epilogueLoopOp)
      continue;
    // The steps of a causal row of blocks: as many as its end says.
    scf::ForOp rest = *unrolled->epilogueLoopOp;
    rest->replaceAllUsesWith(rest.getInitArgs());
    rest.erase();
    unrolled->mainLoopOp->setUpperBound(end);
  }
  return success();
}

struct VectorizeTiles : deltanet::impl::VectorizeTilesBase<VectorizeTiles> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (kernel.isExternal() || !kernel->hasAttr(DeltaNetDialect::kKernelAttr))
      return markAllAnalysesPreserved();
    if (failed(vectorizeEach(kernel)))
      return signalPassFailure();
    rewriteTiles(kernel);
    carryAccumulators(kernel);
    carryRows(kernel);
    formContractions(kernel);
    simplifyLoops(kernel);
    if (failed(unrollReductions(kernel)))
      return signalPassFailure();
    simplifyLoops(kernel);
  }
};

} // namespace
