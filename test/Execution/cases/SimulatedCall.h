//===- SimulatedCall.h - Calls on the simulated GPU, as hosts make them ---===//
//
// Part of the Delta-Net project.
//
// What `run` of the harness does in one step: for tests of streams, graphs and
// memory. Each function reports what is wrong as a failure of the running test.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_SIMULATEDCALL_H
#define DELTANET_TEST_EXECUTION_SIMULATEDCALL_H

#include "Runs.h"
#include "deltanet-c/cuda.h"

namespace mlir::deltanet::execution {

/// A simulated sm_80 whose context is the current one of this thread.
class SimulatedGpu {
public:
  SimulatedGpu();
  SimulatedGpu(const SimulatedGpu &) = delete;
  ~SimulatedGpu();

  dn_cuda *driver() const { return cuda; }

  /// A function of the driver API, or of the simulator.
  void *function(const char *name) const;

  /// Makes the context the current one of a thread that calls this.
  void enter() const;
  void leave() const;

  /// Launches so far were without findings.
  void expectNoFindings() const;

private:
  void *library = nullptr;
  dn_cuda *cuda = nullptr;
};

/// A variant with state layout kv and the tensors of one call, in memory of the
/// GPU.
class SimulatedCall {
public:
  /// Tokens, and states of sequences, lie `stride` elements apart; 0: packed.
  SimulatedCall(const SimulatedGpu &gpu, const Variant &variant,
                const verification::Problem &problem, int64_t stride = 0);
  SimulatedCall(const SimulatedCall &) = delete;
  ~SimulatedCall();

  /// The inputs of another problem of the same shape.
  void upload(const verification::Problem &problem);
  void launch(void *stream = nullptr) const;
  verification::RunResult download() const;

private:
  /// Rows that lie apart.
  struct Tensor {
    char *memory = nullptr;
    dn_type type = DN_TYPE_F32;
    int64_t rows = 0, row = 0, stride = 0;
  };
  Tensor place(dn_type type, int64_t rows, int64_t row);
  void write(const Tensor &tensor, llvm::ArrayRef<float> values) const;
  std::vector<float> read(const Tensor &tensor) const;
  char *allocate(uint64_t bytes);

  const SimulatedGpu &gpu;
  const int64_t stride;
  std::vector<void *> buffers;
  Tensor q, k, v, g, beta, stateIn, o, stateOut;
  dn_args args = {};
  dn_cuda_kernel *loaded = nullptr;
};

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_SIMULATEDCALL_H
