//===- CudaFaultsTest.cpp - Faults that were planted in CUDA kernels ------===//
//
// Part of the Delta-Net project.
//
// Each kernel has one fault, and gives findings of one kind, whatever the order
// of its warps.
//
//===----------------------------------------------------------------------===//

#include "CudaLaunch.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

static void expectOnly(FindingKind kind, llvm::ArrayRef<Finding> findings,
                       llvm::StringRef what) {
  EXPECT_FALSE(findings.empty());
  for (const Finding &finding : findings) {
    EXPECT_EQ(finding.kind, kind) << finding.text();
    EXPECT_NE(finding.text().find(what), std::string::npos) << finding.text();
  }
}

static std::vector<Finding> runProduct(llvm::StringRef file, uint64_t seed) {
  constexpr int rows = 32, columns = 24, depth = 48;
  CudaLaunch launch(file);
  launch.input(randomFloats(rows * depth, 1));
  launch.input(randomFloats(depth * columns, 2));
  launch.output<float>(rows * columns);
  for (int size : {rows, columns, depth})
    launch.scalar(size);
  return launch.run("tiled_product", {{2, 2, 1}, {16, 16, 1}}, seed);
}

TEST(CudaFaults, MissingBarrier) {
  for (uint64_t seed : kSeeds)
    expectOnly(FindingKind::DataRace,
               runProduct("TiledProduct.MISSING_BARRIER", seed),
               "TiledProduct.MISSING_BARRIER.ptx:");
}

TEST(CudaFaults, DivergentBarrier) {
  for (uint64_t seed : kSeeds)
    expectOnly(FindingKind::Divergence,
               runProduct("TiledProduct.DIVERGENT_BARRIER", seed), "bar.sync");
}

TEST(CudaFaults, MissingWait) {
  constexpr int tiles = 3;
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("AsyncCopyPipeline.MISSING_WAIT");
    launch.input(randomFloats(tiles * 256, 3));
    launch.output<float>(tiles * 256);
    launch.scalar(tiles);
    expectOnly(FindingKind::UnwaitedCopy,
               launch.run("async_copy_pipeline", {{1, 1, 1}, {64, 1, 1}}, seed),
               "unwaited copy");
  }
}

TEST(CudaFaults, PastTheEnd) {
  std::vector<uint8_t> data(1000, 1);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("ByteHistogram.PAST_THE_END");
    launch.input(data);
    launch.scalar(uint32_t(data.size()));
    launch.inout(std::vector<uint32_t>(256));
    expectOnly(FindingKind::OutOfBounds,
               launch.run("byte_histogram", {{2, 1, 1}, {64, 1, 1}}, seed),
               "0 bytes after 'buffer 0'");
  }
}

TEST(CudaFaults, UninitialisedRead) {
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("BlockSoftmax.UNINITIALISED_READ");
    launch.input(randomFloats(256, 4));
    launch.output<float>(256);
    launch.scalar(128);
    expectOnly(FindingKind::Uninitialised,
               launch.run("block_softmax", {{2, 1, 1}, {128, 1, 1}}, seed),
               "ld.shared");
  }
}

TEST(CudaFaults, Deadlock) {
  constexpr int rounds = 2;
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("NamedBarriers.DEADLOCK");
    launch.input(std::vector<int>(64 * rounds));
    launch.output<int>(64 * rounds);
    launch.scalar(rounds);
    expectOnly(FindingKind::Deadlock,
               launch.run("named_barriers", {{1, 1, 1}, {128, 1, 1}}, seed),
               "waits at barrier");
  }
}

TEST(CudaFaults, Misaligned) {
  constexpr int64_t rows = 4, columns = 8, stride = 12;
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("StridedCopy.MISALIGNED");
    launch.input(randomFloats(rows * (stride + 1), 5));
    launch.scalar(stride);
    launch.output<float>(rows * stride);
    for (int64_t size : {stride, rows, columns})
      launch.scalar(size);
    expectOnly(FindingKind::Misaligned,
               launch.run("vector_copy", {{1, 1, 1}, {32, 1, 1}}, seed),
               "ld.global.v4");
  }
}
