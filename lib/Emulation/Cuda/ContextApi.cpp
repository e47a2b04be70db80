//===- ContextApi.cpp - cuCtx* and cuStream*, simulated -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "DriverApi.h"
#include "StreamHandles.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

static CUresult failForDevice(CUdevice device) {
  return fail(CUDA_ERROR_INVALID_DEVICE,
              "expected a device that exists, got " + llvm::Twine(device));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return inDriver([&](Driver &driver) {
    if (!driver.isDevice(device))
      return failForDevice(device);
    *context = driver.retain(device);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return inDriver([&](Driver &driver) {
    if (!driver.isDevice(device))
      return failForDevice(device);
    if (driver.release(device))
      return CUDA_SUCCESS;
    return fail(CUDA_ERROR_INVALID_CONTEXT,
                "expected a context that someone retains, got none");
  });
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  return inDriver([&](Driver &) {
    *context = currentContext();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return inDriver([&](Driver &driver) {
    if (context && !driver.find(context))
      return fail(CUDA_ERROR_INVALID_CONTEXT,
                  "expected a context that someone retains, got another");
    currentContext() = context;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice *device) {
  return inDriver([&](Driver &driver) {
    // A launch with findings is no reason not to know where it was.
    Context *context = driver.find(currentContext());
    if (!context)
      return fail(CUDA_ERROR_INVALID_CONTEXT,
                  "expected a current context, got none");
    *device = context->device;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  return inDriver([&](Driver &driver) {
    CUcontext asked = context ? context : currentContext();
    if (!driver.find(asked))
      return fail(CUDA_ERROR_INVALID_CONTEXT,
                  "expected a context that someone retains, got another");
    *id = reinterpret_cast<uintptr_t>(asked);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return inContext([](Driver &, Context &) { return CUDA_SUCCESS; });
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return inContext([&](Driver &, Context &context) {
    if (flags > 1)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected the flags 0 or 1 of a stream, got " +
                      llvm::Twine(flags));
    *stream = context.streams.add(std::make_unique<Stream>());
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return inContext([&](Driver &, Context &context) {
    return context.streams.remove(stream) ? CUDA_SUCCESS : failForStream();
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return inContext([&](Driver &, Context &context) {
    if (!isStream(context, stream))
      return failForStream();
    return captureOf(context, stream) ? failForCapture() : CUDA_SUCCESS;
  });
}
