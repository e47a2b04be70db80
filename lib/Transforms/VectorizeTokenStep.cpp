//===- VectorizeTokenStep.cpp - deltanet.token_step on vectors ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TokenStepVectorizer.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VECTORIZETOKENSTEP
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct VectorizeTokenStep
    : deltanet::impl::VectorizeTokenStepBase<VectorizeTokenStep> {
  void runOnOperation() override {
    SmallVector<TokenStepOp> ops;
    getOperation().walk([&](TokenStepOp op) { ops.push_back(op); });
    for (TokenStepOp op : ops)
      if (op.isVK())
        vectorizeValueRows(op);
      else
        vectorizeKeyRows(op);
  }
};

} // namespace
