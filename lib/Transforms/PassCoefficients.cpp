//===- PassCoefficients.cpp - The factors of recurrence passes ------------===//
//
// Part of the Delta-Net project.
//
// The state is stored up to a factor sigma (true state = sigma · stored), so
// that a pass seldom multiplies by the decay: sigma collects the gates and is
// folded into the coefficients; only when it would fall below 2^-40 the next
// pass multiplies the stored state by it. Only products of gates occur, never a
// sum of log gates, so g = -inf is exact.
//
//===----------------------------------------------------------------------===//

#include "PassCoefficients.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::deltanet;

static constexpr double kSmallestSigma = 0x1p-40;

Value PassCoefficients::products(TileBuilder &b, const TokenBlock &tokens,
                                 Value keys) {
  // Where there is no product there is a zero: vectors of products may be
  // loaded whole.
  Value result = b.fill(b.scratch({block / B, B, B, 2}), 0.0);
  return b
      .loop(b.index(0), tokens.groups, 1, result,
            [&](Value group, ValueRange carried) -> SmallVector<Value> {
              Value out = carried[0];
              Value first = b.mul(group, B);
              auto row = [&](int64_t token, int64_t which) {
                return b.extract(
                    keys,
                    TileBuilder::at(
                        {b.add(first, b.index(B + token)), b.attr(which),
                         b.attr(0)},
                        {b.attr(1), b.attr(1), b.attr(rule.getKeyDim())}),
                    1);
              };
              auto put = [&](int64_t i, int64_t j, int64_t which) {
                Value left = row(i, which), key = row(j, 0);
                Value product = b.dot(left, key);
                out = b.store(product, out,
                              {group, b.index(i), b.index(j), b.index(which)});
              };
              for (int64_t i = 0; i < B; ++i) {
                for (int64_t j = 0; j < i; ++j)
                  put(i, j, 0);
                for (int64_t j = 0; j <= i; ++j)
                  put(i, j, 1);
              }
              return {out};
            })
      .front();
}

Value PassCoefficients::gather(TileBuilder &b, Value tensor,
                               const TokenBlock &tokens, Value hv) {
  Value out = b.fill(b.scratch({block}), 0.0);
  return b
      .loop(b.index(0), tokens.count, 1, out,
            [&](Value t, ValueRange carried) -> SmallVector<Value> {
              Value element = b.load(tensor, {b.add(tokens.begin, t), hv});
              return {b.store(element, carried[0], t)};
            })
      .front();
}

std::pair<Value, Value> PassCoefficients::build(TileBuilder &b,
                                                const TokenBlock &tokens,
                                                Value hv, Value x,
                                                Value products, Value scales) {
  RecurrencePassOp::Coefficients at{B};
  Value beta = gather(b, rule.getBeta(), tokens, hv);
  Value gamma;
  if (rule.getG())
    gamma = b.elementwise({}, gather(b, rule.getG(), tokens, hv),
                          [](TileBuilder &inner, ValueRange g) -> Value {
                            return math::ExpOp::create(inner, g[0]);
                          });
  Value zero = b.index(0), one = b.index(1);
  SmallVector<Value> inits{b.scratch({block / B, at.count()}),
                           b.load(scales, {x, zero}), b.load(scales, {x, one})};
  auto body = [&](Value group, ValueRange carried) -> SmallVector<Value> {
    Value out = carried[0], sigma = carried[1], owed = carried[2];
    auto put = [&](int64_t position, Value value) {
      out = b.store(value, out, {group, b.index(position)});
    };
    Value factor = rule.getScaleOperand();
    Value cumulated = sigma;
    SmallVector<Value> gammas(B);
    Value first = b.mul(group, B);
    for (int64_t i = 0; i < B; ++i) {
      Value t = b.add(first, b.index(i));
      Value write = b.load(beta, t);
      if (gamma) {
        gammas[i] = b.load(gamma, t);
        cumulated = b.mulf(cumulated, gammas[i]);
      }
      put(at.beta(i), write);
      Value negative = arith::NegFOp::create(b, write);
      put(at.key(i), b.mulf(negative, cumulated));
      put(at.query(i), b.mulf(factor, cumulated));
      // decay from token j (after its update) to token i.
      Value between;
      auto decayed = [&](Value value) {
        return between ? b.mulf(value, between) : value;
      };
      for (int64_t j = i; j >= 0; --j) {
        auto product = [&](int64_t which) {
          return b.load(products,
                        {group, b.index(i), b.index(j), b.index(which)});
        };
        if (j < i)
          put(at.erase(i, j), decayed(b.mulf(negative, product(0))));
        put(at.mix(i, j), decayed(b.mulf(factor, product(1))));
        if (gamma)
          between = decayed(gammas[j]);
      }
    }
    put(at.decay(), owed);
    Value carry = b.f32(1.0);
    if (gamma) {
      // Stored deltas are divided by the new sigma, unless it is too small:
      // then the next pass multiplies the stored state by it and sigma is one
      // again.
      Value small = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                          cumulated, b.f32(kSmallestSigma));
      Value unit = b.f32(1.0);
      owed = arith::SelectOp::create(b, small, cumulated, unit);
      sigma = arith::SelectOp::create(b, small, unit, cumulated);
      carry = arith::DivFOp::create(b, unit, sigma);
    }
    for (int64_t i = B - 1; i >= 0; --i) {
      put(at.carry(i), carry);
      if (gamma)
        carry = b.mulf(carry, gammas[i]);
    }
    return {out, sigma, owed};
  };
  SmallVector<Value> results = b.loop(zero, tokens.groups, 1, inits, body);
  scales = b.store(results[1], scales, {x, zero});
  scales = b.store(results[2], scales, {x, one});
  return {results[0], scales};
}
