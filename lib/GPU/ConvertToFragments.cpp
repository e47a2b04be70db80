//===- ConvertToFragments.cpp - Work items in registers of a block --------===//
//
// Part of the Delta-Net project.
//
// Each operation of the plan reads its tensors as tiles and writes its results
// back; what one writes and the next reads then stays in registers, and a tile
// that a loop over tokens reads and writes in every turn is carried by it.
//
//===----------------------------------------------------------------------===//

#include "FragmentPlaces.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_CONVERTTOFRAGMENTS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

class Converter {
public:
  explicit Converter(FragmentPlan &plan, IRRewriter &rewriter)
      : plan(plan), rewriter(rewriter), b(rewriter.getUnknownLoc(), rewriter) {}

  void run() {
    for (Operation *op : plan.operations) {
      b.setLoc(op->getLoc());
      b.setInsertionPoint(op);
      if (auto step = dyn_cast<TokenStepOp>(op))
        convert(step);
      else if (auto dot = dyn_cast<linalg::DotOp>(op))
        convert(dot);
      else if (isPlainCopy(op))
        convert(cast<linalg::CopyOp>(op));
      else
        convert(cast<linalg::LinalgOp>(op));
    }
  }

private:
  using Body = function_ref<Value(ValueRange)>;

  TileType tileType(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    FragmentPlace place = plan.places.lookup(tensor);
    SmallVector<int64_t, 2> shape{1, 1};
    for (auto [dimension, size] :
         llvm::zip(place, type.getShape().take_back(place.size())))
      shape[dimension] = size;
    return TileType::get(b.getContext(), shape, type.getElementType(),
                         plan.layout);
  }

  /// The tensor without its leading dimensions of size 1.
  Value withoutUnits(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    int64_t rank = plan.places.lookup(tensor).size();
    if (rank == type.getRank())
      return tensor;
    auto part = RankedTensorType::get(type.getShape().take_back(rank),
                                      type.getElementType());
    return tensor::ExtractSliceOp::create(b, part, tensor, offsets(type),
                                          sizes(type), strides(type));
  }
  SmallVector<OpFoldResult> offsets(RankedTensorType type) {
    return SmallVector<OpFoldResult>(type.getRank(), b.getIndexAttr(0));
  }
  SmallVector<OpFoldResult> strides(RankedTensorType type) {
    return SmallVector<OpFoldResult>(type.getRank(), b.getIndexAttr(1));
  }
  SmallVector<OpFoldResult> sizes(RankedTensorType type) {
    return getAsIndexOpFoldResult(b.getContext(), type.getShape());
  }

  DenseI64ArrayAttr dims(Value tensor) {
    FragmentPlace place = plan.places.lookup(tensor);
    return place.size() == 2 ? DenseI64ArrayAttr()
                             : b.getDenseI64ArrayAttr(place);
  }

  Value load(Value tensor) {
    return LoadOp::create(b, tileType(tensor), withoutUnits(tensor),
                          dims(tensor), IntegerAttr());
  }

  Value store(Value tile, Value tensor) {
    Value part = withoutUnits(tensor);
    Value stored = StoreOp::create(b, part.getType(), tile, part, dims(tensor),
                                   IntegerAttr())
                       .getResult();
    if (part == tensor)
      return stored;
    auto type = cast<RankedTensorType>(tensor.getType());
    return tensor::InsertSliceOp::create(b, stored, tensor, offsets(type),
                                         sizes(type), strides(type));
  }

  Value map(TileType type, ValueRange inputs, Body body) {
    auto op = MapOp::create(
        b, TypeRange{type}, inputs,
        [&](OpBuilder &, Location, ValueRange x) -> SmallVector<Value> {
          return {body(x)};
        });
    return op.getResults()[0];
  }

  /// Arithmetic that the target may contract to multiply-adds.
  template <typename Op> Value arithmetic(Value x, Value y) {
    return Op::create(b, x, y, arith::FastMathFlags::contract);
  }
  Value mul(Value x, Value y) { return arithmetic<arith::MulFOp>(x, y); }
  Value add(Value x, Value y) { return arithmetic<arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return arithmetic<arith::SubFOp>(x, y); }

  /// x y + z, contracted on every target: a decay of one changes no bit.
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }

  Value sumOfProducts(Value x, Value y, int64_t dimension) {
    auto xType = cast<TileType>(x.getType()),
         yType = cast<TileType>(y.getType());
    SmallVector<int64_t, 2> shape;
    for (auto [a, c] : llvm::zip(xType.getShape(), yType.getShape()))
      shape.push_back(std::max(a, c));
    Value products = map(xType.with(shape), {x, y},
                         [&](ValueRange v) { return mul(v[0], v[1]); });
    shape[dimension] = 1;
    return ReduceOp::create(b, xType.with(shape), products, dimension);
  }

  /// Tensors that take the place of others lie as they do.
  void replace(Operation *op, ValueRange results) {
    for (auto [old, result] : llvm::zip(op->getResults(), results)) {
      FragmentPlace place = plan.places.lookup(old);
      plan.places[result] = place;
    }
    rewriter.replaceOp(op, results);
  }

  void convert(linalg::DotOp dot) {
    Value x = dot.getInputs()[0], y = dot.getInputs()[1];
    int64_t dimension = plan.places.lookup(x)[0];
    Value first = load(x), second = x == y ? first : load(y);
    Value sum = ExtractOp::create(b, sumOfProducts(first, second, dimension));
    Value out = dot.getOutputs()[0];
    auto fill = out.getDefiningOp<linalg::FillOp>();
    if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()))
      sum = add(tensor::ExtractOp::create(b, out, ValueRange()), sum);
    rewriter.replaceOp(dot,
                       tensor::InsertOp::create(b, sum, out, ValueRange()));
  }

  /// Without a conversion.
  static bool isPlainCopy(Operation *op) {
    return isa<linalg::CopyOp>(op) &&
           op->getOperand(0).getType() == op->getOperand(1).getType();
  }

  void convert(linalg::CopyOp copy) {
    replace(copy, store(load(copy.getInputs()[0]), copy.getOutputs()[0]));
  }

  void convert(linalg::LinalgOp op) {
    SmallVector<Value> tiles;
    SmallVector<Type> types;
    SmallVector<std::optional<unsigned>> tileOf;
    Block &body = op->getRegion(0).front();
    for (OpOperand &operand : op->getOpOperands()) {
      bool isScalar = !isa<RankedTensorType>(operand.get().getType());
      bool isUsed = !body.getArgument(operand.getOperandNumber()).use_empty();
      tileOf.push_back(std::nullopt);
      if (isScalar || !isUsed)
        continue;
      tileOf.back() = tiles.size();
      tiles.push_back(load(operand.get()));
    }
    for (Value out : op.getDpsInits())
      types.push_back(tileType(out));
    auto mapped = MapOp::create(
        b, types, tiles, [&](OpBuilder &nested, Location, ValueRange x) {
          IRMapping mapping;
          for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
            if (tileOf[number])
              mapping.map(argument, x[*tileOf[number]]);
            else if (!argument.use_empty())
              mapping.map(argument, op->getOperand(number));
          }
          for (Operation &inner : body.without_terminator())
            nested.clone(inner, mapping);
          return llvm::map_to_vector(
              body.getTerminator()->getOperands(),
              [&](Value value) { return mapping.lookupOrDefault(value); });
        });
    SmallVector<Value> results;
    for (auto [tile, out] : llvm::zip(mapped.getResults(), op.getDpsInits()))
      results.push_back(store(tile, out));
    replace(op, results);
  }

  /// An element of [1,2], as it was inserted.
  Value factor(Value factors, int64_t column) {
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
  void convert(TokenStepOp step) {
    int64_t along = step.isVK() ? 1 : 0;
    Value state = load(step.getState()), key = load(step.getKey());
    Value query = load(step.getQuery()), values = load(step.getValues());
    Value decay = factor(step.getFactors(), 0);
    Value beta = factor(step.getFactors(), 1);
    Value readByKey = sumOfProducts(state, key, along);
    Value readByQuery = sumOfProducts(state, query, along);
    TileType row = tileType(step.getOut());
    Value delta = map(row, {values, readByKey}, [&](ValueRange x) {
      return mul(beta, sub(x[0], mul(decay, x[1])));
    });
    Value out = map(row, {readByQuery, delta}, [&](ValueRange x) {
      return mul(step.getScale(),
                 fma(step.getProduct(), x[1], mul(decay, x[0])));
    });
    SmallVector<Value> results{store(out, step.getOutInit())};
    if (step.getNewState()) {
      Value updated =
          map(tileType(step.getState()), {state, key, delta},
              [&](ValueRange x) { return fma(x[1], x[2], mul(decay, x[0])); });
      results.push_back(store(updated, step.getStateInit()));
    }
    replace(step, results);
  }

  FragmentPlan &plan;
  IRRewriter &rewriter;
  ImplicitLocOpBuilder b;
};

struct ConvertToFragments
    : deltanet::impl::ConvertToFragmentsBase<ConvertToFragments> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (kernel.isExternal() || !kernel->hasAttr(DeltaNetDialect::kKernelAttr))
      return markAllAnalysesPreserved();
    SmallVector<FragmentPlan> plans;
    for (auto loop : kernel.getBody().front().getOps<scf::ForallOp>()) {
      auto schedule =
          loop->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
      if (!schedule || !schedule.isForGpu()) {
        InFlightDiagnostic error =
            loop.emitOpError("expected a schedule with warps for a GPU, got ");
        schedule ? error << schedule : error << "none";
        return signalPassFailure();
      }
      FailureOr<FragmentPlan> plan = planFragments(loop, schedule);
      if (failed(plan))
        return signalPassFailure();
      plans.push_back(std::move(*plan));
    }
    IRRewriter rewriter(&getContext());
    for (FragmentPlan &plan : plans)
      Converter(plan, rewriter).run();
    simplify(kernel);
    kernel.walk<WalkOrder::PostOrder>([&](LoopLikeOpInterface loop) {
      (void)hoistLoopInvariantSubsets(rewriter, loop);
    });
    simplify(kernel);
    // What was only passed on in registers needs no memory.
    kernel.walk([&](bufferization::AllocTensorOp alloc) {
      if (alloc->use_empty())
        rewriter.eraseOp(alloc);
    });
  }
};

} // namespace
