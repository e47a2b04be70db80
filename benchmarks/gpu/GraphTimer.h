//===- GraphTimer.h - Times of graphs of launches ---------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_GRAPHTIMER_H
#define DELTANET_BENCHMARKS_GPU_GRAPHTIMER_H

#include "OpenedGpu.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace mlir::deltanet::gpubench {

/// Measures between events of the GPU what a graph of launches takes, so that
/// the time to launch them from the CPU counts once at most.
class GraphTimer {
public:
  static llvm::Expected<std::unique_ptr<GraphTimer>>
  create(const OpenedGpu &gpu, const Options &options);
  GraphTimer(const GraphTimer &) = delete;
  ~GraphTimer();

  /// Enqueues launch number `index` on a stream.
  using Launch = llvm::function_ref<llvm::Error(void *stream, int index)>;

  /// Seconds of one of `launches` launches, for each of `samples` runs of the
  /// graph, after one that is not measured.
  llvm::Expected<std::vector<double>> time(int launches, int samples,
                                           Launch launch);

  /// Seconds of a single launch outside of a graph, the first one included.
  llvm::Expected<double> timeOnce(Launch launch);

private:
  struct Functions;
  explicit GraphTimer(dn_cuda *cuda);
  llvm::Error load(const Options &options);
  llvm::Error check(int result, const char *call) const;
  llvm::Error begin() const;
  /// Waits for the end; seconds since begin().
  llvm::Expected<double> end() const;
  llvm::Expected<void *> capture(int launches, Launch launch);

  dn_cuda *cuda;
  std::unique_ptr<Functions> functions;
  void *stream = nullptr, *first = nullptr, *last = nullptr;
};

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_GRAPHTIMER_H
