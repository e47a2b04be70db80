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

/// Lanes that hold the same elements share the accesses: in each round, as many
/// as there are such lanes, each makes one. Warps take turns.
class StoreOfThread {
public:
  StoreOfThread(StoreOp op, ValueRange registers, ThreadPlace &place)
      : loc(op.getLoc()), registers(registers),
        accesses(op.getTileType(), op.getDest(), op.getDimensionMap(),
                 op.getKnownAlignment(), place),
        lanes(Replicas::ofLanes(op.getTileType(), place)),
        warps(Replicas::ofWarps(op.getTileType(), place)) {}

  void emit(OpBuilder &builder) const {
    for (const auto &[condition, rounds] : groupRounds())
      emitGroup(builder, condition, rounds);
  }

private:
  using Round = ArrayRef<TileAccess>;

  /// What rounds under one condition have in common.
  struct Condition {
    int64_t warp;        // whose turn it is
    int64_t activeLanes; // of those that hold the same
  };

  SmallVector<std::pair<Condition, SmallVector<Round>>> groupRounds() const {
    // With bounds also what is compared with them: offsets, or where lanes have
    // different ones, the round itself.
    using Key =
        std::tuple<int64_t, int64_t, std::pair<int64_t, int64_t>, int64_t>;
    bool lanesDiffer = lanes.getCount() > 1 && accesses.hasBounds();
    llvm::MapVector<Key, SmallVector<Round>> groups;
    Round left = accesses.get();
    for (int64_t number = 0; !left.empty(); ++number) {
      Round round = left.take_front(lanes.getCount());
      left = left.drop_front(round.size());
      groups[{number % warps.getCount(), round.size(),
              accesses.getBoundedOffsets(round.front()),
              lanesDiffer ? number : 0}]
          .push_back(round);
    }
    SmallVector<std::pair<Condition, SmallVector<Round>>> result;
    for (const auto &[key, rounds] : groups)
      result.push_back({{std::get<0>(key), std::get<1>(key)}, rounds});
    return result;
  }

  void emitGroup(OpBuilder &builder, const Condition &condition,
                 ArrayRef<Round> rounds) const {
    Value all = lanes.isBelow(builder, loc, condition.activeLanes);
    auto require = [&](Value other) {
      if (all && other)
        all = arith::AndIOp::create(builder, loc, all, other);
      else if (other)
        all = other;
    };
    require(warps.isNumber(builder, loc, condition.warp));
    if (accesses.hasBounds())
      require(
          accesses.isInMemory(builder, loc, locate(builder, rounds.front())));
    auto storeAll = [&](OpBuilder &nested) {
      for (Round round : rounds)
        accesses.store(nested, loc, collect(nested, round),
                       locate(nested, round));
    };
    if (!all)
      return storeAll(builder);
    scf::IfOp::create(builder, loc, all, [&](OpBuilder &nested, Location) {
      storeAll(nested);
      scf::YieldOp::create(nested, loc);
    });
  }

  /// The place of this lane's access.
  std::array<Value, 2> locate(OpBuilder &builder, Round round) const {
    std::array<Value, 2> offsets;
    for (unsigned dimension : {0, 1}) {
      auto choices = llvm::map_to_vector(round, [&](const TileAccess &access) {
        return access.offsets[dimension];
      });
      offsets[dimension] = lanes.choose(builder, loc, choices);
    }
    return accesses.locate(builder, loc, offsets);
  }

  /// The elements of this lane's access.
  SmallVector<Value> collect(OpBuilder &builder, Round round) const {
    SmallVector<Value> elements;
    for (int64_t index : llvm::seq(accesses.getLength())) {
      auto choices =
          llvm::map_to_vector(round, [&](const TileAccess &access) -> Value {
            return registers[access.registers[index]];
          });
      elements.push_back(lanes.choose(builder, loc, choices));
    }
    return elements;
  }

  Location loc;
  ValueRange registers;
  TileAccesses accesses;
  Replicas lanes, warps;
};

struct LowerStore : ThreadPattern<StoreOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StoreOfThread(op, adaptor.getValue(), place).emit(rewriter);
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
