//===- StreamTiles.cpp - Tile loads that leave the L1 cache alone ---------===//
//
// Part of the Delta-Net project.
//
// The amx dialect has one way to load a tile. After it has become intrinsics,
// the loads of left operands become those with the hint that data is not used
// again soon.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_STREAMTILES
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct StreamTiles : deltanet::impl::StreamTilesBase<StreamTiles> {
  void runOnOperation() override {
    constexpr StringLiteral product = "llvm.x86.tdpbf16ps.internal";
    constexpr StringLiteral load = "llvm.x86.tileloadd64.internal";
    // Rows, bytes of a row, bytes of the sums; then sums and left operand.
    constexpr unsigned left = 4;
    getOperation().walk([&](LLVM::CallIntrinsicOp op) {
      if (op.getIntrin() != product || op.getArgs().size() <= left)
        return;
      auto origin = op.getArgs()[left].getDefiningOp<LLVM::CallIntrinsicOp>();
      if (origin && origin.getIntrin() == load)
        origin.setIntrin("llvm.x86.tileloaddt164.internal");
    });
  }
};

} // namespace
