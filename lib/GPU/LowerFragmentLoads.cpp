//===- LowerFragmentLoads.cpp - What a thread loads of a tile -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
#include "MatrixPieces.h"
#include "TileAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

struct LowerLoad : ThreadPattern<LoadOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (canReadPieces(op)) {
      rewriter.replaceOpWithMultiple(op, {readPieces(op, rewriter)});
      return success();
    }
    TileAccesses accesses(op.getTileType(), op.getSource(),
                          op.getDimensionMap(), op.getKnownAlignment(),
                          op.getSwizzled(), place);
    // Those that memory has together or not at all.
    llvm::MapVector<std::pair<int64_t, int64_t>, SmallVector<TileAccess>>
        groups;
    for (const TileAccess &access : accesses.get())
      groups[accesses.getBoundedOffsets(access)].push_back(access);

    SmallVector<Value> elements(op.getTileType().getElementsPerThread());
    for (const auto &entry : groups) {
      ArrayRef<TileAccess> group = entry.second;
      SmallVector<Value> values =
          accesses.hasBounds()
              ? loadWhereInMemory(op, accesses, group, rewriter)
              : loadAll(op, accesses, group, rewriter);
      auto value = values.begin();
      for (const TileAccess &access : group)
        for (unsigned number : access.registers)
          elements[number] = *value++;
    }
    rewriter.replaceOpWithMultiple(op, {elements});
    return success();
  }

private:
  /// Whether `ldmatrix` reads the tile.
  static bool canReadPieces(LoadOp op) {
    TileType tile = op.getTileType();
    auto memory = cast<MemRefType>(op.getMemoryType());
    return isa<AccumulatorAttr, LeftAttr>(tile.getLayout()) &&
           tile.getElementType().getIntOrFloatBitWidth() == 16 &&
           tile.getRows() != 1 && tile.getColumns() != 1 &&
           memory.hasStaticShape() && isInSpace(memory, kSharedSpace) &&
           hasRowsOfPieces(memory) && op.getKnownAlignment() == kMaxAccessBytes;
  }

  SmallVector<Value> readPieces(LoadOp op, OpBuilder &builder) const {
    TileType tile = op.getTileType();
    MatrixPieces pieces(
        op.getSource(), op.getDimensionMap()[0] == 1, op.getSwizzled(),
        {place.getWarpPosition(tile, 0), place.getWarpPosition(tile, 1)},
        place);
    SmallVector<int64_t> rows = tile.getSpread(0).offsets,
                         columns = tile.getSpread(1).offsets;
    SmallVector<Value> elements(rows.size() * columns.size());
    // Rows come in pairs of pieces, columns in pairs as far as they go.
    for (size_t row = 0; row < rows.size(); row += 2)
      for (size_t column = 0; column < columns.size();) {
        SmallVector<MatrixPieces::Offset, 2> steps = {{8, 0}};
        if (column + 2 < columns.size())
          steps.push_back({0, 8});
        SmallVector<Value> words = pieces.load(
            builder, op.getLoc(), {rows[row], columns[column]}, steps);
        for (auto [number, word] : llvm::enumerate(words)) {
          auto pair =
              unpackPair(builder, op.getLoc(), word, tile.getElementType());
          size_t first =
              (row + number % 2) * columns.size() + column + number / 2 * 2;
          elements[first] = pair[0];
          elements[first + 1] = pair[1];
        }
        column += words.size();
      }
    return elements;
  }

  static SmallVector<Value> loadAll(LoadOp op, const TileAccesses &accesses,
                                    ArrayRef<TileAccess> group,
                                    OpBuilder &builder) {
    SmallVector<Value> values;
    for (const TileAccess &access : group)
      llvm::append_range(
          values,
          accesses.load(builder, op.getLoc(),
                        accesses.locate(builder, op.getLoc(), access.offsets)));
    return values;
  }

  static SmallVector<Value> loadWhereInMemory(LoadOp op,
                                              const TileAccesses &accesses,
                                              ArrayRef<TileAccess> group,
                                              OpBuilder &builder) {
    Location loc = op.getLoc();
    Value isInMemory = accesses.isInMemory(
        builder, loc, accesses.locate(builder, loc, group.front().offsets));
    auto load = [&](OpBuilder &nested, Location) {
      scf::YieldOp::create(nested, loc, loadAll(op, accesses, group, nested));
    };
    auto giveZeros = [&](OpBuilder &nested, Location) {
      Type element = op.getTileType().getElementType();
      Value zero =
          arith::ConstantOp::create(nested, loc, nested.getZeroAttr(element));
      SmallVector<Value> zeros(group.size() * accesses.getLength(), zero);
      scf::YieldOp::create(nested, loc, zeros);
    };
    return scf::IfOp::create(builder, loc, isInMemory, load, giveZeros)
        .getResults();
  }
};

} // namespace

void mlir::deltanet::populateFragmentLoadPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    ThreadPlace &place) {
  patterns.add<LowerLoad>(converter, patterns.getContext(), place);
}
