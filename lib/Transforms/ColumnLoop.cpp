//===- ColumnLoop.cpp - A run of operations, W columns at a time ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ColumnLoop.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

RankedTensorType ColumnBlocks::getBlockedType(RankedTensorType matrix) const {
  SmallVector<int64_t> shape(matrix.getShape());
  shape.back() = width;
  shape.insert(shape.end() - 2, getCount());
  return RankedTensorType::get(shape, matrix.getElementType());
}

namespace {

class ColumnLoop {
public:
  ColumnLoop(const OperationRun &run, const ColumnAxis &axis,
             ColumnBlocks blocks, Operation *before, BlockedTensors &blocked)
      : run(run), axis(axis), blocks(blocks), blocked(blocked),
        b(before->getLoc(), before) {}

  void build() {
    SmallVector<Value> liveOuts = run.getLiveOuts(), inits;
    for (Value value : liveOuts)
      inits.push_back(initial(run.getDestination(value)));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value end = arith::ConstantIndexOp::create(b, blocks.getCount());
    Value one = arith::ConstantIndexOp::create(b, 1);
    auto loop = scf::ForOp::create(b, zero, end, one, inits);
    loop->setAttr(DomainAttr::kAxisName,
                  AxisAttr::get(b.getContext(), Axis::Columns));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      block = loop.getInductionVar();
      column = arith::MulIOp::create(
          b, block, arith::ConstantIndexOp::create(b, blocks.width));
      buildBody(liveOuts, loop.getRegionIterArgs());
    }
    for (auto [value, result] : llvm::zip(liveOuts, loop.getResults())) {
      if (blocked.contains(run.getDestination(value)))
        blocked[value] = result;
      else
        value.replaceUsesWithIf(
            result, [&](OpOperand &use) { return !isInRun(use.getOwner()); });
    }
  }

private:
  bool isInRun(Operation *op) {
    for (; op; op = op->getParentOp())
      if (run.contains(op))
        return true;
    return false;
  }

  /// What the loop carries for a destination of the run.
  Value initial(Value destination) {
    auto known = blocked.find(destination);
    if (known != blocked.end())
      return known->second;
    Operation *op = destination.getDefiningOp();
    return op && run.contains(op) ? b.clone(*op)->getResult(0) : destination;
  }

  void buildBody(ArrayRef<Value> liveOuts, ValueRange carried) {
    for (auto [value, tensor] : llvm::zip(liveOuts, carried)) {
      Value destination = run.getDestination(value);
      mapping.map(destination, extract(destination, tensor));
    }
    for (Value input : run.getInputs()) {
      if (mapping.contains(input))
        continue;
      auto known = blocked.find(input);
      if (known != blocked.end())
        mapping.map(input, extract(input, known->second));
      else if (axis.get(input))
        mapping.map(input, extract(input, input));
    }
    for (Operation *op : run.getOperations())
      if (op->getNumResults() != 1 || !mapping.contains(op->getResult(0)))
        narrow(op);
    SmallVector<Value> results;
    for (auto [value, tensor] : llvm::zip(liveOuts, carried)) {
      Part part = locate(run.getDestination(value), tensor);
      results.push_back(tensor::InsertSliceOp::create(
          b, mapping.lookup(value), tensor, part.offsets, part.sizes,
          part.strides));
    }
    scf::YieldOp::create(b, results);
  }

  RankedTensorType narrow(RankedTensorType type, unsigned dimension) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dimension] = blocks.width;
    return RankedTensorType::get(shape, type.getElementType());
  }

  /// A copy of the operation on W columns.
  void narrow(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return narrowLoop(loop);
    Operation *copy = b.clone(*op, mapping);
    for (auto [before, after] : llvm::zip(op->getResults(), copy->getResults()))
      if (std::optional<unsigned> dimension = axis.get(before))
        after.setType(
            narrow(cast<RankedTensorType>(before.getType()), *dimension));
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(copy))
      narrowSizes(slice, axis.get(op->getResult(0)));
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(copy))
      narrowSizes(insert, axis.get(op->getResult(0)));
  }

  template <typename SliceOp>
  void narrowSizes(SliceOp slice, std::optional<unsigned> dimension) {
    if (!dimension)
      return;
    SmallVector<int64_t> sizes(slice.getStaticSizes());
    sizes[*dimension] = blocks.width;
    slice.setStaticSizes(sizes);
  }

  void narrowLoop(scf::ForOp loop) {
    SmallVector<Value> inits;
    for (Value init : loop.getInitArgs())
      inits.push_back(mapping.lookupOrDefault(init));
    auto copy =
        scf::ForOp::create(b, mapping.lookupOrDefault(loop.getLowerBound()),
                           mapping.lookupOrDefault(loop.getUpperBound()),
                           mapping.lookupOrDefault(loop.getStep()), inits);
    copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    mapping.map(loop.getInductionVar(), copy.getInductionVar());
    mapping.map(loop.getRegionIterArgs(), copy.getRegionIterArgs());
    mapping.map(loop.getResults(), copy.getResults());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(copy.getBody());
    for (Operation &op : loop.getBody()->without_terminator())
      narrow(&op);
    if (copy.getNumResults())
      b.clone(*loop.getBody()->getTerminator(), mapping);
  }

  struct Part {
    RankedTensorType type;
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };
  /// The columns of this turn in `tensor`, which holds what `value` stands for.
  Part locate(Value value, Value tensor) {
    auto held = cast<RankedTensorType>(tensor.getType());
    Part part;
    part.offsets.assign(held.getRank(), b.getIndexAttr(0));
    part.strides.assign(held.getRank(), b.getIndexAttr(1));
    part.sizes = getAsIndexOpFoldResult(b.getContext(), held.getShape());
    if (blocked.contains(value)) {
      part.type = RankedTensorType::get(held.getShape().drop_front(),
                                        held.getElementType());
      part.offsets.front() = block;
      part.sizes.front() = b.getIndexAttr(1);
    } else {
      unsigned dimension = *axis.get(value);
      part.type = narrow(held, dimension);
      part.offsets[dimension] = column;
      part.sizes[dimension] = b.getIndexAttr(blocks.width);
    }
    return part;
  }
  Value extract(Value value, Value tensor) {
    Part part = locate(value, tensor);
    return tensor::ExtractSliceOp::create(b, part.type, tensor, part.offsets,
                                          part.sizes, part.strides);
  }

  const OperationRun &run;
  const ColumnAxis &axis;
  ColumnBlocks blocks;
  BlockedTensors &blocked;
  ImplicitLocOpBuilder b;
  Value block, column;
  IRMapping mapping;
};

} // namespace

void deltanet::wrapInColumnLoop(const OperationRun &run, const ColumnAxis &axis,
                                ColumnBlocks blocks, Operation *before,
                                BlockedTensors &blocked) {
  ColumnLoop(run, axis, blocks, before, blocked).build();
}
