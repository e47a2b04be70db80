//===- driver_calls.c - A program for GPUs without Delta-Net --------------===//
//
// Part of the Delta-Net project.
//
// Calls every function that the simulated driver has, as CUDA's own header
// declares them.
//
//===----------------------------------------------------------------------===//
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static const char kernels[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry twice(.param .u64 x, .param .f32 factor)\n{\n"
    "  .reg .b32 %r<1>;\n  .reg .f32 %f<3>;\n  .reg .b64 %rd<2>;\n"
    "  ld.param.u64 %rd0, [x];\n  ld.param.f32 %f0, [factor];\n"
    "  mov.u32 %r0, %tid.x;\n  mad.wide.u32 %rd1, %r0, 4, %rd0;\n"
    "  ld.global.f32 %f1, [%rd1];\n  mul.f32 %f2, %f0, %f1;\n"
    "  st.global.f32 [%rd1], %f2;\n  ret;\n}\n";

static void check(CUresult result, const char *what) {
  const char *name = "?";
  cuGetErrorName(result, &name);
  printf("%s: %s\n", what, name);
  if (result != CUDA_SUCCESS)
    exit(1);
}
#define CHECK(CALL) check(CALL, #CALL)

int main(void) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr buffer;
  CUstream stream;
  CUevent begin, end;
  CUgraph graph;
  CUgraphExec executable;
  char name[64];
  int version, major, threads;
  unsigned long long id;
  float values[3] = {1, 2, 3}, factor = 2, milliseconds = 0;
  void *parameters[] = {&buffer, &factor};
  CHECK(cuDriverGetVersion(&version));
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceGetAttribute(
      &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuCtxGetId(context, &id));
  CHECK(cuModuleLoadDataEx(&module, kernels, 0, NULL, NULL));
  CHECK(cuModuleGetFunction(&function, module, "twice"));
  CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                           function));
  CHECK(cuFuncSetAttribute(
      function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemAlloc(&buffer, sizeof values));
  CHECK(cuMemsetD8(buffer, 0, sizeof values));
  CHECK(cuMemcpyHtoD(buffer, values, sizeof values));
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CHECK(cuLaunchKernel(function, 1, 1, 1, 3, 1, 1, 65536, stream, parameters,
                       NULL));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(begin, stream));
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuLaunchKernel(function, 1, 1, 1, 3, 1, 1, 65536, stream, parameters,
                       NULL));
  CHECK(cuEventRecord(end, stream));
  CHECK(cuEventSynchronize(end));
  CHECK(cuEventElapsedTime(&milliseconds, begin, end));
  CHECK(cuEventDestroy(begin));
  CHECK(cuEventDestroy(end));
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(values, buffer, sizeof values));
  CHECK(cuMemFree(buffer));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  printf("%s, %d threads, %s: %g %g %g\n", name, threads,
         milliseconds > 0 ? "timed" : "not timed", values[0], values[1],
         values[2]);
  return 0;
}
