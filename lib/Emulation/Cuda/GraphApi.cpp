//===- GraphApi.cpp - cuStream*Capture and cuGraph*, simulated ------------===//
//
// Part of the Delta-Net project.
//
// A graph is the launches that were captured, in their order. Those that a GPU
// would not take for their extents are refused when the graph is launched.
//
//===----------------------------------------------------------------------===//

#include "DriverApi.h"
#include "StreamHandles.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

static CUresult failForGraph() {
  return fail(CUDA_ERROR_INVALID_HANDLE,
              "expected a graph of the current context, got another");
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return inContext([&](Driver &, Context &context) {
    if (!isStream(context, stream))
      return failForStream();
    if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL ||
        mode > CU_STREAM_CAPTURE_MODE_RELAXED)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected a capture mode of 0 to 2, got " +
                      llvm::Twine(int(mode)));
    Stream *captured = context.streams.find(stream);
    if (!captured)
      return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                  "expected a stream that was created, got a default one");
    if (captured->captured)
      return fail(CUDA_ERROR_ILLEGAL_STATE,
                  "expected a stream that is not captured, got one that is");
    captured->captured = std::make_unique<Graph>();
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  return inContext([&](Driver &, Context &context) {
    if (!isStream(context, stream))
      return failForStream();
    Stream *captured = context.streams.find(stream);
    if (!captured || !captured->captured)
      return fail(CUDA_ERROR_ILLEGAL_STATE,
                  "expected a stream that is captured, got one that is not");
    *graph = context.graphs.add(std::move(captured->captured));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags) {
  return inContext([&](Driver &, Context &context) {
    const Graph *found = context.graphs.find(graph);
    if (!found)
      return failForGraph();
    if (flags)
      return fail(CUDA_ERROR_NOT_SUPPORTED,
                  "expected no flags of a graph, got " + llvm::Twine(flags));
    *executable = context.executables.add(std::make_unique<Graph>(*found));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return inContext([&](Driver &driver, Context &context) {
    const Graph *found = context.executables.find(executable);
    if (!found)
      return failForGraph();
    if (!isStream(context, stream))
      return failForStream();
    if (captureOf(context, stream))
      return failForCapture();
    for (const KernelLaunch &launch : found->launches)
      if (CUresult result = execute(driver, context, launch);
          result != CUDA_SUCCESS)
        return result;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return inContext([&](Driver &, Context &context) {
    return context.executables.remove(executable) ? CUDA_SUCCESS
                                                  : failForGraph();
  });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return inContext([&](Driver &, Context &context) {
    return context.graphs.remove(graph) ? CUDA_SUCCESS : failForGraph();
  });
}
