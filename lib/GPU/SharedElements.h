//===- SharedElements.h - What one thread computes of an operation --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_SHAREDELEMENTS_H
#define DELTANET_LIB_GPU_SHAREDELEMENTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::deltanet {

/// An operation of linalg on memory whose parallel elements are shared out.
struct SharedElements {
  linalg::LinalgOp op;
  SmallVector<unsigned> parallel, reductions;
  /// The dimension whose elements one thread computes together, and their
  /// number. It is none of `parallel`, unless they are but groups of neighbours
  /// of the last dimension.
  std::optional<unsigned> together;
  int64_t count = 1;
  bool areGroups = false;

  /// Error: tensors, results that a reduced dimension numbers, or a mark
  /// without a last parallel dimension of a static size.
  static FailureOr<SharedElements> find(linalg::LinalgOp op, int64_t threads);

  /// Replaces the operation by what a thread does: element or group i, counted
  /// with the last dimension fastest, is that of thread i mod threads. Sums
  /// stay in registers until they are complete.
  void distribute(RewriterBase &rewriter, Value thread, int64_t threads);

private:
  /// Elementwise operations of enough elements for all threads.
  void findNeighbours(int64_t threads);
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_SHAREDELEMENTS_H
