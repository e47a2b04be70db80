//===- FakeGpuKernel.h - A descriptor with images of the fake driver ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEGPUKERNEL_H
#define DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEGPUKERNEL_H

#include "FakeDriver.h"
#include "deltanet-c/cuda.h"

#include <gtest/gtest.h>

#include <string>

/// The kernel of FakeKernel.h as a variant for GPUs, with a cubin and PTX. Two
/// stages: "intra" of T items, 128 threads and 64 KB of shared memory, and
/// "scan" of N items, 256 threads and none.
struct FakeGpuKernel {
  explicit FakeGpuKernel(uint32_t chip = 90, bool only = false);
  FakeGpuKernel(const FakeGpuKernel &) = delete;

  void setPtx(const std::string &text);
  void setCubin(const std::string &text);

  /// The functions as an image tells them.
  static std::string functions(uint64_t argsBytes = sizeof(dn_args));

  std::string ptx, cubin;
  dn_cuda_stage stages[2];
  dn_cuda_code code;
  dn_kernel kernel;
};

/// Each test has a driver of its own, opened, with a current context; whatever
/// it does, nothing may stay loaded.
class CudaTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  dn_status load(const dn_kernel &kernel, dn_cuda_kernel **out);
  dn_status launch(const dn_cuda_kernel *kernel, const dn_args &args,
                   void *stream = nullptr);

  FakeDriver *driver = nullptr;
  cu_context context = nullptr;
  dn_cuda *cuda = nullptr;
  char message[DN_MESSAGE_BYTES];
};

#endif // DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEGPUKERNEL_H
