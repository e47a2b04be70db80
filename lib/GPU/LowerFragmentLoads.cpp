//===- LowerFragmentLoads.cpp - What a thread loads of a tile -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
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
    TileAccesses accesses(op.getTileType(), op.getSource(),
                          op.getDimensionMap(), op.getKnownAlignment(), place);
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
