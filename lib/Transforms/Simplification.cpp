//===- Simplification.cpp - Canonical form between the steps of a pass ----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

void deltanet::simplify(Operation *root, RewritePatternSet &&extra) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(std::move(extra));
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  // Those of scf.forall inline a loop of one iteration; a parallel loop of a
  // kernel stays a stage, however many work items it has.
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getStringRef() != scf::ForallOp::getOperationName())
      name.getCanonicalizationPatterns(patterns, context);
  // Reaching the limit of iterations leaves correct, only less simple IR.
  (void)applyPatternsGreedily(root, std::move(patterns));
  IRRewriter rewriter(context);
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
}

void deltanet::simplify(Operation *root) {
  simplify(root, RewritePatternSet(root->getContext()));
}
