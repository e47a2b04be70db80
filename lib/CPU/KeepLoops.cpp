//===- KeepLoops.cpp - Loops that LLVM must not unroll --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_KEEPLOOPS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct KeepLoops : deltanet::impl::KeepLoopsBase<KeepLoops> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVM::LoopUnrollAttr unroll = LLVM::LoopUnrollAttr::get(
        context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
    LLVM::LoopAnnotationAttr annotation =
        LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                      {}, {}, {}, {}, {}, {}, {}, {});
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->removeAttr(DeltaNetDialect::kKeepLoopAttr))
        return;
      // The name that the lowering of scf.for looks for.
      loop->setAttr("loop_annotation", annotation);
    });
  }
};

} // namespace
