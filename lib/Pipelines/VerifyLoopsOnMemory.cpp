//===- VerifyLoopsOnMemory.cpp - Parallel loops have no results -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VERIFYLOOPSONMEMORY
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct VerifyLoopsOnMemory
    : deltanet::impl::VerifyLoopsOnMemoryBase<VerifyLoopsOnMemory> {
  void runOnOperation() override {
    getOperation().walk([&](scf::ForallOp loop) {
      if (loop.getNumResults() == 0)
        return;
      loop.emitOpError("expected parallel loops on memory, got one with ")
          << loop.getNumResults() << " results";
      signalPassFailure();
    });
  }
};

} // namespace
