//===- Calls.h - The dynamic choices of the grid ----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_CALLS_H
#define DELTANET_TEST_EXECUTION_CALLS_H

#include "AllPairs.h"
#include "KernelSpec.h"
#include "deltanet/Verification/MemoryLayout.h"

namespace mlir::deltanet::execution {

/// One call of a kernel: lengths, values and where the tensors lie.
struct GridCall {
  std::vector<int64_t> lengths;
  int64_t tail = 0; ///< tokens behind the last sequence
  verification::GeneratorOptions values;
  std::optional<double> scale; ///< replaces the kernel's own
  verification::MemoryLayout memory;

  verification::Problem problem(const KernelSpec &spec) const;

  /// The options of delta-run that make the same call, as far as it can.
  std::string runOptions(const KernelSpec &spec) const;
};

/// One call for each T of the grid; with cu_seqlens, T is the length of one of
/// several sequences. Calls whose results all vanish are never drawn.
std::vector<GridCall> drawCalls(const KernelSpec &spec, Draw &draw);

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_CALLS_H
