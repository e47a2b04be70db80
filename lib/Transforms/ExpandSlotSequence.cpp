//===- ExpandSlotSequence.cpp - Search for the owner of a chunk slot ------===//
//
// Part of the Delta-Net project.
//
// First slots ascend strictly with the sequence, so that a bisection finds the
// owner: first(low) ≤ slot < first(high) holds throughout, where high may be N.
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"
#include "deltanet/Transforms/Passes.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDSLOTSEQUENCE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

static Value bisect(SlotSequenceOp op, TileBuilder &b) {
  Value cu = op.getCuSeqlens(), one = b.index(1);
  Value count = b.sub(tensor::DimOp::create(b, cu, b.index(0)), one);
  Type index = b.getIndexType();
  auto loop = scf::WhileOp::create(b, TypeRange{index, index},
                                   ValueRange{b.index(0), count});
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Location> locations(2, b.getLoc());

  Block *before =
      b.createBlock(&loop.getBefore(), {}, {index, index}, locations);
  Value width = b.sub(before->getArgument(1), before->getArgument(0));
  Value several =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, width, one);
  scf::ConditionOp::create(b, several, before->getArguments());

  Block *after = b.createBlock(&loop.getAfter(), {}, {index, index}, locations);
  Value low = after->getArgument(0), high = after->getArgument(1);
  Value middle = b.floorDiv(b.add(low, high), 2);
  Value begin =
      arith::IndexCastOp::create(b, index, b.load(cu, ValueRange{middle}));
  Value first = b.add(b.floorDiv(begin, op.getChunk()), middle);
  Value reached =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sle, first, op.getSlot());
  Value nextLow = arith::SelectOp::create(b, reached, middle, low);
  Value nextHigh = arith::SelectOp::create(b, reached, high, middle);
  scf::YieldOp::create(b, ValueRange{nextLow, nextHigh});
  return loop.getResult(0);
}

namespace {

struct ExpandSlotSequence
    : deltanet::impl::ExpandSlotSequenceBase<ExpandSlotSequence> {
  void runOnOperation() override {
    getOperation()->walk([](SlotSequenceOp op) {
      TileBuilder builder(op.getLoc(), op);
      op.replaceAllUsesWith(bisect(op, builder));
      op.erase();
    });
  }
};

} // namespace
