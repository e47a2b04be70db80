//===- CarriedState.cpp - The state as blocks of columns ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CarriedState.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

bool isAxisLoop(Operation *op) {
  return isa<scf::ForOp>(op) && op->hasAttr(DomainAttr::kAxisName);
}

bool hasStaticResults(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

/// Operations that a run may consist of.
bool isComputation(Operation *op) {
  return (isa<linalg::LinalgOp, TrilSolveOp>(op) ||
          (isa<scf::ForOp>(op) && !isAxisLoop(op))) &&
         hasStaticResults(op);
}

/// A part of a matrix that is computed from the state, or its return. The state
/// itself may be one of several, a part of higher rank.
bool isPart(Operation *op) {
  if (!hasStaticResults(op))
    return false;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getSourceType().getRank() == slice.getType().getRank();
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  return insert &&
         insert.getSourceType().getRank() == insert.getDestType().getRank();
}

/// A part that operations of a run are written into.
bool isDestinationPart(Operation *op) {
  return isa<tensor::ExtractSliceOp>(op) && isPart(op) &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
           return user && user.isDpsInit(&use);
         });
}

/// Follows the state from its allocation.
class Discovery {
public:
  Discovery(CarriedState &state) : state(state) {}

  /// A reason if something on the way cannot be done on blocks.
  std::optional<std::string> run(Value allocation) {
    state.tensors.insert(allocation);
    // The list grows while it is read.
    for (unsigned next = 0; next < state.tensors.size(); ++next) {
      Value tensor = state.tensors[next];
      for (OpOperand &use : tensor.getUses())
        if (auto reason = visit(tensor, use))
          return reason;
    }
    for (Value tensor : state.tensors)
      for (OpOperand &use : tensor.getUses())
        if (!isComplete(use))
          return "another matrix becomes the state";
    return std::nullopt;
  }

private:
  /// What is written where the state was is the state, too.
  bool isComplete(OpOperand &use) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
      return state.tensors.contains(insert.getSource());
    if (!isAxisLoop(use.getOwner()))
      return true;
    auto loop = cast<scf::ForOp>(use.getOwner());
    return state.tensors.contains(
        loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(&use))
            ->get());
  }

  std::optional<std::string> visit(Value tensor, OpOperand &use) {
    Operation *op = use.getOwner();
    if (isAxisLoop(op)) {
      auto loop = cast<scf::ForOp>(op);
      BlockArgument carried = loop.getTiedLoopRegionIterArg(&use);
      if (!carried)
        return "the state bounds a loop";
      state.tensors.insert(carried);
      state.tensors.insert(loop.getTiedLoopResult(&use));
      return std::nullopt;
    }
    if (isa<scf::YieldOp>(op) && isAxisLoop(op->getParentOp()))
      return std::nullopt;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return visitSlice(slice, slice.getType(), slice.getResult());
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (insert.getDest() == tensor)
        return std::nullopt;
      return visitSlice(insert, insert.getSourceType(), insert.getResult());
    }
    if (state.runs.contains(tensor))
      return std::nullopt;
    return startRun(tensor);
  }

  /// Slices take whole matrices.
  std::optional<std::string> visitSlice(OffsetSizeAndStrideOpInterface slice,
                                        RankedTensorType part, Value result) {
    unsigned rank = slice.getMixedSizes().size();
    if (part.getRank() != 2)
      return "a part of the state is not one matrix";
    for (unsigned position : {rank - 2, rank - 1})
      if (!isZeroInteger(slice.getMixedOffsets()[position]) ||
          getConstantIntValue(slice.getMixedSizes()[position]) !=
              part.getDimSize(position - (rank - 2)))
        return "a part of the state is not one matrix";
    state.tensors.insert(result);
    return std::nullopt;
  }

  /// Everything in the block that is computed from the matrix, and what only
  /// prepares destinations for that.
  std::optional<std::string> startRun(Value matrix) {
    Block *block = matrix.getParentBlock();
    llvm::SetVector<Operation *> found;
    auto addUsers = [&](Value value) -> std::optional<std::string> {
      for (Operation *user : value.getUsers()) {
        Operation *op = block->findAncestorOpInBlock(*user);
        if (op && (isComputation(op) || (value != matrix && isPart(op))))
          found.insert(op);
        else if (value == matrix &&
                 !isa<tensor::InsertSliceOp, tensor::ExtractSliceOp,
                      scf::YieldOp>(user) &&
                 !isAxisLoop(user))
          return ("'" + user->getName().getStringRef() +
                  "' does not work on blocks of columns")
              .str();
      }
      return std::nullopt;
    };
    if (auto reason = addUsers(matrix))
      return reason;
    for (unsigned next = 0; next < found.size(); ++next)
      for (Value result : found[next]->getResults())
        (void)addUsers(result);
    addDestinations(matrix, found);

    SmallVector<Operation *> ordered = found.takeVector();
    llvm::sort(ordered, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    StateRun run{OperationRun(), ColumnAxis(state.blocks.columns)};
    for (Operation *op : ordered)
      run.operations.add(op);
    run.axis.set(matrix, 1);
    if (auto reason = run.axis.follow(run.operations))
      return reason;
    for (Value value : run.operations.getLiveOuts()) {
      Value destination = run.operations.getDestination(value);
      if (!destination || !run.axis.get(value))
        return "a value computed from the state has no destination";
      for (Operation *user : value.getUsers()) {
        Operation *op = block->findAncestorOpInBlock(*user);
        if (!run.operations.contains(op) && op->isBeforeInBlock(ordered.back()))
          return "a value computed from the state is used too early";
      }
      if (destination == matrix)
        state.tensors.insert(value);
    }
    state.runs.insert({matrix, std::move(run)});
    return std::nullopt;
  }

  static void addDestinations(Value matrix,
                              llvm::SetVector<Operation *> &found) {
    Block *block = matrix.getParentBlock();
    auto isForRun = [&](Operation *op) {
      return (isa<linalg::FillOp, bufferization::AllocTensorOp>(op) ||
              isDestinationPart(op)) &&
             op != matrix.getDefiningOp() && hasStaticResults(op) &&
             llvm::all_of(op->getUsers(), [&](Operation *user) {
               return found.contains(block->findAncestorOpInBlock(*user));
             });
    };
    for (Operation &op : llvm::reverse(*block))
      if (!found.contains(&op) && isForRun(&op) && !op.use_empty())
        found.insert(&op);
  }

  CarriedState &state;
};

/// The allocation that a carried tensor starts as.
Value getAllocation(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (isa<bufferization::AllocTensorOp>(op))
      return tensor;
    unsigned number = cast<OpResult>(tensor).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      tensor = loop.getInitArgs()[number];
    else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      tensor = structured.getDpsInits()[number];
    else
      break;
  }
  return Value();
}

/// Changes the layout, in the order of discovery.
class Blocking {
public:
  explicit Blocking(const CarriedState &state) : state(state) {}

  void run() {
    for (Value tensor : state.tensors) {
      if (auto alloc = tensor.getDefiningOp<bufferization::AllocTensorOp>())
        blockAllocation(alloc);
      for (OpOperand &use : llvm::make_early_inc_range(tensor.getUses()))
        rewrite(tensor, use);
    }
    for (Operation *op : dead)
      op->dropAllReferences();
    for (Operation *op : dead)
      op->erase();
  }

private:
  void blockAllocation(bufferization::AllocTensorOp alloc) {
    OpBuilder builder(alloc);
    blocked[alloc.getResult()] = bufferization::AllocTensorOp::create(
        builder, alloc.getLoc(), state.blocks.getBlockedType(alloc.getType()),
        ValueRange());
    dead.insert(alloc);
  }

  void rewrite(Value tensor, OpOperand &use) {
    Operation *op = use.getOwner();
    Value now = blocked.at(tensor);
    if (isAxisLoop(op)) {
      auto loop = cast<scf::ForOp>(op);
      BlockArgument carried = loop.getTiedLoopRegionIterArg(&use);
      OpResult result = loop.getTiedLoopResult(&use);
      use.set(now);
      carried.setType(now.getType());
      result.setType(now.getType());
      blocked[carried] = carried;
      blocked[result] = result;
    } else if (isa<scf::YieldOp>(op) && isAxisLoop(op->getParentOp())) {
      use.set(now);
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      OpBuilder builder(op);
      Part part(slice, state.blocks);
      blocked[slice.getResult()] = tensor::ExtractSliceOp::create(
          builder, op->getLoc(), state.blocks.getBlockedType(slice.getType()),
          now, part.offsets, part.sizes, part.strides);
      dead.insert(op);
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (insert.getSource() != tensor || dead.contains(op))
        return;
      OpBuilder builder(op);
      Part part(insert, state.blocks);
      blocked[insert.getResult()] = tensor::InsertSliceOp::create(
          builder, op->getLoc(), now, blocked.at(insert.getDest()),
          part.offsets, part.sizes, part.strides);
      dead.insert(op);
    } else if (!dead.contains(op)) {
      rewriteRun(state.runs.at(tensor));
    }
  }

  void rewriteRun(const StateRun &run) {
    ArrayRef<Operation *> operations = run.operations.getOperations();
    if (dead.contains(operations.back()))
      return;
    wrapInColumnLoop(run.operations, run.axis, state.blocks, operations.back(),
                     blocked);
    dead.insert(operations.begin(), operations.end());
  }

  /// A slice of matrices, in blocks.
  struct Part {
    Part(OffsetSizeAndStrideOpInterface slice, ColumnBlocks blocks)
        : offsets(slice.getMixedOffsets()), sizes(slice.getMixedSizes()),
          strides(slice.getMixedStrides()) {
      Builder builder(slice->getContext());
      sizes.back() = builder.getIndexAttr(blocks.width);
      sizes.insert(sizes.end() - 2, builder.getIndexAttr(blocks.getCount()));
      offsets.push_back(builder.getIndexAttr(0));
      strides.push_back(builder.getIndexAttr(1));
    }
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };

  const CarriedState &state;
  BlockedTensors blocked;
  llvm::SetVector<Operation *> dead;
};

} // namespace

CarriedStateDecision deltanet::decideCarriedState(PhaseLoop phase) {
  scf::ForOp chunks = phase.getChunkLoop();
  if (!chunks)
    return {std::nullopt, "no chunk follows another"};
  Value carried;
  for (BlockArgument argument : chunks.getRegionIterArgs()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() || type.getRank() < 2)
      continue;
    if (carried)
      return {std::nullopt, "the chunks carry several matrices"};
    carried = argument;
  }
  if (!carried)
    return {std::nullopt, "the chunks carry no matrix"};
  Value allocation = getAllocation(
      chunks.getTiedLoopInit(cast<BlockArgument>(carried))->get());
  if (!allocation)
    return {std::nullopt, "the carried matrix does not start as scratch"};
  int64_t columns = cast<RankedTensorType>(carried.getType()).getShape().back();
  int64_t width = phase.getSchedule().getColumns();
  if (columns == width)
    return {std::nullopt, "its rows are one block of columns"};
  if (columns % width)
    return {std::nullopt, "W does not divide its columns"};
  CarriedState state;
  state.blocks = {columns, width};
  if (auto reason = Discovery(state).run(allocation))
    return {std::nullopt, *reason};
  return {std::move(state), ""};
}

void deltanet::blockCarriedState(const CarriedState &state) {
  Blocking(state).run();
}
