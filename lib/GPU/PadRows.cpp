//===- PadRows.cpp - Matrices that accumulators read without conflicts ----===//
//
// Part of the Delta-Net project.
//
// Eight rows of an accumulator are accessed at once, 32 bytes of each. Where
// rows are whole lines of banks, all of them are in the same eight banks; with
// 32 bytes behind each row, four rows fill a line.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_PADROWS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

/// Bytes of all banks, and those behind a row.
constexpr int64_t kLineBytes = 128, kPadBytes = 32;

/// What a tensor is written into, through views of all of it.
bufferization::AllocTensorOp findAlloc(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
      return alloc;
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      tensor = op->getOperand(0);
    else if (auto writer = dyn_cast<DestinationStyleOpInterface>(op))
      tensor = writer.getTiedOpOperand(cast<OpResult>(tensor))->get();
    else
      break;
  }
  return {};
}

/// Whether rows may lie apart: dimensions of rows, those before `columns`, and
/// others are never joined.
bool keepsRows(Value tensor, size_t columns) {
  auto keeps = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto join = dyn_cast<tensor::CollapseShapeOp>(user)) {
      for (auto [number, group] :
           llvm::enumerate(join.getReassociationIndices()))
        if (group.front() == static_cast<int64_t>(columns))
          return keepsRows(join.getResult(), number);
      return false;
    }
    if (auto split = dyn_cast<tensor::ExpandShapeOp>(user))
      return keepsRows(split.getResult(),
                       split.getReassociationIndices()[columns].front());
    auto writer = dyn_cast<DestinationStyleOpInterface>(user);
    if (writer && writer.isDpsInit(&use))
      return keepsRows(writer.getTiedOpResult(&use), columns);
    return !isa<LoopLikeOpInterface>(user) &&
           !user->hasTrait<OpTrait::IsTerminator>();
  };
  return llvm::all_of(tensor.getUses(), keeps);
}

/// A new tensor that is rows and columns of an accumulator.
struct Matrix {
  bufferization::AllocTensorOp alloc;
  int64_t rows, columns;
  /// The dimensions of the rows, and those of the columns.
  SmallVector<ReassociationIndices, 2> dimensions;

  /// None if another tensor is accessed, or one that has no conflicts.
  static std::optional<Matrix> find(TileType tile, Value memory) {
    auto type = dyn_cast<RankedTensorType>(memory.getType());
    if (!type || type.getRank() != 2 || !type.hasStaticShape() ||
        !type.getElementType().isF32() || tile.getRows() == 1 ||
        !isa<AccumulatorAttr, LeftAttr>(tile.getLayout()))
      return std::nullopt;
    Matrix matrix{
        findAlloc(memory), type.getDimSize(0), type.getDimSize(1), {}};
    if (matrix.columns * 4 % kLineBytes || !matrix.alloc ||
        !matrix.findDimensions() ||
        !keepsRows(matrix.alloc, matrix.dimensions[1].front()))
      return std::nullopt;
    return matrix;
  }

  void pad() {
    ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
    RankedTensorType type = alloc.getType();
    auto wide = RankedTensorType::get({rows, columns + kPadBytes / 4},
                                      type.getElementType());
    Value padded =
        bufferization::AllocTensorOp::create(b, wide, /*dynamicSizes=*/{});
    auto all = [&](int64_t first, int64_t second) {
      return SmallVector<OpFoldResult>{b.getIndexAttr(first),
                                       b.getIndexAttr(second)};
    };
    Value part = tensor::ExtractSliceOp::create(b, padded, all(0, 0),
                                                all(rows, columns), all(1, 1));
    if (type.getRank() != 2)
      part = tensor::ExpandShapeOp::create(b, type, part, dimensions);
    alloc.replaceAllUsesWith(part);
    alloc.erase();
  }

private:
  bool findDimensions() {
    dimensions.resize(2);
    int64_t count = 1;
    for (auto [number, size] : llvm::enumerate(alloc.getType().getShape())) {
      if (count >= rows && dimensions[1].empty() && count != rows)
        return false;
      dimensions[count >= rows].push_back(number);
      count *= size;
    }
    return count == rows * columns && !dimensions[1].empty();
  }
};

struct PadRows : deltanet::impl::PadRowsBase<PadRows> {
  void runOnOperation() override {
    llvm::MapVector<Operation *, Matrix> matrices;
    auto visit = [&](auto op, Value memory) {
      if (op.getSwizzled() || op.getDimensionMap() != ArrayRef<int64_t>{0, 1})
        return;
      if (std::optional<Matrix> matrix = Matrix::find(op.getTileType(), memory))
        matrices.try_emplace(matrix->alloc, *matrix);
    };
    getOperation()->walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        visit(load, load.getSource());
      else if (auto store = dyn_cast<StoreOp>(op))
        visit(store, store.getDest());
    });
    for (auto &[alloc, matrix] : matrices)
      matrix.pad();
  }
};

} // namespace
