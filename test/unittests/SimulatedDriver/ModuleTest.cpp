//===- ModuleTest.cpp - Images that the simulated driver loads ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"
#include <cstring>

using SimulatedModule = SimulatedGpu;

using HopperModule = Hopper;

namespace {
struct Blackwell : SimulatedGpu {
  Blackwell() : SimulatedGpu(gpuOptions(103)) {}
};
} // namespace

static CUresult resultOf(const std::string &image) {
  CUmodule module;
  CUresult result = cuModuleLoadData(&module, image.c_str());
  if (result == CUDA_SUCCESS)
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  return result;
}

TEST_F(SimulatedModule, MachineCodeIsForOtherGpus) {
  EXPECT_EQ(resultOf("\x7f"
                     "ELF\x02\x01\x01"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(resultOf("\x50\xED\x55\xBA\x01"), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(resultOf("\xB1\x43\x62\x46\x01"), CUDA_ERROR_NO_BINARY_FOR_GPU);
  CUmodule module;
  EXPECT_EQ(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimulatedModule, WrongPtxIsToldInTheLog) {
  EXPECT_EQ(resultOf(""), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(resultOf("\x7f"), CUDA_ERROR_INVALID_PTX);
  std::string text = moduleText(".visible .entry f() { jump; }");
  char log[100] = "unchanged";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  CUmodule module;
  EXPECT_EQ(cuModuleLoadDataEx(&module, text.c_str(), 2, options, values),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_STREQ(log, dn_sim_reason());
  EXPECT_EQ(strncmp(log, "ptx:4:", 6), 0) << log;

  log[10] = 'x';
  values[1] = reinterpret_cast<void *>(10);
  EXPECT_EQ(cuModuleLoadDataEx(&module, text.c_str(), 2, options, values),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(strlen(log), 9u);
  EXPECT_EQ(log[10], 'x');

  EXPECT_EQ(cuModuleLoadDataEx(&module, moduleText(kFill).c_str(), 2, options,
                               values),
            CUDA_SUCCESS);
  EXPECT_STREQ(log, "");
  options[0] = CUjit_option(1);
  EXPECT_EQ(cuModuleLoadDataEx(&module, moduleText(kFill).c_str(), 2, options,
                               values),
            CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(SimulatedModule, LaterTargetsAreRefused) {
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_75")), CUDA_SUCCESS);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_80")), CUDA_SUCCESS);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_86")), CUDA_ERROR_INVALID_PTX);
  EXPECT_STREQ(dn_sim_reason(), "expected PTX that runs on sm_80, got sm_86");
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_80", "9.1")),
            CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_STREQ(dn_sim_reason(), "expected PTX of a version up to 9.0, got 9.1");
}

TEST_F(HopperModule, TargetsOfFeaturesAreForOneGpu) {
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_90a")), CUDA_SUCCESS);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_89")), CUDA_SUCCESS);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_100a")), CUDA_ERROR_INVALID_PTX);
}

TEST_F(Blackwell, TargetsOfFamiliesAreForLaterMinors) {
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_100f")), CUDA_SUCCESS);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_103a")), CUDA_SUCCESS);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_100a")), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_90a")), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(resultOf(moduleText(kFill, "sm_90")), CUDA_SUCCESS);
}

TEST_F(SimulatedModule, StaticSharedMemoryHasItsLimit) {
  EXPECT_EQ(
      resultOf(moduleText(".shared .b8 tile[49153];\n" + std::string(kFill))),
      CUDA_SUCCESS)
      << "not used by a kernel";
  EXPECT_EQ(resultOf(moduleText(".visible .entry f() { .shared .b8 t[49153]; "
                                "ret; }")),
            CUDA_ERROR_INVALID_PTX);
}

TEST_F(SimulatedModule, ModulesTakeTheirKernelsAlong) {
  CUmodule module;
  CUfunction fill;
  ASSERT_EQ(cuModuleLoadData(&module, moduleText(kFill).c_str()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetFunction(&fill, module, "full"), CUDA_ERROR_NOT_FOUND);
  EXPECT_STREQ(dn_sim_reason(), "expected a kernel of the module, got 'full'");
  ASSERT_EQ(cuModuleGetFunction(&fill, module, "fill"), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleGetFunction(&fill, module, "fill"),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch(fill, 1, 1, 0, CUdeviceptr(0), 0),
            CUDA_ERROR_INVALID_HANDLE);
}
