//===- DeltaRuleLoops.cpp - A whole rule as loops over elements -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LoopBuilder.h"
#include "PlainLoops.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

namespace {
class RuleLoops {
public:
  explicit RuleLoops(DeltaRuleOp rule)
      : rule(rule), b(rule.getLoc(), rule), K(rule.getKeyDim()),
        V(rule.getValueDim()) {}

  void run() {
    Value tokens = tensor::DimOp::create(b, rule.getQ(), 0);
    Value cu = rule.getCuSeqlens();
    Value sequences = b.index(1);
    if (cu)
      sequences = b.subtract(tensor::DimOp::create(b, cu, 0), b.index(1));
    SmallVector<Value> outs{rule.getOInit()};
    if (rule.getStateInit())
      outs.push_back(rule.getStateInit());
    SmallVector<Value> results =
        b.loop(b.index(0), sequences, outs, [&](Value n, ValueRange carried) {
          Value begin = b.index(0), end = tokens;
          if (cu) {
            begin = b.load(cu, n);
            end = b.load(cu, b.add(n, b.index(1)));
          }
          return ifServed(b.subtract(end, begin), carried,
                          [&] { return heads(n, begin, end, carried); });
        });
    rule->replaceAllUsesWith(results);
    rule->erase();
  }

private:
  /// `body` if a schedule of the rule serves the length, else the outs as they
  /// are.
  SmallVector<Value> ifServed(Value length, ValueRange carried,
                              function_ref<SmallVector<Value>()> body) {
    ArrayAttr schedules = rule.getSchedulesAttr();
    if (!schedules)
      return body();
    Value served = arith::ConstantOp::create(b, b.getBoolAttr(false));
    for (auto schedule : schedules.getAsRange<ScheduleAttr>()) {
      Value fits =
          arith::AndIOp::create(b,
                                b.compare(arith::CmpIPredicate::sge, length,
                                          b.index(schedule.getMinTokens())),
                                b.compare(arith::CmpIPredicate::sle, length,
                                          b.index(schedule.getMaxTokens())));
      served = arith::OrIOp::create(b, served, fits);
    }
    auto branch = scf::IfOp::create(b, TypeRange(carried), served,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, body());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, carried);
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  SmallVector<Value> heads(Value n, Value begin, Value end, ValueRange outs) {
    return b.loop(rule.getHV(), outs, [&](Value hv, ValueRange carried) {
      Value state = loadState(n, hv);
      SmallVector<Value> inits{carried[0], state};
      SmallVector<Value> after =
          b.loop(begin, end, inits, [&](Value t, ValueRange values) {
            return token(t, hv, values[0], values[1]);
          });
      SmallVector<Value> results{after[0]};
      if (carried.size() == 2)
        results.push_back(storeState(after[1], n, hv, carried[1]));
      return results;
    });
  }

  SmallVector<Value> stateIndices(Value n, Value hv, Value i, Value j) {
    if (rule.getStateLayout() == StateLayout::KV)
      return {n, hv, i, j};
    return {n, hv, j, i};
  }

  /// One head's state [K,V], zeros without an initial state.
  Value loadState(Value n, Value hv) {
    Value empty =
        tensor::EmptyOp::create(b, ArrayRef<int64_t>{K, V}, b.getF32Type());
    return elements(empty, [&](Value i, Value j, Value tensor) {
      Value value = rule.getState()
                        ? b.load(rule.getState(), stateIndices(n, hv, i, j))
                        : b.f32(0);
      return b.store(value, tensor, {i, j});
    });
  }

  Value storeState(Value state, Value n, Value hv, Value tensor) {
    return elements(tensor, [&](Value i, Value j, Value carried) {
      return b.store(b.load(state, {i, j}), carried, stateIndices(n, hv, i, j));
    });
  }

  /// A loop over [K,V] that carries a tensor.
  Value elements(Value tensor, function_ref<Value(Value, Value, Value)> body) {
    return b.loop(K, tensor, [&](Value i, ValueRange outer) {
      return b.loop(V, outer, [&](Value j, ValueRange inner) {
        return SmallVector<Value>{body(i, j, inner[0])};
      });
    })[0];
  }

  Value keyHead(Value hv) {
    if (rule.getHeadMap() == HeadMap::Grouped)
      return b.divide(hv, rule.getGroupSize());
    return arith::RemUIOp::create(b, hv, b.index(rule.getH()));
  }

  /// Factor of a row of q or k: 1 / sqrt(sum x^2 + eps), or one. A zero row
  /// stays zero, also with eps = 0.
  Value normOf(Value tensor, Value t, Value h) {
    FloatAttr eps = rule.getL2normEpsAttr();
    if (!eps)
      return b.f32(1);
    Value zero = b.f32(0);
    Value sum = b.loop(K, zero, [&](Value i, ValueRange carried) {
      Value x = b.load(tensor, {t, h, i});
      return SmallVector<Value>{b.add(carried[0], b.multiply(x, x))};
    })[0];
    Value square = b.add(sum, arith::ConstantOp::create(b, eps));
    Value isZero =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, square, zero);
    return b.select(isZero, zero, math::RsqrtOp::create(b, square));
  }

  SmallVector<Value> token(Value t, Value hv, Value o, Value state) {
    Value h = keyHead(hv);
    Value decay = b.f32(1);
    if (rule.getG())
      decay = math::ExpOp::create(b, b.load(rule.getG(), {t, hv}));
    Value beta = b.load(rule.getBeta(), {t, hv});
    Value scale = rule.getScaleOperand();
    if (!scale)
      scale = b.f32(rule.getScaleValue());
    Value keyNorm = normOf(rule.getK(), t, h);
    Value queryNorm = b.multiply(normOf(rule.getQ(), t, h), scale);
    auto key = [&](Value i) {
      return b.multiply(b.load(rule.getK(), {t, h, i}), keyNorm);
    };
    // One value channel after the other: they do not know of each other.
    SmallVector<Value> inits{o, state};
    return b.loop(V, inits, [&](Value j, ValueRange carried) {
      Value zero = b.f32(0);
      Value seen = b.loop(K, zero, [&](Value i, ValueRange sum) {
        Value decayed = b.multiply(decay, b.load(carried[1], {i, j}));
        return SmallVector<Value>{b.add(sum[0], b.multiply(decayed, key(i)))};
      })[0];
      Value delta =
          b.multiply(beta, b.subtract(b.load(rule.getV(), {t, hv, j}), seen));
      SmallVector<Value> sums{carried[1], zero};
      SmallVector<Value> after = b.loop(K, sums, [&](Value i, ValueRange at) {
        Value s = b.add(b.multiply(decay, b.load(at[0], {i, j})),
                        b.multiply(key(i), delta));
        Value query = b.multiply(b.load(rule.getQ(), {t, h, i}), queryNorm);
        return SmallVector<Value>{b.store(s, at[0], {i, j}),
                                  b.add(at[1], b.multiply(s, query))};
      });
      return SmallVector<Value>{b.store(after[1], carried[0], {t, hv, j}),
                                after[0]};
    });
  }

  DeltaRuleOp rule;
  LoopBuilder b;
  const int64_t K, V;
};
} // namespace

void verification::writeAsPlainLoops(DeltaRuleOp rule) {
  RuleLoops(rule).run();
}
