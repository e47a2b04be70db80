//===- CudaKernelsTest.cpp - Memory and threads as nvcc uses them ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CudaLaunch.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::deltanet::ptx;

TEST(CudaKernels, BlockSoftmax) {
  constexpr int rows = 3, columns = 200;
  std::vector<float> in = randomFloats(rows * columns, 1);
  // Nothing but the greatest of a row keeps its exponentials finite.
  for (int i = 0; i < columns; ++i)
    in[i] = std::nearbyint(in[i] * 2000);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("BlockSoftmax");
    launch.input(in);
    launch.output<float>(rows * columns);
    launch.scalar(columns);
    launch.runClean("block_softmax", {{rows, 1, 1}, {128, 1, 1}}, seed);
    std::vector<float> out = launch.result<float>();
    for (int i = 0; i < rows * columns; ++i) {
      double inverse = 0;
      const float *row = &in[i / columns * columns];
      for (int column = 0; column < columns; ++column)
        inverse += std::exp(double(row[column]) - double(in[i]));
      EXPECT_NEAR(out[i], 1 / inverse, 1e-6 / inverse + 1e-37)
          << "element " << i;
    }
  }
}

TEST(CudaKernels, ByteHistogram) {
  std::vector<uint8_t> data = randomIntegers<uint8_t>(1003, 10, 200, 2);
  std::vector<uint32_t> counts(256);
  for (size_t bin = 0; bin < counts.size(); ++bin)
    counts[bin] = uint32_t(bin);
  std::vector<uint32_t> expected = counts;
  for (uint8_t byte : data)
    ++expected[byte];
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("ByteHistogram");
    launch.input(data);
    launch.scalar(uint32_t(data.size()));
    launch.inout(counts);
    launch.runClean("byte_histogram", {{3, 1, 1}, {96, 1, 1}}, seed);
    EXPECT_EQ(launch.result<uint32_t>(), expected);
  }
}

TEST(CudaKernels, TiledProduct) {
  constexpr int rows = 20, columns = 25, depth = 37;
  std::vector<float> a = randomFloats(rows * depth, 3);
  std::vector<float> b = randomFloats(depth * columns, 4);
  std::vector<float> expected(rows * columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      for (int k = 0; k < depth; ++k) {
        float &sum = expected[row * columns + column];
        sum = std::fma(a[row * depth + k], b[k * columns + column], sum);
      }
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("TiledProduct");
    launch.input(a);
    launch.input(b);
    launch.output<float>(rows * columns);
    for (int size : {rows, columns, depth})
      launch.scalar(size);
    launch.runClean("tiled_product", {{2, 2, 1}, {16, 16, 1}}, seed);
    EXPECT_EQ(launch.result<float>(), expected);
  }
}

static uint16_t toBfloat(float value) {
  llvm::APFloat number(value);
  bool isInexact;
  number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                 &isInexact);
  return uint16_t(number.bitcastToAPInt().getZExtValue());
}

TEST(CudaKernels, MatrixUnitProduct) {
  // Small integers, so that sums are exact in whatever order.
  constexpr int rows = 32, columns = 48, depth = 160;
  std::vector<int> a = randomIntegers(rows * depth, -9, 9, 5);
  std::vector<int> b = randomIntegers(depth * columns, -9, 9, 6);
  std::vector<uint16_t> expected;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[k * columns + column];
      expected.push_back(toBfloat(float(sum)));
    }
  std::vector<uint16_t> aBits, bBits;
  for (int value : a)
    aBits.push_back(toBfloat(float(value)));
  for (int value : b)
    bBits.push_back(toBfloat(float(value)));
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("MatrixUnitProduct");
    launch.input(aBits);
    launch.input(bBits);
    launch.output<uint16_t>(rows * columns);
    launch.scalar(columns);
    launch.scalar(depth);
    launch.runClean("matrix_unit_product",
                    {{columns / 16, rows / 16, 1}, {32, 1, 1}}, seed);
    EXPECT_EQ(launch.result<uint16_t>(), expected);
  }
}

TEST(CudaKernels, AsyncCopyPipeline) {
  constexpr int blocks = 2, tiles = 5, elements = 256;
  std::vector<float> in = randomFloats(blocks * tiles * elements, 7);
  std::vector<float> expected;
  for (int tile = 0; tile < blocks * tiles; ++tile)
    for (int i = elements; i-- > 0;)
      expected.push_back(2 * in[tile * elements + i]);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("AsyncCopyPipeline");
    launch.input(in);
    launch.output<float>(in.size());
    launch.scalar(tiles);
    launch.runClean("async_copy_pipeline", {{blocks, 1, 1}, {64, 1, 1}}, seed);
    EXPECT_EQ(launch.result<float>(), expected);
  }
}

TEST(CudaKernels, StridedCopy) {
  constexpr int64_t rows = 13, columns = 12, inStride = 20, outStride = 16;
  std::vector<float> in = randomFloats(rows * inStride, 8);
  for (const char *kernel : {"strided_copy", "vector_copy"})
    for (uint64_t seed : kSeeds) {
      CudaLaunch launch("StridedCopy");
      launch.input(in);
      launch.scalar(inStride);
      launch.output<float>(rows * outStride);
      for (int64_t size : {outStride, rows, columns})
        launch.scalar(size);
      launch.runClean(kernel, {{2, 1, 1}, {4, 1, 1}}, seed);
      for (int64_t row = 0; row < rows; ++row) {
        uint64_t address = launch.lastAddress + row * outStride * 4;
        float out[columns];
        ASSERT_TRUE(launch.memory.isInitialised(address, sizeof out));
        launch.memory.read(address,
                           {reinterpret_cast<char *>(out), sizeof out});
        for (int64_t column = 0; column < columns; ++column)
          EXPECT_EQ(out[column], in[row * inStride + column]);
        // Nothing is between the rows.
        for (int64_t gap = columns; gap < outStride; ++gap)
          EXPECT_FALSE(launch.memory.isInitialised(address + gap * 4, 4));
      }
    }
}

TEST(CudaKernels, StridedCopyOfFarRows) {
  // The last row begins after 16 GiB.
  constexpr int64_t rows = 3, columns = 12, stride = int64_t(1) << 31;
  constexpr uint64_t rowBytes = columns * sizeof(float);
  std::vector<float> in = randomFloats(rows * columns, 18);
  for (const char *kernel : {"strided_copy", "vector_copy"}) {
    CudaLaunch launch("StridedCopy");
    launch.output<float>((rows - 1) * stride + columns);
    for (int64_t row = 0; row < rows; ++row)
      launch.memory.write(
          launch.lastAddress + row * stride * sizeof(float),
          {reinterpret_cast<char *>(&in[row * columns]), size_t(rowBytes)});
    launch.scalar(stride);
    launch.output<float>(rows * columns);
    for (int64_t size : {columns, rows, columns})
      launch.scalar(size);
    launch.runClean(kernel, {{2, 1, 1}, {32, 1, 1}}, 0);
    EXPECT_EQ(launch.result<float>(), in);
  }
}

TEST(CudaKernels, PrefixSum) {
  constexpr int threads = 256, count = 500;
  std::vector<int> in = randomIntegers(count, -1000, 1000, 9), expected;
  int sum = 0;
  for (int i = 0; i < count; ++i)
    expected.push_back(sum = i % threads ? sum + in[i] : in[i]);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("PrefixSum");
    launch.input(in);
    launch.output<int>(count);
    launch.scalar(count);
    launch.runClean("prefix_sum", {{2, 1, 1}, {threads, 1, 1}}, seed);
    EXPECT_EQ(launch.result<int>(), expected);
  }
}

TEST(CudaKernels, CollatzSteps) {
  constexpr int count = 100;
  std::vector<int> expected;
  for (unsigned first = 1; first <= count; ++first) {
    int steps = 0;
    for (unsigned value = first; value != 1; ++steps)
      value = value % 2 ? 3 * value + 1 : value / 2;
    expected.push_back(steps);
  }
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("PrefixSum");
    launch.output<int>(count);
    launch.scalar(count);
    launch.runClean("collatz_steps", {{2, 1, 1}, {64, 1, 1}}, seed);
    EXPECT_EQ(launch.result<int>(), expected);
  }
}

TEST(CudaKernels, NamedBarriers) {
  constexpr int half = 64, rounds = 6;
  std::vector<int> in = randomIntegers(half * rounds, -1000, 1000, 10);
  std::vector<int> expected;
  for (int round = 0; round < rounds; ++round)
    for (int i = half; i-- > 0;)
      expected.push_back(3 * (in[round * half + i] + round));
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("NamedBarriers");
    launch.input(in);
    launch.output<int>(in.size());
    launch.scalar(rounds);
    launch.runClean("named_barriers", {{1, 1, 1}, {2 * half, 1, 1}}, seed);
    EXPECT_EQ(launch.result<int>(), expected);
  }
}
