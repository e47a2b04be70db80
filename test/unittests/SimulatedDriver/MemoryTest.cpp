//===- MemoryTest.cpp - Buffers and copies of the simulated driver --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"

using SimulatedMemory = SimulatedGpu;

namespace {
struct SmallGpu : SimulatedGpu {
  static dn_sim_options options() {
    dn_sim_options options = {};
    options.memory_bytes = 1000;
    return options;
  }
  SmallGpu() : SimulatedGpu(options()) {}
};
} // namespace

TEST_F(SimulatedMemory, CopiesKeepToOneBuffer) {
  CUdeviceptr buffer = upload({1, 2, 3, 4});
  EXPECT_EQ(buffer % 256, 0u);
  EXPECT_EQ(download(buffer + 4, 2), (std::vector<uint32_t>{2, 3}));
  uint32_t values[5] = {9, 9, 9, 9, 9};
  EXPECT_EQ(cuMemcpyDtoH_v2(values, buffer, 17), CUDA_ERROR_INVALID_VALUE);
  EXPECT_STREQ(dn_sim_reason(),
               "expected 17 bytes of one buffer, got the last 1 byte after 'a "
               "buffer without a name'");
  EXPECT_EQ(values[0], 9u);
  EXPECT_EQ(cuMemcpyHtoD_v2(buffer - 4, values, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoD_v2(buffer + 8, values, 4), CUDA_SUCCESS);
  EXPECT_EQ(download(buffer, 4), (std::vector<uint32_t>{1, 2, 9, 4}));
  EXPECT_EQ(cuMemcpyDtoH_v2(nullptr, 0, 0), CUDA_SUCCESS);
}

TEST_F(SimulatedMemory, BytesAreSet) {
  CUdeviceptr buffer = upload({0, 0, 0});
  EXPECT_EQ(cuMemsetD8_v2(buffer + 3, 0xAB, 6), CUDA_SUCCESS);
  EXPECT_EQ(download(buffer, 3),
            (std::vector<uint32_t>{0xAB000000, 0xABABABAB, 0xAB}));
  EXPECT_EQ(cuMemsetD8_v2(buffer, 0, SIZE_MAX), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD8_v2(buffer + 12, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimulatedMemory, OnlyBeginsOfBuffersAreFreed) {
  CUdeviceptr buffer = upload({1});
  EXPECT_EQ(cuMemFree_v2(buffer + 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(buffer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(buffer), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(0), CUDA_SUCCESS);
  uint32_t value;
  EXPECT_EQ(cuMemcpyDtoH_v2(&value, buffer, 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SmallGpu, MemoryRunsOut) {
  CUdeviceptr first = 0, second = 0;
  EXPECT_EQ(cuMemAlloc_v2(&first, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAlloc_v2(&first, 1001), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemAlloc_v2(&first, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  ASSERT_EQ(cuMemAlloc_v2(&first, 600), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc_v2(&second, 401), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_STREQ(dn_sim_reason(),
               "expected at most the 400 bytes that are left, got 401");
  EXPECT_EQ(cuMemFree_v2(first), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc_v2(&second, 1000), CUDA_SUCCESS);
}

TEST_F(SimulatedMemory, BuffersThatAreNoneAreNotDescribed) {
  CUdeviceptr buffer = upload({1});
  EXPECT_TRUE(dn_sim_describe_buffer(buffer, "q", 0));
  EXPECT_FALSE(dn_sim_describe_buffer(buffer + 1, "q", 0));
  EXPECT_TRUE(dn_sim_mark_uninitialised(buffer, 4));
  EXPECT_FALSE(dn_sim_mark_uninitialised(buffer, 5));
  EXPECT_FALSE(dn_sim_mark_uninitialised(0, 1));
}
