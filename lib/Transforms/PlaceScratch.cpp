//===- PlaceScratch.cpp - One scratch arena per work item -----------------===//
//
// Part of the Delta-Net project.
//
// Every allocation inside a top-level parallel loop becomes a view of one arena
// at the top of the loop's body; buffers that are not used at the same time
// share bytes. Buffers start at cache lines, and 192 bytes are left between two
// of them: sizes are powers of two, and without the skew equal rows of
// different buffers would fall into the same cache sets.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
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

/// From the first to the last operation that uses a buffer, in the order of the
/// text; a use inside a loop counts as one by the whole loop, if the buffer is
/// made outside of it.
struct Lifetime {
  int64_t begin, end;

  bool overlaps(const Lifetime &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

struct Buffer {
  memref::AllocOp alloc;
  int64_t bytes;
  Lifetime life;
  int64_t offset = 0;
};

struct Arena {
  SmallVector<Buffer> buffers;
  int64_t bytes = 0;
};

/// Numbers the operations of a loop by where they begin and end in the text.
class Lifetimes {
public:
  explicit Lifetimes(scf::ForallOp loop) : views(loop) { number(loop); }

  Lifetime get(memref::AllocOp alloc) {
    SmallVector<Operation *> users;
    for (Value view : views.resolve(alloc.getResult()))
      llvm::append_range(users, view.getUsers());
    Block *block = alloc->getBlock();
    // What a block yields lives in the blocks around it, and in its next turn.
    auto isInside = [&](Operation *user) {
      Operation *use = block->findAncestorOpInBlock(*user);
      return use && !use->hasTrait<OpTrait::IsTerminator>();
    };
    while (!llvm::all_of(users, isInside))
      block = block->getParentOp()->getBlock();
    if (users.empty())
      return numbers[alloc];
    Lifetime life = numbers[block->findAncestorOpInBlock(*users.front())];
    for (Operation *user : users) {
      Lifetime use = numbers[block->findAncestorOpInBlock(*user)];
      life.begin = std::min(life.begin, use.begin);
      life.end = std::max(life.end, use.end);
    }
    return life;
  }

private:
  void number(Operation *op) {
    int64_t begin = next++;
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        number(&nested);
    numbers[op] = {begin, next++};
  }

  BufferViewFlowAnalysis views;
  DenseMap<Operation *, Lifetime> numbers;
  int64_t next = 0;
};

/// Gives every buffer the lowest place that none with an overlapping lifetime
/// has, the largest first.
void place(Arena &arena) {
  SmallVector<Buffer *> order;
  for (Buffer &buffer : arena.buffers)
    order.push_back(&buffer);
  // The largest first, of equal ones the first made.
  llvm::sort(order, [](const Buffer *a, const Buffer *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });
  SmallVector<Buffer *> placed;
  for (Buffer *buffer : order) {
    // Kept sorted by offset: one pass finds the first gap.
    for (Buffer *other : placed)
      if (buffer->life.overlaps(other->life) &&
          buffer->offset < other->offset + other->bytes + kSkewBytes &&
          other->offset < buffer->offset + buffer->bytes + kSkewBytes)
        buffer->offset = other->offset + other->bytes + kSkewBytes;
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](const Buffer *a, const Buffer *b) {
                                      return a->offset < b->offset;
                                    }),
                  buffer);
    arena.bytes = std::max(arena.bytes, buffer->offset + buffer->bytes);
  }
}

FailureOr<Arena> analyse(scf::ForallOp loop) {
  Arena arena;
  DataLayout layout = DataLayout::closest(loop);
  Lifetimes lifetimes(loop);
  WalkResult result = loop.walk([&](memref::AllocOp alloc) -> WalkResult {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return alloc.emitOpError("expected scratch of a static shape and plain "
                               "layout, got ")
             << type;
    int64_t bytes =
        type.getNumElements() * layout.getTypeSize(type.getElementType());
    arena.buffers.push_back(
        {alloc, static_cast<int64_t>(llvm::alignTo(bytes, kLineBytes)),
         lifetimes.get(alloc)});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  place(arena);
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
  int64_t bytes = 0;
  for (const Buffer &buffer : arena.buffers)
    bytes += buffer.bytes;
  remark::passed(loc,
                 remark::RemarkOpts::name("scratch")
                     .category("deltanet-buffers")
                     .function(loop->getParentOfType<func::FuncOp>().getName()))
      << remark::add("{0} buffers of {1} bytes in an arena of {2}",
                     arena.buffers.size(), bytes, arena.bytes)
      << remark::reason("buffers that are not used at the same time share "
                        "bytes");
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
    if (kernel.isExternal() || !kernel->hasAttr(DeltaNetDialect::kKernelAttr))
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
