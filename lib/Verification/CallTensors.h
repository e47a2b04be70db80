//===- CallTensors.h - The tensors of one call in memory --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_CALLTENSORS_H
#define DELTANET_LIB_VERIFICATION_CALLTENSORS_H

#include "StridedTensor.h"
#include "deltanet/Verification/MemoryLayout.h"
#include "deltanet/Verification/ProblemRunner.h"
#include <deque>

namespace mlir::deltanet::verification {

/// The tensors of a problem in guarded memory, as a runner wants them. Operands
/// that it does not take have no data. The problem and the traits must outlive
/// the tensors.
class CallTensors {
public:
  CallTensors(const RunnerTraits &traits, const Problem &problem,
              const MemoryLayout &layout);
  CallTensors(const CallTensors &) = delete;

  StridedTensor q, k, v, g, beta, stateIn, cuSeqlens, o, stateOut;

  /// Guarded memory for what a runner needs besides, with any contents.
  char *addWorkspace(size_t bytes);

  /// Writes the inputs and poisons the outputs; call before each run.
  void prepare();

  /// A block as a kernel may use it.
  struct Extent {
    llvm::StringRef name;
    char *begin;
    size_t bytes;
    size_t guard; ///< bytes that lie before and after it, at least
    bool output;  ///< may be written
    bool any;     ///< may begin with any contents: a workspace
  };
  std::vector<Extent> extents();

  /// Calls for all rows of the inputs: what prepare() wrote for kernels.
  void
  visitInputRows(llvm::function_ref<void(const char *, size_t)> visit) const;

  /// Reads the outputs of a run and appends memory faults to the result.
  void collect(RunResult &result);

  /// Whether the outputs are those of `result`, bit for bit.
  bool sameOutputs(const RunResult &result) const;

private:
  struct Block {
    std::string name;
    GuardedMemory memory;
    bool writable; ///< the whole payload may change
  };

  GuardedMemory &addBlock(llvm::StringRef name, size_t bytes, size_t guard,
                          size_t offset, bool writable);
  void place(StridedTensor &tensor);
  void placeSideBySide();
  std::vector<float> loadOutput() const;
  std::vector<float> loadFinalState() const;

  const RunnerTraits &traits;
  const Problem &problem;
  MemoryLayout layout;
  std::deque<Block> blocks;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_CALLTENSORS_H
