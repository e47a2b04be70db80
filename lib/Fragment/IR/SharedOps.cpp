//===- SharedOps.cpp - Copies to shared memory: what they mean ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SwizzledMemory.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;
using namespace mlir::bufferization;

// C40.
LogicalResult CopyAsyncOp::verify() {
  auto source = cast<ShapedType>(getSource().getType()),
       dest = cast<ShapedType>(getDest().getType());
  int64_t rank = dest.getRank();
  if ((rank != 1 && rank != 2) || !dest.hasStaticShape())
    return emitOpError("expected a destination of rank 1 or 2 and static size, "
                       "got ")
           << dest;
  Type element = dest.getElementType();
  if (!element.isF32() && !element.isBF16() && !element.isF16())
    return emitOpError("expected elements of f32, bf16 or f16, got ") << dest;
  bool fits = source.getElementType() == element && source.getRank() == rank;
  for (int64_t index = 0; fits && index < rank; ++index) {
    int64_t size = source.getDimSize(index);
    fits = size == dest.getDimSize(index) ||
           (index == 0 && ShapedType::isDynamic(size));
  }
  if (!fits)
    return emitOpError("expected a source with the elements and sizes of ")
           << dest << ", got " << source;
  auto memory = dyn_cast<MemRefType>(source);
  if (memory && !mayBeInSpace(memory, kGlobalSpace))
    return emitOpError("expected a source in space ")
           << kGlobalSpace << ", got " << source;
  if (failed(getSwizzled() ? verifySwizzled(*this, dest)
                           : verifyPieces(*this, dest)))
    return failure();
  return verifyAlignment(*this, getAlignment(), element);
}

LogicalResult CopyAsyncOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Type dest = adaptor.getDest().getType();
  if (isa<RankedTensorType>(dest))
    types.push_back(dest);
  return success();
}

int64_t CopyAsyncOp::getKnownAlignment() {
  Type element = getElementTypeOrSelf(getSource());
  return getAlignment().value_or(element.getIntOrFloatBitWidth() / 8);
}

void CopyAsyncOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isa<BaseMemRefType>(getSource().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  if (isa<BaseMemRefType>(getDest().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable());
}

bool CopyAsyncOp::bufferizesToMemoryRead(OpOperand &operand,
                                         const AnalysisState &) {
  return &operand == &getSourceMutable();
}
bool CopyAsyncOp::bufferizesToMemoryWrite(OpOperand &operand,
                                          const AnalysisState &) {
  return &operand == &getDestMutable();
}
AliasingValueList CopyAsyncOp::getAliasingValues(OpOperand &operand,
                                                 const AnalysisState &) {
  if (&operand != &getDestMutable())
    return {};
  return {{getOperation()->getResult(0), BufferRelation::Equivalent}};
}
LogicalResult CopyAsyncOp::bufferize(RewriterBase &rewriter,
                                     const BufferizationOptions &options,
                                     BufferizationState &state) {
  FailureOr<Value> source = getBuffer(rewriter, getSource(), options, state);
  FailureOr<Value> dest = getBuffer(rewriter, getDest(), options, state);
  if (failed(source) || failed(dest))
    return failure();
  CopyAsyncOp::create(rewriter, getLoc(), *source, *dest, getAlignmentAttr(),
                      getSwizzledAttr());
  replaceOpWithBufferizedValues(rewriter, *this, *dest);
  return success();
}

// C41.
LogicalResult WaitOp::verify() {
  auto groups = static_cast<int64_t>(getGroups());
  if (groups < 0 || groups > kMaxGroups)
    return emitOpError("expected 0 to ")
           << kMaxGroups << " groups, got " << groups;
  return success();
}
