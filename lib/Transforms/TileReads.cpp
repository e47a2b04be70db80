//===- TileReads.cpp - Where the operands of products of tiles are read ---===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/TileReads.h"
#include "MatrixTiles.h"
#include "MemoryRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::deltanet;

Value deltanet::getTile(Value operand) {
  auto matrix = operand.getDefiningOp<vector::ShapeCastOp>();
  if (!matrix)
    return Value();
  Value pairs = matrix.getSource();
  if (auto transposed = pairs.getDefiningOp<vector::TransposeOp>())
    pairs = transposed.getVector();
  auto extension = pairs.getDefiningOp<arith::ExtFOp>();
  if (!extension)
    return Value();
  auto type = dyn_cast<VectorType>(extension.getIn().getType());
  bool isTile = type && type.getElementType().isBF16() &&
                type.getShape() == ArrayRef<int64_t>{kTileSide, kTileSide, 2};
  return isTile ? extension.getIn() : Value();
}

vector::TransferReadOp deltanet::getTileRead(Value operand) {
  Value tile = getTile(operand);
  return tile ? tile.getDefiningOp<vector::TransferReadOp>() : nullptr;
}

bool deltanet::isTileProduct(vector::ContractionOp op) {
  return getTile(op.getLhs()) && getTile(op.getRhs());
}

std::array<OpOperand *, 2>
deltanet::getTileOperands(vector::ContractionOp product) {
  return {&product.getLhsMutable(), &product.getRhsMutable()};
}

Operation *deltanet::findRegionBetween(Operation *op, Operation *end) {
  for (; op != end; op = op->getNextNode())
    if (op->getNumRegions())
      return op;
  return nullptr;
}

SmallVector<TileRun> deltanet::findTileRuns(Operation *root) {
  // The last run of a block; it may go on behind a loop with runs of its own.
  llvm::SmallDenseMap<Block *, unsigned> last;
  SmallVector<TileRun> runs;
  root->walk<WalkOrder::PreOrder>([&](vector::ContractionOp product) {
    if (!isTileProduct(product))
      return;
    auto [entry, isNew] = last.try_emplace(product->getBlock(), runs.size());
    if (isNew || findRegionBetween(runs[entry->second].back(), product)) {
      entry->second = runs.size();
      runs.emplace_back();
    }
    runs[entry->second].push_back(product);
  });
  return runs;
}

/// Erases a chain of operations from a read to an operand, as far as unused.
static void eraseUnused(Operation *op) {
  while (op && op->use_empty()) {
    Operation *source = isa<vector::TransferReadOp>(op)
                            ? nullptr
                            : op->getOperand(0).getDefiningOp();
    op->erase();
    op = source;
  }
}

bool deltanet::readTileAgain(vector::TransferReadOp read,
                             ArrayRef<vector::ContractionOp> products) {
  SmallVector<OpOperand *> operands;
  for (vector::ContractionOp product : products)
    for (OpOperand *operand : getTileOperands(product))
      if (getTileRead(operand->get()) == read)
        operands.push_back(operand);
  if (operands.empty() ||
      mayBeWrittenBetween(read, operands[0]->getOwner(), read.getBase()))
    return false;
  IRMapping copies;
  OpBuilder builder(operands[0]->getOwner());
  std::function<Value(Value)> copy = [&](Value value) -> Value {
    if (copies.contains(value))
      return copies.lookup(value);
    Operation *op = value.getDefiningOp();
    if (op != read)
      copy(op->getOperand(0));
    return builder.clone(*op, copies)->getResult(0);
  };
  llvm::SetVector<Operation *> replaced;
  for (OpOperand *operand : operands) {
    replaced.insert(operand->get().getDefiningOp());
    operand->set(copy(operand->get()));
  }
  llvm::for_each(replaced, eraseUnused);
  return true;
}
