//===- CallMemory.cpp - Tensors of a call ---------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CallMemory.h"
#include "deltanet/Verification/ElementTypes.h"
#include "deltanet/Verification/StateLayout.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace mlir::deltanet;
using namespace mlir::deltanet::bench;
using namespace mlir::deltanet::verification;

Pages::Pages(size_t bytes) {
  constexpr size_t hugePage = 1 << 21;
  // One page more: baselines and kernels prefetch beyond the end.
  size_t rounded = llvm::alignTo(bytes + 1, hugePage);
  memory.reset(std::aligned_alloc(hugePage, rounded));
  if (!memory)
    llvm::report_bad_alloc_error("tensors of a benchmark");
  // Advice only: small pages work as well.
  madvise(memory.get(), rounded, MADV_HUGEPAGE);
  std::memset(memory.get(), 0, rounded);
}

void Pages::Free::operator()(void *memory) const { std::free(memory); }

void *CallMemory::place(size_t bytes) {
  pages.emplace_back(bytes);
  return pages.back().data();
}

void *CallMemory::encode(llvm::ArrayRef<float> values) {
  void *memory = place(values.size() * elementBytes(options.ioType));
  verification::encode(options.ioType, values, memory);
  return memory;
}

CallMemory::CallMemory(const Problem &problem, const Options &options)
    : facts(problem.facts), options(options), outputElements(problem.v.size()),
      stateElements(size_t(problem.stateElements())) {
  auto copy = [&](llvm::ArrayRef<float> values) {
    void *memory = place(values.size() * sizeof(float));
    std::memcpy(memory, values.data(), values.size() * sizeof(float));
    return static_cast<float *>(memory);
  };
  callArgs.size = sizeof(dn_args);
  callArgs.q = encode(problem.q);
  callArgs.k = encode(problem.k);
  callArgs.v = encode(problem.v);
  callArgs.o = place(outputElements * elementBytes(options.ioType));
  callArgs.g = copy(problem.g);
  callArgs.beta = copy(problem.beta);
  float *state = options.stateLayout == DN_STATE_LAYOUT_KV
                     ? copy(problem.stateIn)
                     : copy(transposeStates(problem.stateIn, facts.k, facts.v));
  callArgs.state_in = state;
  callArgs.state_out =
      options.inPlaceState
          ? state
          : static_cast<float *>(place(stateElements * sizeof(float)));
  if (options.indexType != DN_TYPE_NONE) {
    size_t count = problem.cuSeqlens.size();
    void *offsets = place(count * sizeof(int64_t));
    callArgs.cu_seqlens = offsets;
    for (size_t i = 0; i < count; ++i)
      if (options.indexType == DN_TYPE_I64)
        static_cast<int64_t *>(offsets)[i] = problem.cuSeqlens[i];
      else
        static_cast<int32_t *>(offsets)[i] = int32_t(problem.cuSeqlens[i]);
  }
  callArgs.tokens = problem.tokens;
  callArgs.sequences = problem.sequences;
  describe();
}

void CallMemory::describe() {
  callArgs.q_head_stride = callArgs.k_head_stride = facts.k;
  callArgs.q_token_stride = callArgs.k_token_stride = facts.h * facts.k;
  callArgs.v_head_stride = callArgs.o_head_stride = facts.v;
  callArgs.v_token_stride = callArgs.o_token_stride = facts.hv * facts.v;
  callArgs.g_token_stride = callArgs.beta_token_stride = facts.hv;
  callArgs.state_in_head_stride = facts.k * facts.v;
  callArgs.state_in_sequence_stride = facts.hv * facts.k * facts.v;
  callArgs.state_out_head_stride = callArgs.state_in_head_stride;
  callArgs.state_out_sequence_stride = callArgs.state_in_sequence_stride;
}

void CallMemory::addWorkspace(const dn_kernel &kernel) {
  callArgs.workspace_bytes = kernel.workspace_bytes(&callArgs);
  if (callArgs.workspace_bytes)
    callArgs.workspace = place(callArgs.workspace_bytes);
}

std::vector<float> CallMemory::output() const {
  std::vector<float> values(outputElements);
  decode(options.ioType, callArgs.o, values);
  return values;
}

std::vector<float> CallMemory::finalState() const {
  llvm::ArrayRef<float> state(callArgs.state_out, stateElements);
  if (options.stateLayout == DN_STATE_LAYOUT_KV)
    return state.vec();
  return transposeStates(state, facts.v, facts.k);
}
