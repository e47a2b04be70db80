//===- TileRegisters.cpp - As many tiles as there are registers -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TileRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

/// The value that becomes a tile, without the casts that vanish.
static Value stripCasts(Value sums) {
  while (auto cast = sums.getDefiningOp<vector::ShapeCastOp>())
    sums = cast.getSource();
  return sums;
}

/// Whether a tile that is there at `place`, which is a product or has one
/// inside, is used behind it or by another turn of it.
static bool isUsedBehind(Value tile, Operation *place) {
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    if (isa<vector::ShapeCastOp, vector::TransposeOp, arith::ExtFOp>(user))
      return isUsedBehind(user->getResult(0), place);
    Operation *op = place->getBlock()->findAncestorOpInBlock(*user);
    // What a loop starts from is another tile inside of it.
    return op && (place->isBeforeInBlock(op) || (op == place && user != op));
  });
}

static bool isLiveAcross(Value tile, Operation *product) {
  Operation *place = tile.getParentBlock()->findAncestorOpInBlock(*product);
  Operation *origin = tile.getDefiningOp();
  return place && (!origin || origin->isBeforeInBlock(place)) &&
         isUsedBehind(tile, place);
}

TileLiveness::TileLiveness(ArrayRef<vector::ContractionOp> products,
                           ArrayRef<Value> sums)
    : products(products) {
  for (Value value : sums)
    this->sums.insert(stripCasts(value));
}

unsigned TileLiveness::count(vector::ContractionOp product) const {
  llvm::SmallPtrSet<Value, 16> live{getTile(product.getLhs()),
                                    getTile(product.getRhs()),
                                    stripCasts(product.getAcc())};
  auto add = [&](Value tile) {
    if (isLiveAcross(tile, product))
      live.insert(tile);
  };
  for (vector::ContractionOp other : products) {
    add(getTile(other.getLhs()));
    add(getTile(other.getRhs()));
  }
  llvm::for_each(sums, add);
  return live.size();
}

/// Whether the tile is live across the product, which does not use it.
static bool isOther(vector::TransferReadOp read,
                    vector::ContractionOp product) {
  return getTileRead(product.getLhs()) != read &&
         getTileRead(product.getRhs()) != read &&
         isLiveAcross(read.getVector(), product);
}

void cpu::repeatReads(const TileRun &run, const TileLiveness &liveness) {
  for (auto [at, product] : llvm::enumerate(run)) {
    // The reads that the products behind use, in the order of first use.
    llvm::SetVector<Operation *> next;
    for (vector::ContractionOp behind : ArrayRef(run).drop_front(at + 1))
      for (OpOperand *operand : getTileOperands(behind))
        if (auto read = getTileRead(operand->get()))
          next.insert(read);
    while (!next.empty() && liveness.count(product) > kTileRegisters) {
      auto read = cast<vector::TransferReadOp>(next.pop_back_val());
      if (isOther(read, product))
        readTileAgain(read, ArrayRef(run).drop_front(at + 1));
    }
  }
}
