//===- ChunkOps.cpp - Constraints C21 to C23 and C27 ----------------------===//
//
// Part of the Delta-Net project.
//
// Verification of the operations of one chunk.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/DeltaNet.h"

using namespace mlir;
using namespace mlir::deltanet;

static bool isChunkSize(int64_t size) {
  return size == 16 || size == 32 || size == 64 || size == 128;
}

/// `got` is a tensor [C] (rank 1) or [C,C] (rank 2) of f32 of a legal C.
static bool isChunkTensor(Type got, int64_t rank) {
  auto tensor = cast<RankedTensorType>(got);
  return tensor.getRank() == rank && tensor.getElementType().isF32() &&
         !tensor.getEncoding() &&
         llvm::all_of(tensor.getShape(), [&](int64_t size) {
           return size == tensor.getDimSize(0) && isChunkSize(size);
         });
}

LogicalResult SlotSequenceOp::verify() { // C21
  auto type = cast<RankedTensorType>(getCuSeqlens().getType());
  Type element = type.getElementType();
  if (type.getRank() != 1 || type.getEncoding() ||
      (!element.isSignlessInteger(32) && !element.isSignlessInteger(64)))
    return emitOpError("expected cu_seqlens as a tensor [N+1] of i32 or i64, "
                       "got ")
           << type;
  if (!isChunkSize(getChunk()))
    return emitOpError("expected a chunk of 16, 32, 64 or 128 tokens, got ")
           << getChunk();
  return success();
}

LogicalResult DecayOp::verify() { // C22
  auto gates = cast<RankedTensorType>(getGates().getType());
  if (!isChunkTensor(gates, 1))
    return emitOpError("expected gates as a tensor [C] of f32 with C of 16, "
                       "32, 64 or 128, got ")
           << gates;
  int64_t chunk = gates.getDimSize(0);
  auto square = RankedTensorType::get({chunk, chunk}, gates.getElementType());
  for (auto [name, got, expected] :
       {std::tuple<StringRef, Type, Type>{"matrix", getMatrix().getType(),
                                          square},
        {"prefix", getPrefix().getType(), gates},
        {"suffix", getSuffix().getType(), gates}})
    if (got != expected)
      return emitOpError("expected ")
             << name << " as " << expected << ", got " << got;
  return success();
}

LogicalResult TrilInverseOp::verify() { // C23
  Type matrix = getMatrix().getType();
  if (!isChunkTensor(matrix, 2))
    return emitOpError("expected matrix as a tensor [C,C] of f32 with C of 16, "
                       "32, 64 or 128, got ")
           << matrix;
  return success();
}

MutableOperandRange TrilSolveOp::getDpsInitsMutable() {
  unsigned count = getScaledInit() ? 2 : 1;
  return MutableOperandRange(*this, getNumOperands() - count, count);
}

RankedTensorType TrilSolveOp::getTilesType(RankedTensorType rows) {
  return RankedTensorType::get(
      {rows.getDimSize(0) / 32, rows.getDimSize(1) / 16, 16, 16, 2},
      BFloat16Type::get(rows.getContext()));
}

LogicalResult TrilSolveOp::verify() { // C27
  RankedTensorType matrix = getMatrix().getType(), rhs = getRhs().getType();
  int64_t rows = matrix.getRank() == 2 ? matrix.getDimSize(0) : 0;
  if (rows < 8 || rows > 128 || rows % 8 || matrix.getDimSize(1) != rows ||
      !matrix.getElementType().isF32() || matrix.getEncoding())
    return emitOpError("expected matrix as a tensor [B,B] of f32 with B a "
                       "multiple of 8 from 8 to 128, got ")
           << matrix;
  if (rhs.getRank() != 2 || rhs.getDimSize(0) != rows || rhs.isDynamicDim(1) ||
      rhs.getDimSize(1) < 16 || rhs.getDimSize(1) % 16 ||
      !rhs.getElementType().isF32() || rhs.getEncoding())
    return emitOpError("expected rhs as a tensor [")
           << rows << ",W] of f32 with W a multiple of 16, got " << rhs;
  bool scales = static_cast<bool>(getFactors());
  if (scales != static_cast<bool>(getScaledInit()) ||
      scales != static_cast<bool>(getScaled()))
    return emitOpError("expected ")
           << (scales ? "two destinations and results with factors"
                      : "one destination and result without factors")
           << ", got " << getNumDpsInits() << " and " << getNumResults();
  if (scales != static_cast<bool>(getShares()) ||
      scales != static_cast<bool>(getPasses()))
    return emitOpError("expected factors, shares and passes, all or none");
  auto vector = RankedTensorType::get({rows}, rhs.getElementType());
  for (auto [name, value] :
       {std::pair<StringRef, Value>{"factors", getFactors()},
        {"shares", getShares()},
        {"passes", getPasses()}})
    if (value && value.getType() != vector)
      return emitOpError("expected ")
             << name << " as " << vector << ", got " << value.getType();
  RankedTensorType tiles;
  if (rows % 32 == 0)
    tiles = getTilesType(rhs);
  for (auto [init, result] : llvm::zip(getDpsInits(), getResults())) {
    if (init.getType() != rhs && (!tiles || init.getType() != tiles)) {
      InFlightDiagnostic error = emitOpError("expected destinations as ")
                                 << rhs;
      if (tiles)
        error << " or " << tiles;
      return error << ", got " << init.getType();
    }
    if (result.getType() != init.getType())
      return emitOpError("expected results of the types of their "
                         "destinations, ")
             << init.getType() << ", got " << result.getType();
  }
  return success();
}
