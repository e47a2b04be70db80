//===- EventApi.cpp - cuEvent*, simulated ---------------------------------===//
//
// Part of the Delta-Net project.
//
// All work has ended when the call for it returns, so an event happens when it
// is recorded. Its time is what the simulation took, which says nothing of a
// GPU.
//
//===----------------------------------------------------------------------===//

#include "DriverApi.h"
#include "StreamHandles.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

static CUresult failForEvent() {
  return fail(CUDA_ERROR_INVALID_HANDLE,
              "expected an event of the current context, got another");
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return inContext([&](Driver &, Context &context) {
    if (flags > 1)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected the flags 0 or 1 of an event, got " +
                      llvm::Twine(flags));
    *event = context.events.add(std::make_unique<Event>());
    return CUDA_SUCCESS;
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return inContext([&](Driver &, Context &context) {
    return context.events.remove(event) ? CUDA_SUCCESS : failForEvent();
  });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return inContext([&](Driver &, Context &context) {
    Event *found = context.events.find(event);
    if (!found)
      return failForEvent();
    if (!isStream(context, stream))
      return failForStream();
    if (captureOf(context, stream))
      return failForCapture();
    found->recorded = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
}

CUresult cuEventSynchronize(CUevent event) {
  return inContext([&](Driver &, Context &context) {
    return context.events.find(event) ? CUDA_SUCCESS : failForEvent();
  });
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  return inContext([&](Driver &, Context &context) {
    Event *first = context.events.find(begin), *last = context.events.find(end);
    if (!first || !last)
      return failForEvent();
    if (!first->recorded || !last->recorded)
      return fail(CUDA_ERROR_INVALID_HANDLE,
                  "expected events that were recorded, got one that was not");
    *milliseconds = std::chrono::duration<float, std::milli>(*last->recorded -
                                                             *first->recorded)
                        .count();
    return CUDA_SUCCESS;
  });
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent begin,
                               CUevent end) {
  return cuEventElapsedTime(milliseconds, begin, end);
}
