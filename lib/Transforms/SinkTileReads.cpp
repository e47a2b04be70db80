//===- SinkTileReads.cpp - Read tiles beside their products ---------------===//
//
// Part of the Delta-Net project.
//
// Loops of one step are gone by now, and equal reads have become one, which may
// stand outside of a loop or before another one. A tile that is live all that
// way takes one of few registers.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/TileReads.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_SINKTILEREADS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// No loop is between the read and the run.
bool isBeside(vector::TransferReadOp read, const TileRun &run) {
  vector::ContractionOp first = run.front();
  return read->getBlock() == first->getBlock() &&
         (first->isBeforeInBlock(read) || !findRegionBetween(read, first));
}

struct SinkTileReads : deltanet::impl::SinkTileReadsBase<SinkTileReads> {
  void runOnOperation() override {
    bool changed = false;
    for (const TileRun &run : findTileRuns(getOperation()))
      for (vector::ContractionOp product : run)
        for (OpOperand *operand : getTileOperands(product))
          if (auto read = getTileRead(operand->get());
              read && !isBeside(read, run))
            changed |= readTileAgain(read, run);
    if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
