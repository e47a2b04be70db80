//===- KernelApi.cpp - cuFunc* and cuLaunchKernel, simulated --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Capability.h"
#include "Driver.h"
#include "DriverApi.h"
#include "StreamHandles.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

static constexpr uint64_t kMostThreads = 1024;

static CUresult failForKernel() {
  return fail(CUDA_ERROR_INVALID_HANDLE,
              "expected a kernel of the current context, got another");
}

static CUresult failForAttribute(CUfunction_attribute attribute) {
  return fail(CUDA_ERROR_INVALID_VALUE,
              "expected an attribute of kernels that is simulated, got " +
                  llvm::Twine(int(attribute)));
}

static uint64_t mostThreads(const ptx::KernelInfo &info) {
  auto [x, y, z] =
      info.requiredThreads[0] ? info.requiredThreads : info.maxThreads;
  return x ? uint64_t(x) * y * z : kMostThreads;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction function) {
  return inContext([&](Driver &, Context &context) {
    const Kernel *kernel = context.kernels.find(function);
    if (!kernel)
      return failForKernel();
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = int(mostThreads(*kernel->info));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = int(kernel->info->staticSharedBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = int(kernel->dynamicSharedLimit);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      break;
    }
    return failForAttribute(attribute);
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                            int value) {
  return inContext([&](Driver &driver, Context &context) {
    Kernel *kernel = context.kernels.find(function);
    if (!kernel)
      return failForKernel();
    // A wish that changes no results.
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
      return CUDA_SUCCESS;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
      return failForAttribute(attribute);
    uint64_t limit = sharedMemoryLimit(driver.options().capability) -
                     kernel->info->staticSharedBytes;
    if (value < 0 || uint64_t(value) > limit)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected at most " + llvm::Twine(limit) +
                      " bytes of dynamic shared memory, got " +
                      llvm::Twine(value));
    kernel->dynamicSharedLimit = uint64_t(value);
    return CUDA_SUCCESS;
  });
}

/// Whether a GPU would take the launch. What is left are the limits of extents.
static CUresult check(const Context &context, const Kernel *kernel,
                      const ptx::LaunchShape &shape, CUstream stream,
                      void *const *parameters, void *const *extra) {
  if (!kernel)
    return failForKernel();
  if (!isStream(context, stream))
    return failForStream();
  if (extra)
    return fail(CUDA_ERROR_NOT_SUPPORTED,
                "expected parameters by pointers, got a buffer of them");
  if (!parameters && !kernel->info->parameters.empty())
    return fail(CUDA_ERROR_INVALID_VALUE,
                "expected " + llvm::Twine(kernel->info->parameters.size()) +
                    " parameters, got none");
  if (shape.dynamicSharedBytes > kernel->dynamicSharedLimit)
    return fail(CUDA_ERROR_INVALID_VALUE,
                "expected at most the " +
                    llvm::Twine(kernel->dynamicSharedLimit) +
                    " bytes of dynamic shared memory that were asked for, "
                    "got " +
                    llvm::Twine(shape.dynamicSharedBytes));
  return CUDA_SUCCESS;
}

CUresult cuda::execute(Driver &driver, Context &context,
                       const KernelLaunch &launch) {
  const Kernel *kernel = context.kernels.find(launch.kernel);
  if (!kernel)
    return failForKernel();
  ptx::LaunchOptions options;
  options.seed = driver.options().seed;
  options.checks = !driver.options().without_checks;
  options.instructionLimit = driver.options().instruction_limit;
  options.sharedLimit = sharedMemoryLimit(driver.options().capability);
  std::vector<llvm::ArrayRef<char>> parameters(launch.parameters.begin(),
                                               launch.parameters.end());
  llvm::Expected<ptx::LaunchResult> result =
      ptx::launch(*kernel->program, kernel->info->name, launch.shape,
                  parameters, context.memory, options);
  if (!result)
    return fail(CUDA_ERROR_INVALID_VALUE, llvm::toString(result.takeError()));
  driver.record(context, *kernel, launch.shape, *result);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **parameters, void **extra) {
  return inContext([&](Driver &driver, Context &context) {
    KernelLaunch launch{
        function,
        {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes},
        {}};
    const Kernel *kernel = context.kernels.find(function);
    CUresult checked =
        check(context, kernel, launch.shape, stream, parameters, extra);
    if (checked != CUDA_SUCCESS)
      return checked;
    for (const ptx::Parameter &parameter : kernel->info->parameters) {
      auto *begin = static_cast<char *>(parameters[launch.parameters.size()]);
      launch.parameters.emplace_back(begin, begin + parameter.bytes);
    }
    Graph *captured = captureOf(context, stream);
    if (!captured)
      return execute(driver, context, launch);
    captured->launches.push_back(std::move(launch));
    return CUDA_SUCCESS;
  });
}
