//===- MemoryOps.cpp - Tiles and memory: what load and store mean ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SwizzledMemory.h"
#include "deltanet/Fragment/IR/Fragment.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

static SmallVector<int64_t, 2>
dimensionMap(ShapedType memory, std::optional<ArrayRef<int64_t>> dims) {
  if (dims)
    return SmallVector<int64_t, 2>(*dims);
  return llvm::to_vector<2>(llvm::seq<int64_t>(memory.getRank()));
}

// C34.
template <typename OpTy> static LogicalResult verifyMemoryOp(OpTy op) {
  ShapedType memory = op.getMemoryType();
  TileType tile = op.getTileType();
  int64_t rank = memory.getRank();
  if (rank != 1 && rank != 2)
    return op.emitOpError("expected memory of rank 1 or 2, got ") << memory;
  if (memory.getElementType() != tile.getElementType())
    return op.emitOpError("expected memory with elements of ")
           << tile.getElementType() << ", got " << memory;
  std::optional<ArrayRef<int64_t>> dims = op.getDims();
  if (rank == 1 && !dims)
    return op.emitOpError("expected dims for memory of rank 1, got none");
  auto isDimension = [](int64_t each) { return each == 0 || each == 1; };
  if (dims && (static_cast<int64_t>(dims->size()) != rank ||
               !llvm::all_of(*dims, isDimension) ||
               (rank == 2 && (*dims)[0] == (*dims)[1])))
    return op.emitOpError("expected dims with a different one of 0 and 1 for "
                          "each dimension of ")
           << memory << ", got [" << *dims << "]";
  std::array<int64_t, 2> expected = {1, 1};
  for (auto [size, dimension] :
       llvm::zip(memory.getShape(), dimensionMap(memory, dims)))
    expected[dimension] =
        ShapedType::isDynamic(size) ? tile.getShape()[dimension] : size;
  if (tile.getShape() != ArrayRef(expected))
    return op.emitOpError("expected a tile of ")
           << expected[0] << "x" << expected[1] << " for " << memory << ", got "
           << tile;
  if (op.getSwizzled() && failed(verifySwizzled(op, memory)))
    return failure();
  return verifyAlignment(op, op.getAlignment(), tile.getElementType());
}

template <typename OpTy> static int64_t knownAlignment(OpTy op) {
  if (op.getSwizzled())
    return kMaxAccessBytes;
  return op.getAlignment().value_or(
      op.getTileType().getElementType().getIntOrFloatBitWidth() / 8);
}

/// On tensors operations have no effect and may move.
static Speculation::Speculatability speculatability(ShapedType memory) {
  return isa<TensorType>(memory) ? Speculation::Speculatable
                                 : Speculation::NotSpeculatable;
}

LogicalResult LoadOp::verify() { return verifyMemoryOp(*this); }
ShapedType LoadOp::getMemoryType() {
  return cast<ShapedType>(getSource().getType());
}
TileType LoadOp::getTileType() { return getResult().getType(); }
int64_t LoadOp::getKnownAlignment() { return knownAlignment(*this); }
SmallVector<int64_t, 2> LoadOp::getDimensionMap() {
  return dimensionMap(getMemoryType(), getDims());
}
Speculation::Speculatability LoadOp::getSpeculatability() {
  return speculatability(getMemoryType());
}
void LoadOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isa<BaseMemRefType>(getMemoryType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

LogicalResult StoreOp::verify() { return verifyMemoryOp(*this); }
ShapedType StoreOp::getMemoryType() {
  return cast<ShapedType>(getDest().getType());
}
TileType StoreOp::getTileType() { return getValue().getType(); }
int64_t StoreOp::getKnownAlignment() { return knownAlignment(*this); }
SmallVector<int64_t, 2> StoreOp::getDimensionMap() {
  return dimensionMap(getMemoryType(), getDims());
}
Speculation::Speculatability StoreOp::getSpeculatability() {
  return speculatability(getMemoryType());
}
void StoreOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isa<BaseMemRefType>(getMemoryType()))
    effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable());
}

LogicalResult StoreOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  Type dest = adaptor.getDest().getType();
  if (isa<RankedTensorType>(dest))
    types.push_back(dest);
  return success();
}
