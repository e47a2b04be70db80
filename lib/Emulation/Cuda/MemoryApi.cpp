//===- MemoryApi.cpp - cuMem*, simulated ----------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "DriverApi.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

static CUresult failForRange(Context &context, CUdeviceptr address,
                             size_t bytes) {
  return fail(CUDA_ERROR_INVALID_VALUE,
              "expected " + llvm::Twine(bytes) + " bytes of one buffer, got " +
                  context.memory.describe(address, bytes));
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  return inContext([&](Driver &driver, Context &context) {
    if (!address || bytes == 0)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected at least one byte and a place for its address");
    uint64_t total = driver.options().memory_bytes;
    if (bytes > total - context.allocatedBytes)
      return fail(CUDA_ERROR_OUT_OF_MEMORY,
                  "expected at most the " +
                      llvm::Twine(total - context.allocatedBytes) +
                      " bytes that are left, got " + llvm::Twine(bytes));
    *address = context.memory.allocate("a buffer without a name", bytes);
    context.allocations[*address] = bytes;
    context.allocatedBytes += bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return inContext([&](Driver &, Context &context) {
    if (address == 0)
      return CUDA_SUCCESS;
    auto found = context.allocations.find(address);
    if (found == context.allocations.end())
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected the begin of a buffer, got " +
                      context.memory.describe(address, 1));
    context.allocatedBytes -= found->second;
    context.allocations.erase(found);
    context.memory.release(address);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return inContext([&](Driver &, Context &context) {
    if (bytes == 0 ||
        context.memory.write(to, {static_cast<const char *>(from), bytes}))
      return CUDA_SUCCESS;
    return failForRange(context, to, bytes);
  });
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return inContext([&](Driver &, Context &context) {
    if (bytes == 0 ||
        context.memory.read(from, {static_cast<char *>(to), bytes}))
      return CUDA_SUCCESS;
    return failForRange(context, from, bytes);
  });
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t bytes) {
  return inContext([&](Driver &, Context &context) {
    // Checked first: a wrong size must not become memory of this process.
    if (bytes && !context.memory.find(to, bytes))
      return failForRange(context, to, bytes);
    if (bytes)
      context.memory.write(to, std::vector<char>(bytes, char(value)));
    return CUDA_SUCCESS;
  });
}

/// The buffer in any context, if one holds these bytes.
static ptx::DeviceBuffer *findBuffer(Driver &driver, uint64_t address,
                                     uint64_t bytes, Context *&owner) {
  for (CUcontext handle : driver.contextsInUse()) {
    owner = driver.find(handle);
    if (ptx::DeviceBuffer *buffer = owner->memory.find(address, bytes))
      return buffer;
  }
  return nullptr;
}

int dn_sim_describe_buffer(uint64_t address, const char *name, int writable) {
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  Context *owner;
  ptx::DeviceBuffer *buffer = findBuffer(driver, address, 1, owner);
  if (!buffer || buffer->begin != address)
    return false;
  buffer->name = name;
  buffer->permission =
      writable ? ptx::Permission::ReadWrite : ptx::Permission::Read;
  return true;
}

int dn_sim_mark_uninitialised(uint64_t address, uint64_t bytes) {
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  Context *owner;
  if (!findBuffer(driver, address, bytes, owner))
    return false;
  owner->memory.markUninitialised(address, bytes);
  return true;
}
