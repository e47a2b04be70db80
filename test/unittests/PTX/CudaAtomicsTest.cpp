//===- CudaAtomicsTest.cpp - Atomics and structures as nvcc uses them -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CudaLaunch.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>

using namespace mlir::deltanet::ptx;

static constexpr uint32_t kBlocks = 3, kThreads = 96;
static constexpr uint32_t kAll = kBlocks * kThreads;
static const LaunchShape kShape{{kBlocks, 1, 1}, {kThreads, 1, 1}};

TEST(CudaAtomics, Words) {
  std::vector<int> in = randomIntegers(kAll, -100000, 100000, 31);
  const std::vector<int> before = {5,  7,  3000, -3000, -7, 9, ~4,
                                   16, 32, 2,    1,     0,  1, 2};
  std::vector<int> expected = before;
  auto unsignedLess = [](int a, int b) { return uint32_t(a) < uint32_t(b); };
  for (int value : in) {
    expected[0] += value;
    expected[1] -= value;
    expected[2] = std::min(expected[2], value);
    expected[3] = std::max(expected[3], value);
    expected[4] = std::min(expected[4], value, unsignedLess);
    expected[5] = std::max(expected[5], value, unsignedLess);
    expected[6] &= value;
    expected[7] |= value;
    expected[8] ^= value;
    expected[9] = expected[9] == 6 ? 0 : expected[9] + 1;
    expected[10] = expected[10] == 0 ? 6 : expected[10] - 1;
    ++expected[11];
    expected[12] += value;
  }
  for (uint32_t block = 0; block < kBlocks; ++block)
    expected[13] += *std::min_element(in.begin() + block * kThreads,
                                      in.begin() + (block + 1) * kThreads);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("Atomics");
    launch.input(in);
    launch.inout(before);
    uint64_t out = launch.lastAddress;
    launch.output<uint32_t>(kAll);
    launch.runClean("atomics_32", kShape, seed);
    std::vector<int> after(before.size());
    launch.memory.read(out, {reinterpret_cast<char *>(after.data()),
                             after.size() * sizeof(int)});
    EXPECT_EQ(after, expected);
    // Each thread got a ticket of its own.
    std::vector<uint32_t> tickets = launch.result<uint32_t>(), all(kAll);
    std::sort(tickets.begin(), tickets.end());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(tickets, all);
  }
}

TEST(CudaAtomics, DoubleWords) {
  std::vector<int64_t> in =
      randomIntegers<int64_t>(kAll, -(int64_t(1) << 40), int64_t(1) << 40, 32);
  const std::vector<int64_t> before = {1, 2, 3, -1, 5, 6, 7};
  std::vector<int64_t> expected = before;
  double sum = 0.5;
  for (int64_t value : in) {
    expected[0] += value;
    expected[1] = std::min(expected[1], value);
    expected[2] = int64_t(std::max(uint64_t(expected[2]), uint64_t(value)));
    expected[3] &= value;
    expected[4] ^= value;
    sum += double(value % 1000);
  }
  expected[5] = in[5];
  expected[6] = 1007;
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("Atomics");
    launch.input(in);
    launch.inout(before);
    uint64_t out = launch.lastAddress;
    launch.inout(std::vector<double>{0.5});
    launch.runClean("atomics_64", kShape, seed);
    std::vector<int64_t> after(before.size());
    launch.memory.read(out, {reinterpret_cast<char *>(after.data()),
                             after.size() * sizeof(int64_t)});
    EXPECT_EQ(after, expected);
    EXPECT_EQ(launch.result<double>(), std::vector<double>{sum});
  }
}

TEST(CudaAtomics, Floats) {
  std::vector<float> in;
  for (int value : randomIntegers<int>(kAll, 0, 1000, 33))
    in.push_back(float(value) / 4);
  float sum = std::accumulate(in.begin(), in.end(), 0.25f);
  std::vector<float> expected{sum, *std::max_element(in.begin(), in.end())};
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("Atomics");
    launch.input(in);
    launch.inout(std::vector<float>{0.25f, 0});
    launch.runClean("atomics_float", kShape, seed);
    EXPECT_EQ(launch.result<float>(), expected);
  }
}

namespace {
/// As Cuda/StructParameter.cu has it.
struct Layout {
  char kind;
  int16_t strides[6];
  double scale;
  alignas(16) float bias[4];
};
} // namespace

TEST(CudaAtomics, StructParameter) {
  Layout layout{'n', {3, 1, 4, 1, 5, 2}, 2.5, {0.5f, 2, -1, 3}};
  std::vector<float> in = randomFloats(kThreads * 5 * 4, 34);
  for (uint64_t seed : kSeeds) {
    layout.kind = seed % 2 ? 'n' : 'p';
    std::vector<float> expected;
    for (uint32_t i = 0; i < kThreads; ++i) {
      const float *value = &in[i * layout.strides[i % 6] * 4];
      expected.push_back(float(value[0] * layout.scale) + layout.bias[0]);
      expected.push_back(layout.kind == 'n' ? -value[1]
                                            : value[1] + layout.bias[1]);
      expected.push_back(value[2] + layout.bias[2]);
      expected.push_back(value[3] * layout.bias[3]);
    }
    CudaLaunch launch("StructParameter");
    launch.input(in);
    launch.scalar(layout);
    launch.output<float>(expected.size());
    launch.runClean("struct_parameter", {{1, 1, 1}, {kThreads, 1, 1}}, seed);
    EXPECT_EQ(launch.result<float>(), expected);
  }
}
