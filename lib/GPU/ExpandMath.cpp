//===- ExpandMath.cpp - Functions as instructions of a GPU ----------------===//
//
// Part of the Delta-Net project.
//
// With t = round(x log₂e) and the error e of that product, which a fused
// multiply-add tells:
//
//   e^x = 2^t 2^e ≈ 2^t (1 + e ln 2)
//
// 2^t is one instruction, off by at most 2^-22. Left alone, the rounding of the
// product would add as much for every 4 in x.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/LaneArithmetic.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDMATH
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// log₂e is the sum of both.
constexpr float kLog2EHigh = 1.44269502f;
constexpr float kLog2ELow = 1.92596303e-8f;
constexpr float kLn2 = 0.693147182f;
/// From here on 2^t is infinite, or 0 for -t.
constexpr float kRange = 128.0f;
/// Bits of an f32 that a TF32 does not have.
constexpr unsigned kDroppedBits = 13;

struct ExpandExpOp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    LaneArithmetic a(rewriter, op.getLoc(), op.getType());
    Value x = op.getOperand();
    Value high = a.real(kLog2EHigh);
    Value t = a.create<arith::MulFOp>(x, high);
    Value error = a.create<math::FmaOp>(x, high, a.create<arith::NegFOp>(t));
    error = a.create<math::FmaOp>(x, a.real(kLog2ELow), error);
    Value power = a.create<math::Exp2Op>(t);
    Value change = a.create<arith::MulFOp>(error, a.real(kLn2));
    Value y = a.create<math::FmaOp>(power, change, power);
    // Where the power is 0, infinite or no number, so is the result, but the
    // error may be anything.
    Value isInRange = a.compare(arith::CmpFPredicate::OLT,
                                a.create<math::AbsFOp>(t), a.real(kRange));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isInRange, y, power);
    return success();
  }
};

/// x + half of the last bit that is left, without the others, and NaN as it is:
/// what lies in the middle goes away from zero.
struct RoundToTf32 : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getTrueValue();
    APInt half, kept;
    auto bits = m_Op<arith::BitcastOp>(matchers::m_Val(x));
    auto sum = m_Op<arith::AddIOp>(bits, m_ConstantInt(&half));
    auto cut = m_Op<arith::AndIOp>(sum, m_ConstantInt(&kept));
    auto isNaN = op.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!x.getType().isF32() ||
        !matchPattern(op.getFalseValue(), m_Op<arith::BitcastOp>(cut)) ||
        half != (1 << (kDroppedBits - 1)) ||
        kept != APInt::getHighBitsSet(32, 32 - kDroppedBits) || !isNaN ||
        isNaN.getPredicate() != arith::CmpFPredicate::UNO ||
        isNaN.getLhs() != x || isNaN.getRhs() != x)
      return failure();
    Value rounded = NVVM::ConvertFloatToTF32Op::create(
        rewriter, op.getLoc(), rewriter.getI32Type(), x,
        NVVM::FPRoundingMode::RNA);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, x.getType(), rounded);
    return success();
  }
};

struct ExpandMath : deltanet::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExpOp, RoundToTf32>(&getContext());
    math::populateExpansionPatterns(patterns, {"rsqrt"});
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // What is left must be one instruction, or it would become a call.
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
          (getElementTypeOrSelf(op->getOperand(0)).isF32() &&
           isa<math::Exp2Op, math::FmaOp, math::SqrtOp, math::AbsFOp,
               math::CopySignOp>(op)))
        return WalkResult::advance();
      op->emitOpError("expected only exp, exp2, rsqrt, fma, sqrt, absf or "
                      "copysign on f32 in a kernel of a GPU, got this "
                      "operation on ")
          << op->getOperand(0).getType();
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
