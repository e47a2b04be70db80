//===- GraphTimer.cpp - Times of graphs of launches -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GraphTimer.h"
#include "cuda/Device.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include <dlfcn.h>

using namespace mlir::deltanet::gpubench;

/// Functions of the driver API beyond those of the runtime: FUNCTION(name,
/// parameters). Handles are pointers; a result of 0 is success.
#define GRAPH_FUNCTIONS(FUNCTION)                                              \
  FUNCTION(cuGetErrorName, (int result, const char **name))                    \
  FUNCTION(cuEventCreate, (void **event, unsigned flags))                      \
  FUNCTION(cuEventDestroy_v2, (void *event))                                   \
  FUNCTION(cuEventRecord, (void *event, void *stream))                         \
  FUNCTION(cuEventSynchronize, (void *event))                                  \
  FUNCTION(cuEventElapsedTime, (float *milliseconds, void *begin, void *end))  \
  FUNCTION(cuStreamBeginCapture_v2, (void *stream, int mode))                  \
  FUNCTION(cuStreamEndCapture, (void *stream, void **graph))                   \
  FUNCTION(cuGraphInstantiateWithFlags,                                        \
           (void **executable, void *graph, unsigned long long flags))         \
  FUNCTION(cuGraphLaunch, (void *executable, void *stream))                    \
  FUNCTION(cuGraphExecDestroy, (void *executable))                             \
  FUNCTION(cuGraphDestroy, (void *graph))

struct GraphTimer::Functions {
#define MEMBER(name, parameters) int(*name) parameters = nullptr;
  GRAPH_FUNCTIONS(MEMBER)
#undef MEMBER
};

GraphTimer::GraphTimer(dn_cuda *cuda)
    : cuda(cuda), functions(std::make_unique<Functions>()) {}

llvm::Error GraphTimer::load(const Options &options) {
  const char *path =
      options.driver.empty() ? "libcuda.so.1" : options.driver.c_str();
  // The runtime has opened it already, and it stays mapped.
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    return llvm::createStringError(llvm::Twine("expected a CUDA driver, got ") +
                                   dlerror());
  const char *lacking = nullptr;
  auto find = [&](auto &function, const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol)
      lacking = name;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
  };
#define FIND(name, parameters) find(functions->name, #name);
  GRAPH_FUNCTIONS(FIND)
#undef FIND
  dlclose(library);
  if (lacking)
    return llvm::createStringError(
        llvm::Twine(path) +
        ": expected a driver with graphs and events, got "
        "one without " +
        lacking);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<GraphTimer>>
GraphTimer::create(const OpenedGpu &gpu, const Options &options) {
  std::unique_ptr<GraphTimer> timer(new GraphTimer(gpu.driver()));
  if (llvm::Error error = timer->load(options))
    return std::move(error);
  char message[DN_MESSAGE_BYTES];
  if (dn_status status = dn_device_create_stream(timer->cuda, &timer->stream,
                                                 message, sizeof message);
      status != DN_OK)
    return errorOf(status, message);
  for (void **event : {&timer->first, &timer->last})
    if (llvm::Error error = timer->check(
            timer->functions->cuEventCreate(event, 0), "cuEventCreate"))
      return std::move(error);
  return timer;
}

GraphTimer::~GraphTimer() {
  char message[DN_MESSAGE_BYTES];
  for (void *event : {first, last})
    if (event)
      functions->cuEventDestroy_v2(event);
  if (stream)
    dn_device_destroy_stream(cuda, stream, message, sizeof message);
}

llvm::Error GraphTimer::check(int result, const char *call) const {
  if (result == 0)
    return llvm::Error::success();
  const char *name = nullptr;
  functions->cuGetErrorName(result, &name);
  return llvm::createStringError(
      llvm::Twine(call) + ": expected CUDA_SUCCESS, got " +
      (name ? name : "an unknown result") + " (" + llvm::Twine(result) + ")");
}

llvm::Error GraphTimer::begin() const {
  return check(functions->cuEventRecord(first, stream), "cuEventRecord");
}

llvm::Expected<double> GraphTimer::end() const {
  float milliseconds = 0;
  if (llvm::Error error =
          check(functions->cuEventRecord(last, stream), "cuEventRecord"))
    return std::move(error);
  if (llvm::Error error =
          check(functions->cuEventSynchronize(last), "cuEventSynchronize"))
    return std::move(error);
  if (llvm::Error error =
          check(functions->cuEventElapsedTime(&milliseconds, first, last),
                "cuEventElapsedTime"))
    return std::move(error);
  return double(milliseconds) * 1e-3;
}

llvm::Expected<double> GraphTimer::timeOnce(Launch launch) {
  if (llvm::Error error = begin())
    return std::move(error);
  if (llvm::Error error = launch(stream, 0))
    return std::move(error);
  return end();
}

llvm::Expected<void *> GraphTimer::capture(int launches, Launch launch) {
  constexpr int kThreadLocal = 1;
  if (llvm::Error error =
          check(functions->cuStreamBeginCapture_v2(stream, kThreadLocal),
                "cuStreamBeginCapture"))
    return std::move(error);
  llvm::Error failed = llvm::Error::success();
  for (int i = 0; i < launches && !failed; ++i)
    failed = launch(stream, i);
  // Ends in any case, or the stream could not be used again.
  void *graph = nullptr, *executable = nullptr;
  llvm::Error ended = check(functions->cuStreamEndCapture(stream, &graph),
                            "cuStreamEndCapture");
  if (failed || ended)
    return llvm::joinErrors(std::move(failed), std::move(ended));
  llvm::Error made =
      check(functions->cuGraphInstantiateWithFlags(&executable, graph, 0),
            "cuGraphInstantiateWithFlags");
  functions->cuGraphDestroy(graph);
  if (made)
    return std::move(made);
  return executable;
}

llvm::Expected<std::vector<double>> GraphTimer::time(int launches, int samples,
                                                     Launch launch) {
  llvm::Expected<void *> executable = capture(launches, launch);
  if (!executable)
    return executable.takeError();
  llvm::scope_exit destroy([&] { functions->cuGraphExecDestroy(*executable); });
  std::vector<double> seconds;
  for (int i = -1; i < samples; ++i) {
    if (llvm::Error error = begin())
      return std::move(error);
    if (llvm::Error error = check(functions->cuGraphLaunch(*executable, stream),
                                  "cuGraphLaunch"))
      return std::move(error);
    llvm::Expected<double> all = end();
    if (!all)
      return all.takeError();
    if (i >= 0)
      seconds.push_back(*all / launches);
  }
  return seconds;
}
