//===- GraphTest.cpp - Graphs and events of the simulated driver ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"

namespace {
/// A stream to capture, and fill(o, n) in it.
struct SimulatedGraph : SimulatedGpu {
  SimulatedGraph() {
    EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
    o = upload({0, 0, 0, 0});
    fill = load(moduleText(kFill), "fill");
  }

  CUresult launchFill(uint32_t n, unsigned threads = 4) {
    void *parameters[] = {&o, &n};
    return cuLaunchKernel(fill, 1, 1, 1, threads, 1, 1, 0, stream, parameters,
                          nullptr);
  }
  CUresult begin() {
    return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  }

  CUstream stream = nullptr;
  CUdeviceptr o = 0;
  CUfunction fill = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
};

using Values = std::vector<uint32_t>;
} // namespace

TEST_F(SimulatedGraph, CapturedLaunchesRunWithTheGraph) {
  ASSERT_EQ(begin(), CUDA_SUCCESS);
  ASSERT_EQ(launchFill(10), CUDA_SUCCESS);
  ASSERT_EQ(launchFill(20, 2), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
  EXPECT_EQ(download(o, 4), Values({0, 0, 0, 0})) << "nothing ran yet";
  ASSERT_EQ(cuGraphLaunch(executable, stream), CUDA_SUCCESS);
  EXPECT_EQ(download(o, 4), Values({20, 21, 12, 13}));
  ASSERT_EQ(launchFill(1), CUDA_SUCCESS);
  EXPECT_EQ(download(o, 4), Values({1, 2, 3, 4})) << "capture has ended";
  ASSERT_EQ(cuGraphLaunch(executable, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(download(o, 4), Values({20, 21, 12, 13}));
  EXPECT_EQ(cuGraphExecDestroy(executable), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphLaunch(executable, stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuGraphDestroy(graph), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimulatedGraph, CaptureIsOfCreatedStreamsAndOnce) {
  EXPECT_EQ(cuStreamBeginCapture_v2(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), CUDA_ERROR_ILLEGAL_STATE);
  ASSERT_EQ(begin(), CUDA_SUCCESS);
  EXPECT_EQ(begin(), CUDA_ERROR_ILLEGAL_STATE);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_STREQ(dn_sim_reason(),
               "expected a stream that is not captured, got one that is");
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 8),
            CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(SimulatedGraph, LaunchesThatNoGpuTakesAreRefusedWhenTheyRun) {
  ASSERT_EQ(begin(), CUDA_SUCCESS);
  ASSERT_EQ(launchFill(0, 1025), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphLaunch(executable, stream), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimulatedGraph, EventsTellTheTimeBetweenThem) {
  CUevent first, second;
  ASSERT_EQ(cuEventCreate(&first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&second, 0), CUDA_SUCCESS);
  float forward = -1, backward = -1;
  ASSERT_EQ(cuEventRecord(first, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuEventElapsedTime(&forward, first, second),
            CUDA_ERROR_INVALID_HANDLE);
  ASSERT_EQ(launchFill(1), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(second, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(second), CUDA_SUCCESS);
  ASSERT_EQ(cuEventElapsedTime(&forward, first, second), CUDA_SUCCESS);
  ASSERT_EQ(cuEventElapsedTime(&backward, second, first), CUDA_SUCCESS);
  EXPECT_GT(forward, 0);
  EXPECT_EQ(backward, -forward);
  EXPECT_EQ(cuEventDestroy_v2(first), CUDA_SUCCESS);
  EXPECT_EQ(cuEventRecord(first, stream), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_EQ(begin(), CUDA_SUCCESS);
  EXPECT_EQ(cuEventRecord(second, stream),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}
