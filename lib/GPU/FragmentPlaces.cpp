//===- FragmentPlaces.cpp - Which tensors are tiles, and how they lie -----===//
//
// Part of the Delta-Net project.
//
// The state of a token step is a tile as it lies in memory. Its key lies along
// one dimension, values and outputs along the other; whatever they are computed
// from, or what is computed from them, lies as they do.
//
//===----------------------------------------------------------------------===//

#include "FragmentPlaces.h"
#include "deltanet/Schedule/StateSpread.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

bool isElement(Type type) {
  return type.isF32() || type.isBF16() || type.isF16();
}

/// Arithmetic on elements and scalars, which a `fragment.map` may have.
bool isArithmetic(Block &body) {
  WalkResult found = body.walk([](Operation *op) {
    bool isPlain =
        isMemoryEffectFree(op) && !isa<linalg::IndexOp>(op) &&
        llvm::none_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>);
    return isPlain ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !found.wasInterrupted();
}

/// One element of each result from one of each operand at the same place.
bool isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumParallelLoops() != linalgOp.getNumLoops() ||
      !isArithmetic(*linalgOp.getBlock()))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    Type type = operand.get().getType();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return !isa<ShapedType>(type);
    return tensor.hasStaticShape() && isElement(tensor.getElementType()) &&
           linalgOp.getMatchingIndexingMap(&operand).isIdentity();
  });
}

/// A sum of products of vectors of one type, in f32.
bool isDotProduct(Operation *op) {
  auto dot = dyn_cast<linalg::DotOp>(op);
  if (!dot || !dot.hasPureTensorSemantics())
    return false;
  auto x = cast<RankedTensorType>(dot.getInputs()[0].getType());
  auto out = cast<RankedTensorType>(dot.getOutputs()[0].getType());
  return x == dot.getInputs()[1].getType() && x.hasStaticShape() &&
         x.getElementType().isF32() && out.getElementType().isF32();
}

class Planner {
public:
  Planner(scf::ForallOp loop, FragmentPlan &plan) : loop(loop), plan(plan) {}

  LogicalResult run() {
    SmallVector<TokenStepOp> steps;
    loop.walk([&](TokenStepOp step) { steps.push_back(step); });
    for (TokenStepOp step : steps)
      if (failed(start(step)))
        return failure();
    while (!pending.empty())
      if (failed(spread(pending.pop_back_val())))
        return failure();
    // In the order of the text, whatever was found first.
    loop.walk([&](Operation *op) {
      if (taken.contains(op))
        plan.operations.push_back(op);
    });
    return success();
  }

private:
  LogicalResult verify(TokenStepOp step) {
    if (step.getHeads() != 1)
      return step.emitOpError("expected the state of one value head in "
                              "registers, got ")
             << step.getHeads();
    ArrayRef<int64_t> state = step.getState().getType().getShape().drop_front();
    if (failed(fragment::TileType::verify(
            [&] { return step.emitOpError(); }, state,
            Float32Type::get(step.getContext()), plan.layout)))
      return failure();
    if (plan.layout.getWarpGrid()[step.isVK() ? 1 : 0] == 1)
      return success();
    return step.emitOpError("expected all of K in one warp, got ")
           << plan.layout;
  }

  LogicalResult start(TokenStepOp step) {
    if (failed(verify(step)))
      return failure();
    int64_t key = step.isVK() ? 1 : 0;
    taken.insert(step);
    for (Value state :
         {step.getState(), step.getStateInit(), step.getNewState()})
      if (state && failed(set(state, {0, 1}, step)))
        return failure();
    if (failed(set(step.getKey(), {key}, step)) ||
        failed(set(step.getQuery(), {key}, step)) ||
        failed(set(step.getValues(), {1 - key}, step)) ||
        failed(set(step.getOutInit(), {1 - key}, step)))
      return failure();
    return set(step.getOut(), {1 - key}, step);
  }

  LogicalResult set(Value tensor, FragmentPlace place, Operation *user) {
    auto [entry, isNew] = plan.places.try_emplace(tensor, place);
    if (isNew)
      pending.push_back(tensor);
    if (entry->second == place)
      return success();
    return user->emitOpError("expected each vector of a work item along the "
                             "keys or along the values, got one along both");
  }

  /// To the operations that make or read the tensor.
  LogicalResult spread(Value tensor) {
    FragmentPlace place = plan.places.lookup(tensor);
    SmallVector<Operation *> around(tensor.getUsers());
    if (Operation *maker = tensor.getDefiningOp())
      around.push_back(maker);
    if (failed(spreadThroughLoops(tensor, place)))
      return failure();
    for (Operation *op : around) {
      bool isDot = isDotProduct(op);
      if (!loop->isProperAncestor(op) || (!isDot && !isElementwise(op)))
        continue;
      taken.insert(op);
      // A dot product is a number; its operands lie alike.
      SmallVector<Value> alike(isDot ? op->getOperands().take_front(2)
                                     : op->getOperands());
      if (!isDot)
        llvm::append_range(alike, op->getResults());
      for (Value value : alike)
        if (isa<RankedTensorType>(value.getType()) &&
            failed(set(value, place, op)))
          return failure();
    }
    return success();
  }

  /// What a loop carries lies alike before, within and after it.
  LogicalResult spreadThroughLoops(Value tensor, const FragmentPlace &place) {
    auto setAll = [&](scf::ForOp carrier, unsigned number) {
      for (Value value : {carrier.getInitArgs()[number],
                          Value(carrier.getRegionIterArgs()[number]),
                          carrier.getYieldedValues()[number],
                          Value(carrier.getResults()[number])})
        if (failed(set(value, place, carrier)))
          return failure();
      return success();
    };
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      auto carrier = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (carrier && failed(setAll(carrier, argument.getArgNumber() - 1)))
        return failure();
    }
    if (auto carrier = tensor.getDefiningOp<scf::ForOp>())
      if (failed(setAll(carrier, cast<OpResult>(tensor).getResultNumber())))
        return failure();
    for (OpOperand &use : tensor.getUses()) {
      auto carrier = dyn_cast<scf::ForOp>(use.getOwner());
      if (carrier &&
          use.getOperandNumber() >= carrier.getNumControlOperands() &&
          failed(setAll(carrier, use.getOperandNumber() -
                                     carrier.getNumControlOperands())))
        return failure();
    }
    return success();
  }

  scf::ForallOp loop;
  FragmentPlan &plan;
  SmallPtrSet<Operation *, 16> taken;
  SmallVector<Value> pending;
};

FailureOr<fragment::LayoutAttr> chooseLayout(scf::ForallOp loop,
                                             ScheduleAttr schedule) {
  TokenStepOp first;
  loop.walk([&](TokenStepOp step) {
    first = step;
    return WalkResult::interrupt();
  });
  if (!first)
    return loop.emitOpError("expected a deltanet.token_step in a work item "
                            "with state = registers, got none");
  std::optional<StateSpread> spread =
      spreadState(first.getLayout(), first.getKeyDim(), first.getValueDim(),
                  schedule.getWarps());
  if (!spread)
    return loop.emitOpError("expected a value_slice and warps that a state "
                            "with K = ")
           << first.getKeyDim() << " can be spread over, got " << schedule;
  return cast<fragment::LayoutAttr>(fragment::LanesAttr::get(
      loop.getContext(), {spread->rowLanes, spread->columnLanes},
      {spread->rowWarps, spread->columnWarps}));
}

} // namespace

FailureOr<FragmentPlan> mlir::deltanet::planFragments(scf::ForallOp loop,
                                                      ScheduleAttr schedule) {
  FragmentPlan plan;
  if (schedule.getState() != Residency::Registers)
    return plan;
  FailureOr<fragment::LayoutAttr> layout = chooseLayout(loop, schedule);
  if (failed(layout))
    return failure();
  plan.layout = *layout;
  if (failed(Planner(loop, plan).run()))
    return failure();
  return plan;
}
