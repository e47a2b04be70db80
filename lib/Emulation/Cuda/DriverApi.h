//===- DriverApi.h - What libcuda.so.1 exports, simulated -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// The functions of the CUDA driver API that the runtime calls, and those that
// measure kernels. They do what its manual says; streams are in order, as each
// call has ended when it returns. Times are this machine's, not a GPU's.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_CUDA_DRIVERAPI_H
#define DELTANET_LIB_EMULATION_CUDA_DRIVERAPI_H

#include "CudaTypes.h"
#include "deltanet/Emulation/Cuda/SimulatedDriver.h"

#define CUDA_API extern "C" DN_SIM_API CUresult

CUDA_API cuDriverGetVersion(int *version);
CUDA_API cuInit(unsigned flags);
CUDA_API cuGetErrorName(CUresult result, const char **name);
CUDA_API cuGetErrorString(CUresult result, const char **text);

CUDA_API cuDeviceGetCount(int *count);
CUDA_API cuDeviceGet(CUdevice *device, int ordinal);
CUDA_API cuDeviceGetName(char *name, int bytes, CUdevice device);
CUDA_API cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device);

CUDA_API cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUDA_API cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUDA_API cuCtxGetCurrent(CUcontext *context);
CUDA_API cuCtxSetCurrent(CUcontext context);
CUDA_API cuCtxGetDevice(CUdevice *device);
CUDA_API cuCtxGetId(CUcontext context, unsigned long long *id);
CUDA_API cuCtxSynchronize();

CUDA_API cuModuleLoadData(CUmodule *module, const void *image);
CUDA_API cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned optionCount, CUjit_option *options,
                            void **values);
CUDA_API cuModuleUnload(CUmodule module);
CUDA_API cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name);
CUDA_API cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction function);
CUDA_API cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                            int value);
CUDA_API cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **parameters, void **extra);

CUDA_API cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
CUDA_API cuMemFree_v2(CUdeviceptr address);
CUDA_API cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUDA_API cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUDA_API cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t bytes);

CUDA_API cuStreamCreate(CUstream *stream, unsigned flags);
CUDA_API cuStreamDestroy_v2(CUstream stream);
CUDA_API cuStreamSynchronize(CUstream stream);

CUDA_API cuEventCreate(CUevent *event, unsigned flags);
CUDA_API cuEventDestroy_v2(CUevent event);
CUDA_API cuEventRecord(CUevent event, CUstream stream);
CUDA_API cuEventSynchronize(CUevent event);
CUDA_API cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end);
// What programs made with CUDA 13 call.
CUDA_API cuEventElapsedTime_v2(float *milliseconds, CUevent begin, CUevent end);

CUDA_API cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode);
CUDA_API cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUDA_API cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags);
CUDA_API cuGraphLaunch(CUgraphExec executable, CUstream stream);
CUDA_API cuGraphExecDestroy(CUgraphExec executable);
CUDA_API cuGraphDestroy(CUgraph graph);

#endif // DELTANET_LIB_EMULATION_CUDA_DRIVERAPI_H
