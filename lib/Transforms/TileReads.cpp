//===- TileReads.cpp - Where the operands of products of tiles are read ---===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/TileReads.h"
#include "MatrixTiles.h"
#include "deltanet/Transforms/MemoryRanges.h"
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
  auto tile = VectorType::get({kTileSide, kTileSide, 2},
                              BFloat16Type::get(operand.getContext()));
  return extension.getIn().getType() == tile ? extension.getIn() : Value();
}

vector::TransferReadOp deltanet::getTileRead(Value operand) {
  Value tile = getTile(operand);
  return tile ? tile.getDefiningOp<vector::TransferReadOp>() : nullptr;
}

bool deltanet::isTileAccess(VectorTransferOpInterface transfer) {
  auto memory = dyn_cast<MemRefType>(transfer.getBase().getType());
  VectorType type = transfer.getVectorType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memory || memory.getMemorySpace() ||
      memory.getElementType() != type.getElementType() || transfer.getMask() ||
      cast<vector::MaskableOpInterface>(transfer.getOperation()).isMasked() ||
      transfer.hasOutOfBoundsDim() ||
      !transfer.getPermutationMap().isMinorIdentity() ||
      failed(memory.getStridesAndOffset(strides, offset)))
    return false;
  ArrayRef<int64_t> steps = ArrayRef(strides).take_back(type.getRank());
  int64_t neighbours = 1;
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim) {
    if (type.getDimSize(dim) != 1 && steps[dim] != neighbours)
      return false;
    neighbours *= type.getDimSize(dim);
  }
  return ShapedType::isStatic(steps.front());
}

/// Whether the operand is read, and transposed only on the right side.
static bool isSideOfProduct(Value operand, bool isRight) {
  vector::TransferReadOp read = getTileRead(operand);
  if (!read || !isTileAccess(read))
    return false;
  auto matrix = operand.getDefiningOp<vector::ShapeCastOp>();
  auto transposed = matrix.getSource().getDefiningOp<vector::TransposeOp>();
  if (!isRight)
    return !transposed;
  return transposed &&
         transposed.getPermutation() == ArrayRef<int64_t>{0, 2, 1};
}

bool deltanet::isTileProduct(vector::ContractionOp op) {
  MLIRContext *context = op.getContext();
  auto matrix = [&](int64_t rows, int64_t columns) -> Type {
    return VectorType::get({rows, columns}, Float32Type::get(context));
  };
  AffineExpr m, n, l;
  bindDims(context, m, n, l);
  SmallVector<AffineMap> maps{AffineMap::get(3, 0, {m, l}, context),
                              AffineMap::get(3, 0, {l, n}, context),
                              AffineMap::get(3, 0, {m, n}, context)};
  using Kind = vector::IteratorType;
  SmallVector<Kind> loops{Kind::parallel, Kind::parallel, Kind::reduction};
  return op.getKind() == vector::CombiningKind::ADD && !op.isMasked() &&
         op.getIndexingMapsArray() == maps &&
         op.getIteratorTypesArray() == loops &&
         op.getLhs().getType() == matrix(kTileSide, kTileSums) &&
         op.getRhs().getType() == matrix(kTileSums, kTileSide) &&
         op.getResultType() == matrix(kTileSide, kTileSide) &&
         isSideOfProduct(op.getLhs(), /*isRight=*/false) &&
         isSideOfProduct(op.getRhs(), /*isRight=*/true);
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
