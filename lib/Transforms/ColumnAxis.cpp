//===- ColumnAxis.cpp - Which dimension of each tensor is V ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ColumnAxis.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::deltanet;

void ColumnAxis::set(Value tensor, unsigned dimension) {
  changed |= dimensions.try_emplace(tensor, dimension).second;
}

std::optional<unsigned> ColumnAxis::get(Value tensor) const {
  auto known = dimensions.find(tensor);
  if (known == dimensions.end())
    return std::nullopt;
  return known->second;
}

void ColumnAxis::link(Value a, Value b) {
  if (std::optional<unsigned> dimension = get(a))
    set(b, *dimension);
  else if (std::optional<unsigned> other = get(b))
    set(a, *other);
}

/// The loop of a structured operation that runs over the columns.
static std::optional<unsigned>
getColumnLoop(linalg::LinalgOp op,
              function_ref<std::optional<unsigned>(Value)> get) {
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<unsigned> dimension = get(operand.get()))
      if (auto loop = dyn_cast<AffineDimExpr>(
              op.getMatchingIndexingMap(&operand).getResult(*dimension)))
        return loop.getPosition();
  return std::nullopt;
}

void ColumnAxis::visitLinalg(Operation *op) {
  auto structured = cast<linalg::LinalgOp>(op);
  for (auto [result, init] :
       llvm::zip(op->getResults(), structured.getDpsInits()))
    link(result, init);
  std::optional<unsigned> loop =
      getColumnLoop(structured, [&](Value value) { return get(value); });
  if (!loop)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = structured.getMatchingIndexingMap(&operand);
    for (auto [position, result] : llvm::enumerate(map.getResults()))
      if (auto dimension = dyn_cast<AffineDimExpr>(result);
          dimension && dimension.getPosition() == *loop)
        set(operand.get(), position);
  }
  for (auto [result, init] :
       llvm::zip(op->getResults(), structured.getDpsInits()))
    link(result, init);
}

void ColumnAxis::visit(Operation *op) {
  if (isa<linalg::LinalgOp>(op))
    return visitLinalg(op);
  if (auto solve = dyn_cast<TrilSolveOp>(op)) {
    for (Value init : solve.getDpsInits())
      link(solve.getRhs(), init);
    for (Value result : solve->getResults())
      link(solve.getRhs(), result);
    return;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return link(slice.getSource(), slice.getResult());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    link(insert.getSource(), insert.getDest());
    return link(insert.getDest(), insert.getResult());
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (auto [init, carried, next, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                   loop.getYieldedValues(), loop.getResults())) {
      link(init, carried);
      link(carried, next);
      link(carried, result);
    }
}

/// A slice keeps all columns.
template <typename SliceOp>
static bool keepsColumns(SliceOp slice, RankedTensorType whole,
                         RankedTensorType part, unsigned dimension,
                         int64_t columns) {
  return whole.getRank() == part.getRank() &&
         isZeroInteger(slice.getMixedOffsets()[dimension]) &&
         isOneInteger(slice.getMixedStrides()[dimension]) &&
         getConstantIntValue(slice.getMixedSizes()[dimension]) == columns;
}

std::optional<std::string> ColumnAxis::check(Operation *op) const {
  auto refuse = [&](StringRef what) {
    return ("'" + op->getName().getStringRef() + "' " + what).str();
  };
  for (Value value :
       llvm::concat<const Value>(SmallVector<Value>(op->getOperands()),
                                 SmallVector<Value>(op->getResults()))) {
    std::optional<unsigned> dimension = get(value);
    if (dimension &&
        cast<RankedTensorType>(value.getType()).getDimSize(*dimension) !=
            columns)
      return refuse("mixes columns with another dimension");
  }
  bool touches = llvm::any_of(op->getOperands(), [&](Value operand) {
    return get(operand).has_value();
  });
  if (!touches)
    return std::nullopt;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!keepsColumns(slice, slice.getSourceType(), slice.getType(),
                      *get(slice.getSource()), columns))
      return refuse("takes some columns");
    return std::nullopt;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!keepsColumns(insert, insert.getDestType(), insert.getSourceType(),
                      *get(insert.getDest()), columns))
      return refuse("takes some columns");
    return std::nullopt;
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    std::optional<unsigned> loop =
        getColumnLoop(structured, [&](Value value) { return get(value); });
    if (structured.getIteratorTypesArray()[*loop] !=
        utils::IteratorType::parallel)
      return refuse("sums over columns");
    WalkResult indexed = op->walk([&](linalg::IndexOp index) {
      return index.getDim() == *loop ? WalkResult::interrupt()
                                     : WalkResult::advance();
    });
    if (indexed.wasInterrupted())
      return refuse("depends on the number of a column");
    return std::nullopt;
  }
  if (auto solve = dyn_cast<TrilSolveOp>(op))
    if (get(solve.getMatrix()) || get(solve.getRhs()) != 1)
      return refuse("sums over columns");
  if (isa<scf::ForOp, scf::YieldOp, TrilSolveOp>(op))
    return std::nullopt;
  return refuse("does not treat columns alike");
}

std::optional<std::string> ColumnAxis::follow(const OperationRun &run) {
  do {
    changed = false;
    for (Operation *op : run.getOperations())
      op->walk([&](Operation *nested) { visit(nested); });
  } while (changed);
  for (Operation *op : run.getOperations()) {
    std::optional<std::string> reason;
    op->walk([&](Operation *nested) {
      reason = check(nested);
      return reason ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (reason)
      return reason;
  }
  return std::nullopt;
}
