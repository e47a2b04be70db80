//===- SimulatedCall.cpp - Calls on the simulated GPU, as hosts make them -===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedCall.h"
#include "cuda/Device.h"
#include "deltanet/Emulation/Cuda/SimulatedDriver.h"
#include "deltanet/Verification/ElementTypes.h"
#include "gtest/gtest.h"
#include <dlfcn.h>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

static constexpr const char *kLibrary = "libdeltanet_cuda_sim.so";

/// The message of a call of the runtime, and whether it is DN_OK.
namespace {
struct Outcome {
  char message[DN_MESSAGE_BYTES] = "";

  void expect(dn_status status) const { EXPECT_EQ(status, DN_OK) << message; }
};
} // namespace

SimulatedGpu::SimulatedGpu() {
  // Stays mapped, as drivers do.
  library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  EXPECT_TRUE(library) << dlerror();
  dn_sim_options options = {};
  options.size = sizeof options;
  // Tensors of case 37 have pages only where they are touched.
  options.memory_bytes = uint64_t(1) << 40;
  auto configure = reinterpret_cast<decltype(&dn_sim_configure)>(
      function("dn_sim_configure"));
  const char *refusal = configure(&options);
  EXPECT_FALSE(refusal) << refusal;
  Outcome outcome;
  outcome.expect(
      dn_cuda_open(kLibrary, &cuda, outcome.message, sizeof outcome.message));
  enter();
}

SimulatedGpu::~SimulatedGpu() {
  leave();
  dn_cuda_close(cuda);
}

void *SimulatedGpu::function(const char *name) const {
  void *found = dlsym(library, name);
  EXPECT_TRUE(found) << name;
  return found;
}

void SimulatedGpu::enter() const {
  Outcome outcome;
  outcome.expect(
      dn_device_retain(cuda, 0, outcome.message, sizeof outcome.message));
}

void SimulatedGpu::leave() const {
  Outcome outcome;
  outcome.expect(
      dn_device_release(cuda, 0, outcome.message, sizeof outcome.message));
}

void SimulatedGpu::expectNoFindings() const {
  auto take = reinterpret_cast<decltype(&dn_sim_take_findings)>(
      function("dn_sim_take_findings"));
  take([](void *, const char *text) { ADD_FAILURE() << text; }, nullptr);
}

SimulatedCall::SimulatedCall(const SimulatedGpu &gpu, const Variant &variant,
                             const Problem &problem, int64_t stride)
    : gpu(gpu), stride(stride) {
  const RuleFacts &facts = problem.facts;
  int64_t tokens = problem.tokens, sequences = problem.sequences;
  args.size = sizeof args;
  args.tokens = tokens;
  args.sequences = sequences;
  dn_set_packed_strides(variant.kernel, &args);
  if (stride) {
    args.q_token_stride = args.k_token_stride = args.v_token_stride =
        args.o_token_stride = args.g_token_stride = args.beta_token_stride =
            args.state_in_sequence_stride = args.state_out_sequence_stride =
                stride;
  }
  int64_t state = facts.hv * facts.k * facts.v;
  q = place(facts.ioType, tokens, facts.h * facts.k);
  k = place(facts.ioType, tokens, facts.h * facts.k);
  v = place(facts.ioType, tokens, facts.hv * facts.v);
  g = place(DN_TYPE_F32, tokens, facts.hv);
  beta = place(DN_TYPE_F32, tokens, facts.hv);
  stateIn = place(DN_TYPE_F32, sequences, state);
  o = place(facts.ioType, tokens, facts.hv * facts.v);
  stateOut = place(DN_TYPE_F32, sequences, state);
  args.q = q.memory;
  args.k = k.memory;
  args.v = v.memory;
  args.g = reinterpret_cast<float *>(g.memory);
  args.beta = reinterpret_cast<float *>(beta.memory);
  args.state_in = reinterpret_cast<float *>(stateIn.memory);
  args.o = o.memory;
  args.state_out = reinterpret_cast<float *>(stateOut.memory);
  Outcome outcome;
  auto write = [&](auto offsets) {
    std::copy(problem.cuSeqlens.begin(), problem.cuSeqlens.end(),
              offsets.begin());
    uint64_t bytes = offsets.size() * sizeof offsets[0];
    char *memory = allocate(bytes);
    args.cu_seqlens = memory;
    outcome.expect(dn_device_write(gpu.driver(), memory, offsets.data(), bytes,
                                   outcome.message, sizeof outcome.message));
  };
  if (variant.spec.indexType == DN_TYPE_I32)
    write(std::vector<int32_t>(sequences + 1));
  if (variant.spec.indexType == DN_TYPE_I64)
    write(std::vector<int64_t>(sequences + 1));
  args.workspace_bytes = variant.kernel->workspace_bytes(&args);
  args.workspace = allocate(args.workspace_bytes);
  outcome.expect(dn_cuda_check(variant.kernel, &args, outcome.message,
                               sizeof outcome.message));
  outcome.expect(dn_cuda_load(gpu.driver(), variant.kernel, &loaded,
                              outcome.message, sizeof outcome.message));
  upload(problem);
}

SimulatedCall::~SimulatedCall() {
  Outcome outcome;
  dn_cuda_unload(loaded);
  for (void *buffer : buffers)
    outcome.expect(dn_device_free(gpu.driver(), buffer, outcome.message,
                                  sizeof outcome.message));
}

void SimulatedCall::upload(const Problem &problem) {
  write(q, problem.q);
  write(k, problem.k);
  write(v, problem.v);
  write(g, problem.g);
  write(beta, problem.beta);
  write(stateIn, problem.stateIn);
}

void SimulatedCall::launch(void *stream) const {
  Outcome outcome;
  outcome.expect(dn_cuda_launch(loaded, &args, stream, outcome.message,
                                sizeof outcome.message));
}

RunResult SimulatedCall::download() const {
  RunResult result;
  result.o = read(o);
  result.finalState = read(stateOut);
  return result;
}

SimulatedCall::Tensor SimulatedCall::place(dn_type type, int64_t rows,
                                           int64_t row) {
  Tensor tensor{nullptr, type, rows, row, stride ? stride : row};
  int64_t elements = (rows - 1) * tensor.stride + row;
  tensor.memory = allocate(uint64_t(elements) * elementBytes(type));
  return tensor;
}

void SimulatedCall::write(const Tensor &tensor,
                          llvm::ArrayRef<float> values) const {
  const size_t element = elementBytes(tensor.type);
  std::vector<char> bytes(tensor.row * element);
  Outcome outcome;
  for (int64_t i = 0; i < tensor.rows; ++i) {
    encode(tensor.type, values.slice(i * tensor.row, tensor.row), bytes.data());
    outcome.expect(dn_device_write(
        gpu.driver(), tensor.memory + i * tensor.stride * element, bytes.data(),
        bytes.size(), outcome.message, sizeof outcome.message));
  }
}

std::vector<float> SimulatedCall::read(const Tensor &tensor) const {
  const size_t element = elementBytes(tensor.type);
  std::vector<char> bytes(tensor.row * element);
  std::vector<float> values(tensor.rows * tensor.row);
  Outcome outcome;
  for (int64_t i = 0; i < tensor.rows; ++i) {
    outcome.expect(dn_device_read(
        gpu.driver(), bytes.data(), tensor.memory + i * tensor.stride * element,
        bytes.size(), outcome.message, sizeof outcome.message));
    decode(tensor.type, bytes.data(),
           llvm::MutableArrayRef(values).slice(i * tensor.row, tensor.row));
  }
  return values;
}

char *SimulatedCall::allocate(uint64_t bytes) {
  Outcome outcome;
  void *memory = nullptr;
  outcome.expect(dn_device_allocate(gpu.driver(), bytes, &memory,
                                    outcome.message, sizeof outcome.message));
  buffers.push_back(memory);
  return static_cast<char *>(memory);
}
