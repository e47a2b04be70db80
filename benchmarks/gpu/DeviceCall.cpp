//===- DeviceCall.cpp - A call with its tensors on a GPU ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "DeviceCall.h"
#include "cuda/Device.h"
#include "deltanet/Verification/ElementTypes.h"
#include "deltanet/Verification/InputGenerator.h"
#include <utility>

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

/// Tokens that are generated.
static constexpr int64_t kTokens = 256;

DeviceCall::DeviceCall(DeviceCall &&other)
    : cuda(other.cuda), buffers(std::exchange(other.buffers, {})),
      callArgs(other.callArgs) {}

DeviceCall::~DeviceCall() {
  char message[DN_MESSAGE_BYTES];
  for (char *buffer : buffers)
    dn_device_free(cuda, buffer, message, sizeof message);
}

llvm::Expected<char *> DeviceCall::place(uint64_t bytes) {
  char message[DN_MESSAGE_BYTES];
  void *memory = nullptr;
  dn_status status =
      dn_device_allocate(cuda, bytes, &memory, message, sizeof message);
  if (status != DN_OK)
    return errorOf(status, message);
  buffers.push_back(static_cast<char *>(memory));
  return buffers.back();
}

llvm::Expected<char *> DeviceCall::repeat(llvm::ArrayRef<char> bytes,
                                          int64_t count) {
  llvm::Expected<char *> memory = place(bytes.size() * uint64_t(count));
  if (!memory)
    return memory.takeError();
  char message[DN_MESSAGE_BYTES];
  for (int64_t i = 0; i < count; ++i) {
    dn_status status =
        dn_device_write(cuda, *memory + i * bytes.size(), bytes.data(),
                        bytes.size(), message, sizeof message);
    if (status != DN_OK)
      return errorOf(status, message);
  }
  return *memory;
}

static std::vector<char> bytesOf(dn_type type, llvm::ArrayRef<float> values) {
  std::vector<char> bytes(values.size() * elementBytes(type));
  encode(type, values, bytes.data());
  return bytes;
}

llvm::Error DeviceCall::fillTokens(const Problem &block, int64_t tokens) {
  const RuleFacts &facts = block.facts;
  auto fill = [&](auto &pointer, dn_type type,
                  llvm::ArrayRef<float> values) -> llvm::Error {
    // Whole blocks: a few tokens more than the call has do no harm.
    int64_t blocks = (tokens + block.tokens - 1) / block.tokens;
    llvm::Expected<char *> memory = repeat(bytesOf(type, values), blocks);
    if (!memory)
      return memory.takeError();
    pointer = reinterpret_cast<std::decay_t<decltype(pointer)>>(*memory);
    return llvm::Error::success();
  };
  if (llvm::Error error = fill(callArgs.q, facts.ioType, block.q))
    return error;
  if (llvm::Error error = fill(callArgs.k, facts.ioType, block.k))
    return error;
  if (llvm::Error error = fill(callArgs.v, facts.ioType, block.v))
    return error;
  if (llvm::Error error = fill(callArgs.beta, DN_TYPE_F32, block.beta))
    return error;
  if (facts.rule == DN_RULE_GATED)
    if (llvm::Error error = fill(callArgs.g, DN_TYPE_F32, block.g))
      return error;
  llvm::Expected<char *> o =
      place(uint64_t(tokens * facts.hv * facts.v) * elementBytes(facts.ioType));
  if (!o)
    return o.takeError();
  callArgs.o = *o;
  return llvm::Error::success();
}

llvm::Error DeviceCall::fillStates(const Problem &block,
                                   const RunnerTraits &traits,
                                   bool inPlaceState) {
  const RuleFacts &facts = block.facts;
  if (traits.takesState) {
    // Of normal values, a transposed state is as good as another.
    llvm::Expected<char *> state =
        repeat(bytesOf(DN_TYPE_F32, block.stateIn), callArgs.sequences);
    if (!state)
      return state.takeError();
    callArgs.state_in = reinterpret_cast<float *>(*state);
    if (inPlaceState)
      callArgs.state_out = reinterpret_cast<float *>(*state);
  }
  if (traits.givesState && !callArgs.state_out) {
    llvm::Expected<char *> state =
        place(uint64_t(callArgs.sequences * facts.hv * facts.k * facts.v) *
              sizeof(float));
    if (!state)
      return state.takeError();
    callArgs.state_out = reinterpret_cast<float *>(*state);
  }
  return llvm::Error::success();
}

llvm::Error DeviceCall::fillOffsets(const RunnerTraits &traits,
                                    int64_t tokens) {
  if (!traits.takesCuSeqlens())
    return llvm::Error::success();
  size_t element = elementBytes(traits.indexType);
  std::vector<char> offsets((callArgs.sequences + 1) * element);
  for (int64_t i = 0; i <= callArgs.sequences; ++i) {
    int64_t offset = i * tokens;
    // Little endian: the lower half comes first.
    std::memcpy(offsets.data() + i * element, &offset, element);
  }
  llvm::Expected<char *> memory = repeat(offsets, 1);
  if (!memory)
    return memory.takeError();
  callArgs.cu_seqlens = *memory;
  return llvm::Error::success();
}

llvm::Expected<DeviceCall> DeviceCall::create(const OpenedGpu &gpu,
                                              const dn_kernel &kernel,
                                              const RunnerTraits &traits,
                                              int64_t sequences, int64_t tokens,
                                              bool inPlaceState) {
  GeneratorOptions inputs;
  inputs.initialState = traits.takesState;
  int64_t all = sequences * tokens;
  llvm::Expected<Problem> block =
      generateProblem(traits.facts, {std::min(all, kTokens)}, inputs);
  if (!block)
    return block.takeError();
  DeviceCall call(gpu.driver());
  call.callArgs.size = sizeof(dn_args);
  call.callArgs.tokens = all;
  call.callArgs.sequences = sequences;
  dn_set_packed_strides(&kernel, &call.callArgs);
  if (llvm::Error error = call.fillTokens(*block, all))
    return std::move(error);
  if (llvm::Error error = call.fillStates(*block, traits, inPlaceState))
    return std::move(error);
  if (llvm::Error error = call.fillOffsets(traits, tokens))
    return std::move(error);
  if (uint64_t bytes = kernel.workspace_bytes(&call.callArgs)) {
    llvm::Expected<char *> workspace = call.place(bytes);
    if (!workspace)
      return workspace.takeError();
    call.callArgs.workspace = *workspace;
    call.callArgs.workspace_bytes = bytes;
  }
  char message[DN_MESSAGE_BYTES];
  if (dn_status status =
          dn_cuda_check(&kernel, &call.callArgs, message, sizeof message);
      status != DN_OK)
    return errorOf(status, message);
  return call;
}
