//===- TokenStepPlaces.cpp - The tiles of the token recurrence ------------===//
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

using namespace mlir;
using namespace mlir::deltanet;

namespace {

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
  Planner(scf::ForallOp loop, fragment::LayoutAttr layout, FragmentPlan &plan)
      : loop(loop), layout(layout), plan(plan) {}

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
            Float32Type::get(step.getContext()), layout)))
      return failure();
    if (layout.getWarpGrid()[step.isVK() ? 1 : 0] == 1)
      return success();
    return step.emitOpError("expected all of K in one warp, got ") << layout;
  }

  LogicalResult start(TokenStepOp step) {
    if (failed(verify(step)))
      return failure();
    int64_t key = step.isVK() ? 1 : 0;
    taken.insert(step);
    for (Value state :
         {step.getState(), step.getStateInit(), step.getNewState()})
      if (state && failed(set(state, at({0, 1}), step)))
        return failure();
    if (failed(set(step.getKey(), at({key}), step)) ||
        failed(set(step.getQuery(), at({key}), step)) ||
        failed(set(step.getValues(), at({1 - key}), step)) ||
        failed(set(step.getOutInit(), at({1 - key}), step)))
      return failure();
    return set(step.getOut(), at({1 - key}), step);
  }

  FragmentPlace at(ArrayRef<int64_t> dims) {
    return {layout, SmallVector<int64_t, 2>(dims)};
  }

  LogicalResult set(Value tensor, const FragmentPlace &place, Operation *user) {
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
    auto setCarried = [&](Value value, Operation *carrier) {
      return set(value, place, carrier);
    };
    if (failed(walkCarried(tensor, setCarried)))
      return failure();
    for (Operation *op : around) {
      bool isDot = isDotProduct(op);
      if (!loop->isProperAncestor(op) ||
          (!isDot && !isElementwiseOfOneShape(op)))
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

  scf::ForallOp loop;
  fragment::LayoutAttr layout;
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

FailureOr<FragmentPlan> mlir::deltanet::planTokenSteps(scf::ForallOp loop,
                                                       ScheduleAttr schedule) {
  FailureOr<fragment::LayoutAttr> layout = chooseLayout(loop, schedule);
  if (failed(layout))
    return failure();
  FragmentPlan plan;
  if (failed(Planner(loop, *layout, plan).run()))
    return failure();
  return plan;
}
