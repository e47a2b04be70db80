//===- PlaceScratch.cpp - One scratch arena per work item -----------------===//
//
// Part of the Delta-Net project.
//
// Every allocation inside a top-level parallel loop becomes a view of one arena
// at the top of the loop's body. Buffers start at cache lines, and 192 bytes
// are left between two of them: sizes are powers of two, and without the skew
// equal rows of different buffers would fall into the same cache sets.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_PLACESCRATCH
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kSkewBytes = 192;

struct Buffer {
  memref::AllocOp alloc;
  int64_t offset;
};

struct Arena {
  SmallVector<Buffer> buffers;
  int64_t bytes = 0;
};

FailureOr<Arena> analyse(scf::ForallOp loop) {
  Arena arena;
  DataLayout layout = DataLayout::closest(loop);
  WalkResult result = loop.walk([&](memref::AllocOp alloc) -> WalkResult {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return alloc.emitOpError("expected scratch of a static shape and plain "
                               "layout, got ")
             << type;
    if (!arena.buffers.empty())
      arena.bytes += kSkewBytes;
    arena.buffers.push_back({alloc, arena.bytes});
    int64_t bytes =
        type.getNumElements() * layout.getTypeSize(type.getElementType());
    arena.bytes += llvm::alignTo(bytes, kLineBytes);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return arena;
}

void rewrite(scf::ForallOp loop, Arena &arena) {
  if (arena.buffers.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  auto type = MemRefType::get({arena.bytes}, builder.getI8Type());
  auto scratch = memref::AllocOp::create(builder, loc, type,
                                         builder.getI64IntegerAttr(kLineBytes));
  scratch->setAttr(DeltaNetDialect::kScratchAttr, builder.getUnitAttr());
  remark::passed(loc,
                 remark::RemarkOpts::name("scratch")
                     .category("deltanet-buffers")
                     .function(loop->getParentOfType<func::FuncOp>().getName()))
      << remark::add("{0} buffers in an arena of {1} bytes a work item",
                     arena.buffers.size(), arena.bytes);
  for (Buffer &buffer : arena.buffers) {
    Location at = buffer.alloc.getLoc();
    Value offset = arith::ConstantIndexOp::create(builder, at, buffer.offset);
    auto view = memref::ViewOp::create(builder, at, buffer.alloc.getType(),
                                       scratch, offset, ValueRange());
    buffer.alloc.replaceAllUsesWith(view.getResult());
  }
  for (Buffer &buffer : arena.buffers)
    buffer.alloc.erase();
}

struct PlaceScratch : deltanet::impl::PlaceScratchBase<PlaceScratch> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(DeltaNetDialect::kKernelAttr))
      return markAllAnalysesPreserved();
    UnitAttr unit = UnitAttr::get(&getContext());
    for (Operation &op : kernel.getBody().front()) {
      if (isa<memref::AllocOp>(op))
        op.setAttr(DeltaNetDialect::kWorkspaceAttr, unit);
      auto loop = dyn_cast<scf::ForallOp>(op);
      if (!loop)
        continue;
      FailureOr<Arena> arena = analyse(loop);
      if (failed(arena))
        return signalPassFailure();
      rewrite(loop, *arena);
    }
  }
};

} // namespace
