//===- LaunchTest.cpp - Launches that the simulated driver takes ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"

using SimulatedLaunch = SimulatedGpu;
using HopperLaunch = Hopper;

static const char kLimited[] = R"(
.extern .shared .align 4 .b8 dynamic[];
.visible .entry limited(.param .u64 o) .maxntid 64
{
  .reg .b32 %r<1>;
  .shared .b8 fixed[1024];
  st.shared.u32 [fixed], 1;
  st.shared.u32 [dynamic], 1;
  ret;
}
)";

TEST_F(SimulatedLaunch, KernelsComputeAtOnce) {
  CUdeviceptr o = allocate(96);
  CUfunction fill = load(moduleText(kFill), "fill");
  CUstream stream;
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  uint32_t n = 5;
  void *parameters[] = {&o, &n};
  ASSERT_EQ(
      cuLaunchKernel(fill, 3, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr),
      CUDA_SUCCESS);
  std::vector<uint32_t> values = download(o, 96);
  for (uint32_t i = 0; i < 96; ++i)
    EXPECT_EQ(values[i], 5 + i);
}

TEST_F(SimulatedLaunch, LaunchesAreChecked) {
  CUdeviceptr o = allocate(96);
  CUfunction fill = load(moduleText(kFill), "fill");
  EXPECT_EQ(launch(fill, 0, 1, 0, o, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(fill, 1, 1025, 0, o, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_STREQ(dn_sim_reason(),
               "expected a block from 1x1x1 to 1024x1024x64, got 1025x1x1");
  uint32_t n = 0;
  void *parameters[] = {&o, &n};
  EXPECT_EQ(cuLaunchKernel(fill, 1, 65536, 1, 1, 1, 1, 0, nullptr, parameters,
                           nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters,
                           parameters),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters,
                           nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0,
                           reinterpret_cast<CUstream>(uintptr_t(3)), parameters,
                           nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS) << "nothing was launched";
}

TEST_F(SimulatedLaunch, SharedMemoryIsAskedFor) {
  CUfunction limited = load(moduleText(kLimited), "limited");
  CUdeviceptr o = 0;
  auto attribute = [&](CUfunction_attribute which) {
    int value = -1;
    EXPECT_EQ(cuFuncGetAttribute(&value, which, limited), CUDA_SUCCESS);
    return value;
  };
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 64);
  EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 1024);
  constexpr int standing = 47 << 10, most = 162 << 10;
  constexpr auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(attribute(dynamic), standing);
  EXPECT_EQ(launch(limited, 1, 1, standing, o), CUDA_SUCCESS);
  EXPECT_EQ(launch(limited, 1, 1, standing + 1, o), CUDA_ERROR_INVALID_VALUE);
  EXPECT_STREQ(dn_sim_reason(),
               "expected at most the 48128 bytes of dynamic shared memory that "
               "were asked for, got 48129");

  EXPECT_EQ(cuFuncSetAttribute(limited, dynamic, most + 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(limited, dynamic, -1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(limited, dynamic, most), CUDA_SUCCESS);
  EXPECT_EQ(attribute(dynamic), most);
  EXPECT_EQ(launch(limited, 1, 1, most, o), CUDA_SUCCESS);
  EXPECT_EQ(launch(limited, 1, 1, most + 1, o), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(limited, 1, 65, 4, o), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(cuFuncSetAttribute(limited, CUfunction_attribute(4), 1),
            CUDA_ERROR_INVALID_VALUE);
  int value;
  EXPECT_EQ(cuFuncGetAttribute(&value, CUfunction_attribute(4), limited),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncGetAttribute(&value, dynamic, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(HopperLaunch, SharedMemoryIsThatOfTheDeviceNotOfThePtx) {
  CUfunction limited = load(moduleText(kLimited), "limited");
  constexpr int most = 226 << 10;
  EXPECT_EQ(cuFuncSetAttribute(
                limited, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most),
            CUDA_SUCCESS);
  EXPECT_EQ(launch(limited, 1, 1, most, CUdeviceptr(0)), CUDA_SUCCESS);
}
