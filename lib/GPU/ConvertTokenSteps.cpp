//===- ConvertTokenSteps.cpp - The token recurrence on fragments ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FragmentConverter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

/// Arithmetic that the target may contract to multiply-adds.
template <typename Op>
static Value arithmetic(OpBuilder &b, Location loc, Value x, Value y) {
  return Op::create(b, loc, x, y, arith::FastMathFlags::contract);
}

Value FragmentConverter::sumOfProducts(Value x, Value y, int64_t dimension) {
  auto xType = cast<TileType>(x.getType()), yType = cast<TileType>(y.getType());
  SmallVector<int64_t, 2> shape;
  for (auto [a, c] : llvm::zip(xType.getShape(), yType.getShape()))
    shape.push_back(std::max(a, c));
  Value products =
      b.map(xType.with(shape), {x, y}, [&](OpBuilder &n, ValueRange v) {
        return arithmetic<arith::MulFOp>(n, b.getLoc(), v[0], v[1]);
      });
  shape[dimension] = 1;
  return ReduceOp::create(b, xType.with(shape), products, dimension);
}

void FragmentConverter::convert(linalg::DotOp dot) {
  Value x = dot.getInputs()[0], y = dot.getInputs()[1];
  int64_t dimension = placeOf(x).dims[0];
  Value first = load(x), second = x == y ? first : load(y);
  Value sum = ExtractOp::create(b, sumOfProducts(first, second, dimension));
  Value out = dot.getOutputs()[0];
  auto fill = out.getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat())) {
    Value before = tensor::ExtractOp::create(b, out, ValueRange());
    sum = arithmetic<arith::AddFOp>(b, b.getLoc(), before, sum);
  }
  rewriter.replaceOp(dot, tensor::InsertOp::create(b, sum, out, ValueRange()));
}

/// An element of [1,2], as it was inserted.
static Value getFactor(ImplicitLocOpBuilder &b, Value factors, int64_t column) {
  while (auto insert = factors.getDefiningOp<tensor::InsertOp>()) {
    if (isConstantIntValue(insert.getIndices()[1], column))
      return insert.getScalar();
    if (!getConstantIntValue(insert.getIndices()[1]))
      break;
    factors = insert.getDest();
  }
  Value row = arith::ConstantIndexOp::create(b, 0);
  Value position = arith::ConstantIndexOp::create(b, column);
  return tensor::ExtractOp::create(b, factors, ValueRange{row, position});
}

/// The formulas of deltanet.token_step.
void FragmentConverter::convert(TokenStepOp step) {
  int64_t along = step.isVK() ? 1 : 0;
  Location loc = b.getLoc();
  auto mul = [&](OpBuilder &n, Value x, Value y) {
    return arithmetic<arith::MulFOp>(n, loc, x, y);
  };
  // x y + z, contracted on every target: a decay of one changes no bit.
  auto fma = [&](OpBuilder &n, Value x, Value y, Value z) -> Value {
    return math::FmaOp::create(n, loc, x, y, z);
  };
  Value state = load(step.getState()), key = load(step.getKey());
  Value query = load(step.getQuery()), values = load(step.getValues());
  Value decay = getFactor(b, step.getFactors(), 0);
  Value beta = getFactor(b, step.getFactors(), 1);
  Value readByKey = sumOfProducts(state, key, along);
  Value readByQuery = sumOfProducts(state, query, along);
  auto tileOf = [&](Value tensor) {
    return b.tileType(cast<RankedTensorType>(tensor.getType()),
                      placeOf(tensor));
  };
  TileType row = tileOf(step.getOut());
  Value delta =
      b.map(row, {values, readByKey}, [&](OpBuilder &n, ValueRange x) {
        Value old = mul(n, decay, x[1]);
        return mul(n, beta, arithmetic<arith::SubFOp>(n, loc, x[0], old));
      });
  Value out = b.map(row, {readByQuery, delta}, [&](OpBuilder &n, ValueRange x) {
    Value old = mul(n, decay, x[0]);
    return mul(n, step.getScale(), fma(n, step.getProduct(), x[1], old));
  });
  SmallVector<Value> results{store(out, step.getOutInit())};
  if (step.getNewState()) {
    Value updated = b.map(tileOf(step.getState()), {state, key, delta},
                          [&](OpBuilder &n, ValueRange x) {
                            return fma(n, x[1], x[2], mul(n, decay, x[0]));
                          });
    results.push_back(store(updated, step.getStateInit()));
  }
  replace(step, results);
}
