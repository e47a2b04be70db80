//===- AxisDemotion.cpp - A parallel axis becomes a loop inside the item --===//
//
// Part of the Delta-Net project.
//
// The body is rebuilt from the outside in. Index arithmetic that depends on the
// axis is repeated where it is used; slices of the outputs grow to all items of
// the axis, which works where the axis enters one offset linearly; what lies
// between the sequential loop and the branch around it becomes loops over the
// axis.
//
//===----------------------------------------------------------------------===//

#include "AxisDemotion.h"
#include "LinearSlices.h"
#include "OperationRun.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Scalars computed from scalars and from tensors that exist outside the loop.
bool isIndexArithmetic(Operation &op, Operation *loop) {
  auto isScalar = [](Value value) { return !isa<ShapedType>(value.getType()); };
  return op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>() &&
         llvm::all_of(op.getResults(), isScalar) &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           return isScalar(operand) ||
                  !loop->isAncestor(operand.getParentRegion()->getParentOp());
         });
}

bool isOutputSlice(Operation &op, scf::ForallOp loop) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  return slice &&
         llvm::is_contained(loop.getRegionIterArgs(), slice.getSource());
}

/// A tensor of all items of the axis.
struct Expanded {
  Value tensor;
  unsigned dimension;
  /// Sizes of the tensor, usable wherever the tensor is.
  SmallVector<OpFoldResult> sizes;
  /// The tensor of one item.
  RankedTensorType part;
};

class Demotion {
public:
  Demotion(PhaseLoop phase, Axis axis)
      : phase(phase), old(phase.getLoop()), axis(axis),
        index(phase.getIndex(axis)),
        extent(*getConstantIntValue(phase.getBound(axis))),
        b(old.getLoc(), old) {}

  scf::ForallOp run() {
    SmallVector<OpFoldResult> bounds;
    SmallVector<Axis> axes;
    SmallVector<Value> kept;
    for (Axis other : phase.getDomain().getAxes()) {
      if (other == axis)
        continue;
      bounds.push_back(phase.getBound(other));
      axes.push_back(other);
      kept.push_back(phase.getIndex(other));
    }
    auto loop =
        scf::ForallOp::create(b, bounds, old.getOutputs(), std::nullopt);
    loop->setDiscardableAttrs(old->getDiscardableAttrDictionary());
    loop->setAttr(
        DomainAttr::kName,
        DomainAttr::get(b.getContext(), phase.getDomain().getPhases(), axes));
    mapping.map(kept, loop.getInductionVars());
    mapping.map(old.getRegionIterArgs(), loop.getRegionIterArgs());
    b.setInsertionPointToStart(loop.getBody());
    if (extent == 1)
      dropUnitAxis(loop);
    else
      rebuild(loop);
    for (auto [before, after] : llvm::zip(old.getResults(), loop.getResults()))
      before.replaceAllUsesWith(after);
    old.erase();
    return loop;
  }

private:
  /// One item of the axis is no loop.
  void dropUnitAxis(scf::ForallOp loop) {
    mapping.map(index, arith::ConstantIndexOp::create(b, 0));
    for (Operation &op : old.getBody()->without_terminator())
      b.clone(op, mapping);
    b.setInsertionPointToStart(loop.getTerminator().getBody());
    for (Operation &op : old.getTerminator().getYieldingOps())
      b.clone(op, mapping);
  }

  void rebuild(scf::ForallOp loop) {
    rebuildBlock(old.getBody());
    for (Operation &op : old.getTerminator().getYieldingOps()) {
      auto insert = cast<tensor::ParallelInsertSliceOp>(op);
      Grown grown = grow(insert);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(loop.getTerminator().getBody());
      tensor::ParallelInsertSliceOp::create(
          b, expanded.at(insert.getSource()).tensor,
          mapping.lookup(insert.getDest()), grown.offsets, grown.sizes,
          grown.strides);
    }
  }

  void rebuildBlock(Block *block) {
    OperationRun run;
    for (Operation &op : block->without_terminator()) {
      if (isIndexArithmetic(op, old)) {
        if (llvm::none_of(op.getOperands(),
                          [&](Value x) { return dependsOn(x, index); }))
          b.clone(op, mapping);
      } else if (isOutputSlice(op, old)) {
        growSlice(cast<tensor::ExtractSliceOp>(op));
      } else if (&op == phase.getBranch() || &op == phase.getChunkLoop()) {
        wrap(run);
        run.clear();
        if (auto branch = dyn_cast<scf::IfOp>(op))
          rebuildBranch(branch);
        else
          rebuildChunkLoop(cast<scf::ForOp>(op));
      } else {
        run.add(&op);
      }
    }
    wrap(run);
  }

  void rebuildBranch(scf::IfOp branch) {
    SmallVector<Type> types;
    for (Value value : branch.elseYield().getOperands())
      types.push_back(expanded.at(value).tensor.getType());
    auto rebuilt = scf::IfOp::create(
        b, types, mapping.lookupOrDefault(branch.getCondition()),
        /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(rebuilt.thenBlock());
      rebuildBlock(branch.thenBlock());
      yield(branch.thenYield());
      b.setInsertionPointToStart(rebuilt.elseBlock());
      yield(branch.elseYield());
    }
    record(branch.getResults(), branch.elseYield().getOperands(),
           rebuilt.getResults());
  }

  void rebuildChunkLoop(scf::ForOp loop) {
    SmallVector<Value> inits;
    for (Value init : loop.getInitArgs())
      inits.push_back(expanded.at(init).tensor);
    auto rebuilt =
        scf::ForOp::create(b, mapping.lookupOrDefault(loop.getLowerBound()),
                           mapping.lookupOrDefault(loop.getUpperBound()),
                           mapping.lookupOrDefault(loop.getStep()), inits);
    rebuilt->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    mapping.map(loop.getInductionVar(), rebuilt.getInductionVar());
    record(loop.getRegionIterArgs(), loop.getInitArgs(),
           rebuilt.getRegionIterArgs());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(rebuilt.getBody());
      rebuildBlock(loop.getBody());
      yield(cast<scf::YieldOp>(loop.getBody()->getTerminator()));
    }
    record(loop.getResults(), loop.getInitArgs(), rebuilt.getResults());
  }

  void yield(scf::YieldOp old) {
    scf::YieldOp::create(
        b, llvm::map_to_vector(old.getOperands(),
                               [&](Value v) { return expanded.at(v).tensor; }));
  }

  /// `values` are laid out as `like`, in the tensors `now`.
  void record(ValueRange values, ValueRange like, ValueRange now) {
    for (auto [value, model, tensor] : llvm::zip(values, like, now)) {
      Expanded entry = expanded.at(model);
      entry.tensor = tensor;
      expanded[value] = entry;
    }
  }

  /// The operations of the run, in a loop over the items of the axis.
  void wrap(const OperationRun &run) {
    SmallVector<Value> liveOuts = run.getLiveOuts();
    if (liveOuts.empty())
      return;
    SmallVector<Value> destinations, inits;
    SmallVector<Expanded> places;
    for (Value value : liveOuts) {
      Value destination = run.getDestination(value);
      auto known = expanded.find(destination);
      places.push_back(known != expanded.end()
                           ? known->second
                           : allocate(cast<RankedTensorType>(value.getType())));
      destinations.push_back(destination);
      inits.push_back(places.back().tensor);
    }
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value end = arith::ConstantIndexOp::create(b, extent);
    Value one = arith::ConstantIndexOp::create(b, 1);
    auto loop = scf::ForOp::create(b, zero, end, one, inits);
    loop->setAttr(DomainAttr::kAxisName, AxisAttr::get(b.getContext(), axis));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      IRMapping local(mapping);
      Value item = loop.getInductionVar();
      local.map(index, item);
      for (auto [destination, place, tensor] :
           llvm::zip(destinations, places, loop.getRegionIterArgs()))
        if (destination)
          local.map(destination, part(place, tensor, item));
      for (Value input : run.getInputs())
        bring(input, local, item);
      for (Operation *op : run.getOperations())
        if (op->getNumResults() != 1 || !local.contains(op->getResult(0)))
          b.clone(*op, local);
      SmallVector<Value> results;
      for (auto [value, place, tensor] :
           llvm::zip(liveOuts, places, loop.getRegionIterArgs()))
        results.push_back(tensor::InsertSliceOp::create(
            b, local.lookup(value), tensor, offsets(place, item), sizes(place),
            unitStrides(place)));
      scf::YieldOp::create(b, results);
    }
    for (auto [value, place, tensor] :
         llvm::zip(liveOuts, places, loop.getResults())) {
      place.tensor = tensor;
      expanded[value] = place;
    }
  }

  /// Makes a value of the old body available for one item.
  void bring(Value value, IRMapping &local, Value item) {
    if (local.contains(value))
      return;
    auto known = expanded.find(value);
    if (known != expanded.end()) {
      local.map(value, part(known->second, known->second.tensor, item));
      return;
    }
    if (old->isAncestor(value.getParentRegion()->getParentOp()))
      repeat(value, local);
  }

  /// Repeats index arithmetic with the index that `local` holds.
  Value repeat(Value value, IRMapping &local) {
    Operation *op = value.getDefiningOp();
    if (local.contains(value) || !op || !old->isProperAncestor(op))
      return local.lookupOrDefault(value);
    for (Value operand : op->getOperands())
      repeat(operand, local);
    b.clone(*op, local);
    return local.lookup(value);
  }

  Expanded allocate(RankedTensorType part) {
    SmallVector<int64_t> shape{extent};
    shape.append(part.getShape().begin(), part.getShape().end());
    auto type = RankedTensorType::get(shape, part.getElementType());
    Value tensor = bufferization::AllocTensorOp::create(b, type, ValueRange());
    return {tensor, 0, getAsIndexOpFoldResult(b.getContext(), shape), part};
  }

  SmallVector<OpFoldResult> offsets(const Expanded &place, Value item) {
    SmallVector<OpFoldResult> at(place.sizes.size(), b.getIndexAttr(0));
    at[place.dimension] = item;
    return at;
  }
  SmallVector<OpFoldResult> sizes(const Expanded &place) {
    SmallVector<OpFoldResult> all(place.sizes);
    all[place.dimension] = b.getIndexAttr(1);
    return all;
  }
  SmallVector<OpFoldResult> unitStrides(const Expanded &place) {
    return SmallVector<OpFoldResult>(place.sizes.size(), b.getIndexAttr(1));
  }
  Value part(const Expanded &place, Value tensor, Value item) {
    return tensor::ExtractSliceOp::create(b, place.part, tensor,
                                          offsets(place, item), sizes(place),
                                          unitStrides(place));
  }

  struct Grown {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    unsigned position;
  };
  /// A slice of one item, grown to all items of the axis.
  Grown grow(OffsetSizeAndStrideOpInterface slice) {
    MovedDimension moved = *getMovedDimension(slice, index);
    IRMapping first(mapping);
    first.map(index, arith::ConstantIndexOp::create(b, 0));
    auto all = [&](ArrayRef<OpFoldResult> values) {
      return llvm::map_to_vector(values, [&](OpFoldResult value) {
        auto dynamic = value.dyn_cast<Value>();
        return dynamic ? OpFoldResult(repeat(dynamic, first)) : value;
      });
    };
    Grown grown{all(slice.getMixedOffsets()), all(slice.getMixedSizes()),
                slice.getMixedStrides(), moved.position};
    grown.sizes[moved.position] = b.getIndexAttr(extent);
    grown.strides[moved.position] = b.getIndexAttr(moved.distance);
    return grown;
  }

  void growSlice(tensor::ExtractSliceOp slice) {
    Grown grown = grow(slice);
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    Expanded entry;
    entry.part = slice.getType();
    SmallVector<int64_t> shape(entry.part.getShape());
    for (unsigned position = 0; position < dropped.size(); ++position) {
      if (position == grown.position)
        entry.dimension = entry.sizes.size();
      if (position == grown.position || !dropped.test(position))
        entry.sizes.push_back(grown.sizes[position]);
    }
    shape.insert(shape.begin() + entry.dimension, extent);
    entry.tensor = tensor::ExtractSliceOp::create(
        b, RankedTensorType::get(shape, entry.part.getElementType()),
        mapping.lookup(slice.getSource()), grown.offsets, grown.sizes,
        grown.strides);
    expanded[slice.getResult()] = entry;
  }

  PhaseLoop phase;
  scf::ForallOp old;
  Axis axis;
  Value index;
  int64_t extent;
  ImplicitLocOpBuilder b;
  /// Indices, index arithmetic and shared outputs, old to new.
  IRMapping mapping;
  DenseMap<Value, Expanded> expanded;
};

} // namespace

std::optional<std::string> deltanet::whyNotDemoted(PhaseLoop phase, Axis axis) {
  scf::ForallOp loop = phase.getLoop();
  Value index = phase.getIndex(axis);
  std::string name = stringifyAxis(axis).str();
  if (!getConstantIntValue(phase.getBound(axis)))
    return "the extent of axis " + name + " is not constant";
  auto isMovedAlong = [&](OffsetSizeAndStrideOpInterface slice) {
    return getMovedDimension(slice, index).has_value();
  };
  for (Operation &op : loop.getTerminator().getYieldingOps())
    if (!isMovedAlong(cast<OffsetSizeAndStrideOpInterface>(op)))
      return "an output does not move linearly with axis " + name;
  for (Operation &op : *loop.getBody()) {
    if (!isOutputSlice(op, loop))
      continue;
    auto slice = cast<tensor::ExtractSliceOp>(op);
    auto moved = getMovedDimension(slice, index);
    if (!moved || !slice.getDroppedDims().test(moved->position))
      return "an output does not move linearly with axis " + name;
  }

  scf::IfOp branch = phase.getBranch();
  if (branch && (dependsOn(branch.getCondition(), index) ||
                 !llvm::hasSingleElement(*branch.elseBlock())))
    return "whether there is work depends on axis " + name;
  scf::ForOp chunks = phase.getChunkLoop();
  if (!chunks)
    return std::nullopt;
  for (Value bound : {chunks.getLowerBound(), chunks.getUpperBound()})
    if (dependsOn(bound, index))
      return "the chunks depend on axis " + name;
  OperationRun body;
  for (Operation &op : chunks.getBody()->without_terminator())
    if (!isIndexArithmetic(op, loop))
      body.add(&op);
  for (auto [carried, next] :
       llvm::zip(chunks.getRegionIterArgs(), chunks.getYieldedValues()))
    if (!isa<RankedTensorType>(carried.getType()) ||
        body.getDestination(next) != carried)
      return "a value that the chunks carry is not updated in place";
  return std::nullopt;
}

PhaseLoop deltanet::demoteAxis(PhaseLoop phase, Axis axis) {
  return *PhaseLoop::get(Demotion(phase, axis).run());
}
