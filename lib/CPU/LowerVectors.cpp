//===- LowerVectors.cpp - Vectors of any shape to machine vectors ---------===//
//
// Part of the Delta-Net project.
//
// The steps are separate pattern sets: together some undo each other's work for
// ever. Each set also has a limit of rewrites, so that such a pair is an error.
//
//===----------------------------------------------------------------------===//

#include "TransposeBlocks.h"
#include "deltanet/Target/Target.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_LOWERVECTORS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// More than any kernel needs: a sign of patterns that work against each other.
constexpr int64_t kMostRewrites = 4'000'000;

/// a·b + c of two roundings, where one rounding would be a call.
template <typename FmaTy> struct SplitFma : OpRewritePattern<FmaTy> {
  using OpRewritePattern<FmaTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(FmaTy op,
                                PatternRewriter &rewriter) const override {
    auto operands = op->getOperands();
    Value product =
        arith::MulFOp::create(rewriter, op.getLoc(), operands[0], operands[1]);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, operands[2]);
    return success();
  }
};

struct Step {
  StringRef name;
  std::function<void(RewritePatternSet &)> populate;
  /// Where the patterns start; everywhere if it is null.
  std::function<bool(Operation *)> start = nullptr;
  /// Whether canonicalization belongs to the step.
  bool canonicalize = true;
};

/// A sum over rows, which is done with whole rows.
bool isVerticalReduction(Operation *op) {
  auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
  return reduction &&
         !reduction.isReducedDim(reduction.getSourceVectorType().getRank() - 1);
}

/// A transfer whose innermost dimension is a pair.
bool isTransferOfPairs(Operation *op) {
  auto transfer = dyn_cast<VectorTransferOpInterface>(op);
  return transfer && transfer.getVectorType().getRank() > 1 &&
         transfer.getVectorType().getShape().back() == 2;
}

LogicalResult apply(func::FuncOp function, const Step &step) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  step.populate(patterns);
  if (step.canonicalize)
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (isa<vector::VectorDialect, arith::ArithDialect>(op.getDialect()))
        op.getCanonicalizationPatterns(patterns, context);
  GreedyRewriteConfig config;
  config.setMaxNumRewrites(kMostRewrites);
  LogicalResult settled = failure();
  if (step.start) {
    SmallVector<Operation *> operations;
    function.walk([&](Operation *op) {
      if (step.start(op))
        operations.push_back(op);
    });
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    settled = applyOpPatternsGreedily(operations, std::move(patterns), config);
  } else {
    settled = applyPatternsGreedily(function, std::move(patterns), config);
  }
  if (succeeded(settled))
    return success();
  return function.emitError("expected the patterns of step '")
         << step.name << "' to settle";
}

/// Sums of a vector's elements in any order, which lets LLVM make a tree of
/// shuffles of them instead of a chain.
void allowReassociation(func::FuncOp function) {
  function.walk([](vector::ReductionOp op) {
    op.setFastmath(op.getFastmath() | arith::FastMathFlags::reassoc);
  });
}

LogicalResult lower(func::FuncOp function, TargetAttr target) {
  using namespace vector;
  const Step steps[] = {
      {"contractions",
       [](RewritePatternSet &patterns) {
         populateVectorContractLoweringPatterns(
             patterns, VectorContractLowering::OuterProduct);
         populateVectorTransferPermutationMapLoweringPatterns(patterns);
       }},
      {"outer products",
       [](RewritePatternSet &patterns) {
         populateVectorOuterProductLoweringPatterns(patterns);
       }},
      {"sums over rows",
       [](RewritePatternSet &patterns) {
         populateVectorMultiReductionLoweringPatterns(
             patterns, VectorMultiReductionLowering::InnerParallel);
       },
       isVerticalReduction},
      {"sums of rows",
       [](RewritePatternSet &patterns) {
         populateVectorMultiReductionLoweringPatterns(
             patterns, VectorMultiReductionLowering::InnerReduction);
       }},
      // Not with canonicalization, which makes broadcasts of insertions into
      // unit dimensions.
      {"broadcasts",
       [](RewritePatternSet &patterns) {
         populateVectorBroadcastLoweringPatterns(patterns);
         populateVectorStepLoweringPatterns(patterns);
       },
       nullptr,
       /*canonicalize=*/false},
      {"pairs to rows",
       [](RewritePatternSet &patterns) {
         populateFlattenVectorTransferPatterns(patterns);
       },
       isTransferOfPairs},
      {"transfers to rows",
       [](RewritePatternSet &patterns) {
         // Operands of broadcasts are loaded as scalars.
         populateScalarVectorTransferLoweringPatterns(
             patterns, /*benefit=*/2, /*allowMultipleUses=*/true);
         populateVectorToSCFConversionPatterns(
             patterns, VectorTransferToSCFOptions().enableFullUnroll());
       }},
      {"rows to loads and stores",
       [](RewritePatternSet &patterns) {
         populateScalarVectorTransferLoweringPatterns(
             patterns, /*benefit=*/2, /*allowMultipleUses=*/true);
         populateVectorTransferLoweringPatterns(patterns,
                                                /*maxTransferRank=*/1);
       }},
      {"transpositions",
       [&](RewritePatternSet &patterns) {
         cpu::populateTransposeBlocksPatterns(patterns, target.getVectorBits());
         populateVectorTransposeLoweringPatterns(
             patterns, VectorTransposeLowering::Shuffle1D);
       }},
      {"rows of fused multiply-adds",
       [](RewritePatternSet &patterns) {
         populateVectorRankReducingFMAPattern(patterns);
       }},
      // Broadcasts of the steps between; and canonicalization makes single
      // elements of the rows of a matrix, and shape casts of single elements.
      {"shapes, broadcasts and elements",
       [](RewritePatternSet &patterns) {
         populateVectorShapeCastLoweringPatterns(patterns);
         populateVectorBroadcastLoweringPatterns(patterns);
         populateVectorStepLoweringPatterns(patterns);
         populateVectorFromElementsUnrollPatterns(patterns);
         populateVectorToElementsUnrollPatterns(patterns);
       },
       nullptr,
       /*canonicalize=*/false},
      {"pieces of rows",
       [](RewritePatternSet &patterns) {
         populateVectorInsertExtractStridedSliceTransforms(patterns);
       },
       nullptr,
       /*canonicalize=*/false},
  };
  for (const Step &step : steps)
    if (failed(apply(function, step)))
      return failure();
  allowReassociation(function);
  if (!target.getFma()) {
    RewritePatternSet patterns(function.getContext());
    patterns.add<SplitFma<vector::FMAOp>, SplitFma<math::FmaOp>>(
        function.getContext());
    walkAndApplyPatterns(function, std::move(patterns));
  }
  return success();
}

struct LowerVectors : deltanet::impl::LowerVectorsBase<LowerVectors> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<TargetAttr> target = getTarget(module);
    if (failed(target))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && failed(lower(function, *target)))
        return signalPassFailure();
  }
};

} // namespace
