//===- TileRegisters.h - As many tiles as there are registers -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CPU_TILEREGISTERS_H
#define DELTANET_LIB_CPU_TILEREGISTERS_H

#include "deltanet/Transforms/TileReads.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::deltanet::cpu {

constexpr unsigned kTileRegisters = 8;

/// Which tiles are live where, among the operands of products and the sums.
class TileLiveness {
public:
  /// `sums`: every value that becomes a tile of sums, without zeros, which are
  /// made where they are used.
  TileLiveness(ArrayRef<vector::ContractionOp> products, ArrayRef<Value> sums);

  /// Tiles that are there at a product: its own three, and those from before
  /// that go on behind.
  unsigned count(vector::ContractionOp product) const;

private:
  SmallVector<vector::ContractionOp> products;
  llvm::SetVector<Value> sums;
};

/// Where more tiles than registers would be live at a product, reads the one
/// whose next use is farthest in the run again for that use.
void repeatReads(const TileRun &run, const TileLiveness &liveness);

} // namespace mlir::deltanet::cpu

#endif // DELTANET_LIB_CPU_TILEREGISTERS_H
