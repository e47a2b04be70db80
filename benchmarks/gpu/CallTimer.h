//===- CallTimer.h - How long a call of a kernel takes ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_CALLTIMER_H
#define DELTANET_BENCHMARKS_GPU_CALLTIMER_H

#include "DeviceCall.h"
#include "GraphTimer.h"
#include "LoadedKernel.h"
#include "TimedCalls.h"
#include "deltanet/Verification/Report.h"

namespace mlir::deltanet::gpubench {

/// What became of a call.
struct Timed {
  verification::TimeSummary time; ///< of a launch
  int launches = 0;               ///< in a graph
  int copies = 0;      ///< of the tensors, which launches take in turn
  std::string leftOut; ///< why; empty: it was measured
};

class CallTimer {
public:
  CallTimer(const OpenedGpu &gpu, const LoadedKernel &kernel,
            const Options &options, GraphTimer &timer)
      : gpu(gpu), kernel(kernel), options(options), timer(timer) {}

  /// Leaves out a call that takes too long, or more memory than there is.
  llvm::Expected<Timed> time(const TimedCall &call);

private:
  llvm::Expected<Timed> timeThatFits(const TimedCall &call);
  llvm::Expected<DeviceCall> place(const TimedCall &call) const;
  /// Seconds of a launch that is not the first.
  llvm::Expected<double> probe(const DeviceCall &call);
  /// So many that no cache holds what a launch of a decode needs.
  int copiesFor(const TimedCall &call) const;

  const OpenedGpu &gpu;
  const LoadedKernel &kernel;
  const Options &options;
  GraphTimer &timer;
};

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_CALLTIMER_H
