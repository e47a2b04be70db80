//===- ColumnAxis.h - Which dimension of each tensor is V -----------------===//
//
// Part of the Delta-Net project.
//
// Everything that is computed from the state treats its columns alike. Starting
// from tensors whose column dimension is known, this finds that of all tensors
// that a run of operations touches, and with it that the run can be cut into
// blocks of columns.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_COLUMNAXIS_H
#define DELTANET_LIB_TRANSFORMS_COLUMNAXIS_H

#include "OperationRun.h"
#include <optional>
#include <string>

namespace mlir::deltanet {

class ColumnAxis {
public:
  /// `columns` is the size of the dimension.
  explicit ColumnAxis(int64_t columns) : columns(columns) {}

  void set(Value tensor, unsigned dimension);
  std::optional<unsigned> get(Value tensor) const;

  /// Follows the known dimensions through the run. A reason if an operation
  /// does not treat all columns alike.
  std::optional<std::string> follow(const OperationRun &run);

private:
  void visit(Operation *op);
  void visitLinalg(Operation *op);
  /// The two tensors have the same dimensions.
  void link(Value a, Value b);
  std::optional<std::string> check(Operation *op) const;

  int64_t columns;
  DenseMap<Value, unsigned> dimensions;
  bool changed = false;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_COLUMNAXIS_H
