//===- CallBuffers.h - The memory of one kernel call ------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_CALLBUFFERS_H
#define DELTANET_LIB_VERIFICATION_CALLBUFFERS_H

#include "StridedTensor.h"
#include "deltanet/Verification/MemoryLayout.h"
#include "deltanet/Verification/ProblemRunner.h"
#include <deque>

namespace mlir::deltanet::verification {

/// Tensors of a problem in guarded memory, as a kernel wants them, and the
/// dn_args that describe them. The problem must outlive the buffers.
class CallBuffers {
public:
  CallBuffers(const dn_kernel &kernel, const Problem &problem,
              const MemoryLayout &layout);
  CallBuffers(const CallBuffers &) = delete;

  const dn_args &args() const { return callArgs; }

  /// Writes the inputs and poisons the outputs; call before each run.
  void prepare();

  /// Reads the outputs of a run and appends memory faults to the result.
  void collect(RunResult &result);

  /// Whether the outputs are those of `result`, bit for bit.
  bool sameOutputs(const RunResult &result) const;

private:
  GuardedMemory &addMemory(size_t bytes, size_t guardBytes, size_t offset);
  void place(StridedTensor &tensor);
  void placeSideBySide();
  void describe();
  std::vector<float> loadOutput() const;
  std::vector<float> loadFinalState() const;

  const dn_kernel &kernel;
  const Problem &problem;
  MemoryLayout layout;
  std::deque<std::pair<std::string, GuardedMemory>> memories;
  StridedTensor q, k, v, g, beta, stateIn, cuSeqlens, o, stateOut;
  StridedTensor workspace;
  dn_args callArgs = {};
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_CALLBUFFERS_H
