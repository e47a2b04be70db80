//===- ExpandExp.cpp - Exponentials as polynomials ------------------------===//
//
// Part of the Delta-Net project.
//
// With n = round(x / ln 2) and r = x − n ln 2, |r| ≤ 0.35:
//
//   e^x = 2^n e^r,   e^r ≈ 1 + r + r² (c₂ + c₃ r + … + c₆ r⁴)
//
// n is rounded by adding 1.5·2²³, after which it stands in the low bits of the
// sum, so neither a rounding instruction nor a conversion is needed. ln 2 is
// subtracted in two parts, the first with so few bits that n times it is exact.
// The c are the minimax ones for the relative error, 3.3e-9. r = 0 gives
// exactly 1.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/LaneArithmetic.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDEXP
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Least x with a normal e^x.
constexpr float kLowest = -87.3365402f;
/// Greatest x with a finite e^x.
constexpr float kHighest = 88.7228317f;
constexpr float kReciprocalLn2 = 1.44269504f;
constexpr float kRounder = 12582912.0f;
constexpr float kLn2High = 0.693145752f;
constexpr float kLn2Low = 1.42860677e-6f;
constexpr float kPolynomial[] = {
    1.38131448e-3f, 8.36941879e-3f, 4.1668456e-2f, 0.166665152f,
    0.49999994f,    1.0f,           1.0f};

struct ExpandExpOp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    LaneArithmetic a(rewriter, op.getLoc(), op.getType());
    auto fma = [&](Value x, Value y, Value z) {
      return a.create<math::FmaOp>(x, y, z);
    };
    Value x = op.getOperand();
    Value reciprocal = a.real(kReciprocalLn2), rounder = a.real(kRounder);
    Value sum = fma(x, reciprocal, rounder);
    Value n = a.create<arith::SubFOp>(sum, a.real(kRounder));
    Value r = fma(n, a.real(-kLn2High), x);
    r = fma(n, a.real(-kLn2Low), r);
    Value p = a.real(kPolynomial[0]);
    for (float c : ArrayRef(kPolynomial).drop_front())
      p = fma(p, r, a.real(c));

    // 2^n e^r: n is added to the exponent.
    Value exponent = a.shiftLeft(a.bitcast(a.i32(), sum), 23);
    Value y = a.add(a.bitcast(a.i32(), p), exponent);
    y = a.bitcast(a.f32(), y);

    // Outside of the range the bits above mean nothing.
    Value low = a.compare(arith::CmpFPredicate::OLT, x, a.real(kLowest));
    y = a.select(low, a.real(0.0f), y);
    Value high = a.compare(arith::CmpFPredicate::UGT, x, a.real(kHighest));
    Value infinite = a.create<arith::AddFOp>(
        x, a.real(std::numeric_limits<float>::infinity())); // NaN stays
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, high, infinite, y);
    return success();
  }
};

struct ExpandRsqrt : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    LaneArithmetic a(rewriter, op.getLoc(), op.getType());
    Value root = a.create<math::SqrtOp>(op.getOperand());
    rewriter.replaceOpWithNewOp<arith::DivFOp>(op, a.real(1.0f), root);
    return success();
  }
};

struct ExpandExp : deltanet::impl::ExpandExpBase<ExpandExp> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExpOp, ExpandRsqrt>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // What is left must be one instruction, or it would become a call.
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
          isa<math::FmaOp, math::SqrtOp, math::AbsFOp, math::CopySignOp>(op))
        return WalkResult::advance();
      op->emitOpError("expected only exp and rsqrt on f32, fma, sqrt, absf or "
                      "copysign in a kernel, got this operation on ")
          << op->getOperand(0).getType();
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
