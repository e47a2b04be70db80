//===- FakeMemory.cpp - Memory and streams of the fake driver -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeDriverState.h"

#include <cstring>

using namespace fake;

cu_result cuMemAlloc_v2(cu_pointer *pointer, size_t bytes) {
  Call call("cuMemAlloc_v2", number(bytes));
  if (call.result != CU_SUCCESS || !bytes)
    return bytes ? call.result : InvalidValue;
  auto memory = std::make_unique<char[]>(bytes);
  *pointer = reinterpret_cast<cu_pointer>(memory.get());
  state->memory[*pointer] = std::move(memory);
  return CU_SUCCESS;
}

cu_result cuMemFree_v2(cu_pointer pointer) {
  Call call("cuMemFree_v2");
  return state->memory.erase(pointer) ? call.result : InvalidValue;
}

cu_result cuMemcpyHtoD_v2(cu_pointer to, const void *from, size_t bytes) {
  Call call("cuMemcpyHtoD_v2", number(bytes));
  memcpy(reinterpret_cast<void *>(to), from, bytes);
  return call.result;
}

cu_result cuMemcpyDtoH_v2(void *to, cu_pointer from, size_t bytes) {
  Call call("cuMemcpyDtoH_v2", number(bytes));
  memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return call.result;
}

cu_result cuMemsetD8_v2(cu_pointer to, unsigned char value, size_t bytes) {
  Call call("cuMemsetD8_v2", number(bytes));
  memset(reinterpret_cast<void *>(to), value, bytes);
  return call.result;
}

cu_result cuStreamCreate(cu_stream *stream, unsigned flags) {
  Call call("cuStreamCreate", number(flags));
  if (call.result == CU_SUCCESS)
    state->streams.insert(*stream = new cu_stream_object);
  return call.result;
}

cu_result cuStreamDestroy_v2(cu_stream stream) {
  Call call("cuStreamDestroy_v2");
  if (!state->streams.erase(stream))
    return InvalidHandle;
  delete stream;
  return call.result;
}

cu_result cuStreamSynchronize(cu_stream stream) {
  Call call("cuStreamSynchronize");
  return state->streams.count(stream) ? call.result : InvalidHandle;
}
