//===- Results.cpp - Names and texts of the results of CUDA ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "DriverApi.h"
#include "llvm/ADT/STLExtras.h"

namespace {
struct ResultText {
  CUresult result;
  const char *name, *text;
};

constexpr ResultText kTexts[] = {
#define RESULT(NAME, TEXT) {NAME, #NAME, TEXT}
    RESULT(CUDA_SUCCESS, "no error"),
    RESULT(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    RESULT(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    RESULT(CUDA_ERROR_NOT_INITIALIZED, "not initialized"),
    RESULT(CUDA_ERROR_INVALID_DEVICE, "no such device"),
    RESULT(CUDA_ERROR_INVALID_CONTEXT, "no valid context is current"),
    RESULT(CUDA_ERROR_NO_BINARY_FOR_GPU, "no code that this GPU executes"),
    RESULT(CUDA_ERROR_INVALID_PTX, "PTX that is wrong, or not for this GPU"),
    RESULT(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "PTX of a later version"),
    RESULT(CUDA_ERROR_INVALID_HANDLE, "a handle of nothing in this context"),
    RESULT(CUDA_ERROR_ILLEGAL_STATE, "not in this state"),
    RESULT(CUDA_ERROR_NOT_FOUND, "no such name"),
    RESULT(CUDA_ERROR_ILLEGAL_ADDRESS, "a kernel accessed memory that it must "
                                       "not"),
    RESULT(CUDA_ERROR_LAUNCH_TIMEOUT, "a kernel did not end"),
    RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context is gone"),
    RESULT(CUDA_ERROR_ILLEGAL_INSTRUCTION, "a kernel executed an instruction "
                                           "that is not allowed"),
    RESULT(CUDA_ERROR_MISALIGNED_ADDRESS, "a kernel made a misaligned access"),
    RESULT(CUDA_ERROR_LAUNCH_FAILED, "a kernel failed"),
    RESULT(CUDA_ERROR_NOT_SUPPORTED, "not simulated"),
    RESULT(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "not while a stream is "
                                                  "captured"),
#undef RESULT
};

const ResultText *find(CUresult result) {
  const ResultText *found = llvm::find_if(
      kTexts, [&](const ResultText &each) { return each.result == result; });
  return found == std::end(kTexts) ? nullptr : found;
}
} // namespace

CUresult cuGetErrorName(CUresult result, const char **name) {
  const ResultText *known = find(result);
  *name = known ? known->name : nullptr;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char **text) {
  const ResultText *known = find(result);
  *text = known ? known->text : nullptr;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
