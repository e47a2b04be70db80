//===- SimulatedGpu.h - A context of the simulated driver -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_SIMULATEDDRIVER_SIMULATEDGPU_H
#define DELTANET_TEST_UNITTESTS_SIMULATEDDRIVER_SIMULATEDGPU_H

#include "DriverApi.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

/// Makes the context of device 0 current. Findings must be taken by the test.
class SimulatedGpu : public testing::Test {
protected:
  explicit SimulatedGpu(dn_sim_options options = {});
  ~SimulatedGpu() override;

  /// A buffer with these numbers, or of so many without any.
  CUdeviceptr upload(const std::vector<uint32_t> &values);
  CUdeviceptr allocate(size_t count);
  std::vector<uint32_t> download(CUdeviceptr from, size_t count);

  /// A kernel of a module that must load.
  CUfunction load(const std::string &text, const char *kernel);
  /// Launches with parameters in any number.
  template <typename... Parameters>
  CUresult launch(CUfunction kernel, unsigned blocks, unsigned threads,
                  unsigned sharedBytes, Parameters... parameters) {
    void *pointers[] = {&parameters..., nullptr};
    return cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, sharedBytes,
                          nullptr, pointers, nullptr);
  }

  CUcontext context = nullptr;
};

/// Options of a GPU.
dn_sim_options gpuOptions(uint32_t capability, uint32_t devices = 1);

/// One of compute capability 9.0.
struct Hopper : SimulatedGpu {
  Hopper() : SimulatedGpu(gpuOptions(90)) {}
};

struct Findings {
  std::vector<std::string> texts;
  unsigned incompleteLaunches;
};
Findings takeFindings();

/// A module for a target with kernels.
std::string moduleText(const std::string &kernels,
                       const std::string &target = "sm_80",
                       const std::string &version = "8.0");

/// fill(o, n): o[i] = n + i for each thread i of a grid along x.
extern const char kFill[];

#endif // DELTANET_TEST_UNITTESTS_SIMULATEDDRIVER_SIMULATEDGPU_H
