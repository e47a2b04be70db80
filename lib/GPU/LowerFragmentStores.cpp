//===- LowerFragmentStores.cpp - What a thread stores of a tile -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
#include "Replicas.h"
#include "TileAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

/// Threads that hold the same elements share the accesses: in each round, as
/// many as there are such threads, each makes one.
class StoreOfThread {
public:
  StoreOfThread(StoreOp op, ValueRange registers, ThreadPlace &place,
                OpBuilder &builder)
      : loc(op.getLoc()), builder(builder), registers(registers),
        accesses(op.getTileType(), op.getDest(), op.getDimensionMap(),
                 op.getKnownAlignment(), op.getSwizzled(), place),
        replicas(builder, op.getLoc(), op.getTileType(), place) {}

  void emit() {
    // Under one condition are rounds of as many threads and, with bounds, with
    // the same to compare with them: offsets, or where threads have different
    // ones, that of the round itself.
    bool differ = replicas.getCount() > 1 && accesses.hasBounds();
    llvm::MapVector<std::tuple<int64_t, std::pair<int64_t, int64_t>, int64_t>,
                    SmallVector<Round>>
        groups;
    Round left = accesses.get();
    for (int64_t number = 0; !left.empty(); ++number) {
      Round round = left.take_front(replicas.getCount());
      left = left.drop_front(round.size());
      groups[{round.size(), accesses.getBoundedOffsets(round.front()),
              differ ? number : 0}]
          .push_back(round);
    }
    for (const auto &group : groups)
      emitGroup(group.second);
  }

private:
  using Round = ArrayRef<TileAccess>;

  void emitGroup(ArrayRef<Round> rounds) {
    Value condition = replicas.isBelow(builder, loc, rounds.front().size());
    if (accesses.hasBounds()) {
      Value isInMemory =
          accesses.isInMemory(builder, loc, locate(rounds.front()));
      condition =
          condition ? arith::AndIOp::create(builder, loc, condition, isInMemory)
                    : isInMemory;
    }
    OpBuilder::InsertionGuard guard(builder);
    if (condition) {
      auto choice = scf::IfOp::create(builder, loc, condition,
                                      /*withElseRegion=*/false);
      builder.setInsertionPoint(choice.thenYield());
    }
    for (Round round : rounds)
      accesses.store(builder, loc, collect(round), locate(round));
  }

  /// The place of this thread's access.
  std::array<Value, 2> locate(Round round) {
    std::array<Value, 2> offsets;
    for (unsigned dimension : {0, 1}) {
      auto choices = llvm::map_to_vector(round, [&](const TileAccess &access) {
        return access.offsets[dimension];
      });
      offsets[dimension] = replicas.choose(builder, loc, choices);
    }
    return accesses.locate(builder, loc, offsets);
  }

  /// The elements of this thread's access.
  SmallVector<Value> collect(Round round) {
    SmallVector<Value> elements;
    for (int64_t index : llvm::seq(accesses.getLength())) {
      auto choices =
          llvm::map_to_vector(round, [&](const TileAccess &access) -> Value {
            return registers[access.registers[index]];
          });
      elements.push_back(replicas.choose(builder, loc, choices));
    }
    return elements;
  }

  Location loc;
  OpBuilder &builder;
  ValueRange registers;
  TileAccesses accesses;
  Replicas replicas;
};

struct LowerStore : ThreadPattern<StoreOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StoreOfThread(op, adaptor.getValue(), place, rewriter).emit();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::deltanet::populateFragmentStorePatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    ThreadPlace &place) {
  patterns.add<LowerStore>(converter, patterns.getContext(), place);
}
