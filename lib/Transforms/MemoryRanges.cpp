//===- MemoryRanges.cpp - Which bytes operations read and write -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/MemoryRanges.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::deltanet;

/// The bytes from the first to the last element, counted from where the memory
/// that this is a view of begins. Nothing if the type does not say.
static std::optional<ByteRange> getExtent(Value memory) {
  auto type = dyn_cast<MemRefType>(memory.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || !type.hasStaticShape() || !type.getNumElements() ||
      !type.getElementType().isIntOrFloat() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return std::nullopt;
  int64_t last = offset;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    if (ShapedType::isDynamic(stride) || stride < 0)
      return std::nullopt;
    last += (size - 1) * stride;
  }
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return ByteRange{Value(), offset * bytes, (last + 1) * bytes};
}

ByteRange deltanet::getByteRange(Value memory) {
  // Of `buffer`; nothing for all of it.
  std::optional<ByteRange> part;
  Value buffer = memory;
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (!part && isa<memref::SubViewOp, memref::ViewOp>(*view))
      part = getExtent(buffer);
    if (auto bytes = dyn_cast<memref::ViewOp>(*view)) {
      APInt shift;
      if (!matchPattern(bytes.getByteShift(), m_ConstantInt(&shift))) {
        part.reset();
      } else if (part) {
        part->begin += shift.getSExtValue();
        part->end += shift.getSExtValue();
      }
    } else if (!isa<memref::SubViewOp, memref::ExpandShapeOp,
                    memref::CollapseShapeOp, memref::CastOp>(*view)) {
      part.reset();
    }
    buffer = view.getViewSource();
  }
  if (!part)
    return {buffer};
  part->buffer = buffer;
  return *part;
}

static bool isFunctionArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Memory of its own: an allocation, or an argument of bytes, which is scratch
/// or workspace.
static bool isOwn(Value buffer) {
  if (buffer.getDefiningOp<memref::AllocOp>())
    return true;
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.getElementType().isInteger(8) &&
         isFunctionArgument(buffer);
}

bool deltanet::mayOverlap(const ByteRange &a, const ByteRange &b) {
  if (a.buffer == b.buffer)
    return a.begin < b.end && b.begin < a.end;
  bool areDistinct = (isOwn(a.buffer) && isOwn(b.buffer)) ||
                     (isOwn(a.buffer) && isFunctionArgument(b.buffer)) ||
                     (isFunctionArgument(a.buffer) && isOwn(b.buffer));
  return !areDistinct;
}

/// Whether the operation may write the range, or one inside of it.
static bool mayWrite(Operation *root, const ByteRange &range) {
  WalkResult found = root->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isMemoryEffectFree(op))
      return WalkResult::advance();
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface)
      return WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    bool writes = llvm::any_of(effects, [&](const auto &effect) {
      if (!isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()))
        return false;
      Value memory = effect.getValue();
      return !memory || mayOverlap(getByteRange(memory), range);
    });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

bool deltanet::mayBeWrittenBetween(Operation *from, Operation *place,
                                   Value memory) {
  ByteRange range = getByteRange(memory);
  Operation *last = from->getBlock()->findAncestorOpInBlock(*place);
  if (!last)
    return true;
  for (Operation *op = from->getNextNode(); op != last; op = op->getNextNode())
    if (mayWrite(op, range))
      return true;
  return last != place && mayWrite(last, range);
}
