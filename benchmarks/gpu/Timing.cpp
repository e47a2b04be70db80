//===- Timing.cpp - Kernels timed, call by call ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "CallTimer.h"
#include "deltanet/Verification/Report.h"
#include "deltanet/Verification/Roofline.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

/// Whether a kernel takes such a call.
static bool takes(const RunnerTraits &traits, const TimedCall &call) {
  int64_t tokens = call.sequences * call.tokens;
  return (call.sequences == 1 || traits.takesCuSeqlens()) &&
         (traits.staticTokens < 0 || traits.staticTokens == tokens);
}

namespace {
/// Rows for people and entries of the file.
class TimingReport {
public:
  TimingReport(const OpenedGpu &gpu, ResultFile &file)
      : peaks(gpuOfDevice(gpu.name())), file(file) {
    llvm::outs() << "device: " << gpu.name()
                 << "\nmedian (least to most) of graphs of launches; TFLOP/s "
                    "are those of the token recurrence\nfloor: the roofline "
                    "estimate for this GPU; published: FlashQLA / FlashInfer "
                    "0.6.13 / FLA 0.5.1 on an H200,\nfrom FlashQLA's "
                    "benchmark_results_H200.txt, not measured here\n\n";
  }

  llvm::Error add(const LoadedKernel &kernel, const TimedCall &call,
                  const Timed &timed);
  llvm::Error addError(const GpuKernel &kernel, llvm::StringRef call,
                       llvm::Error error);

private:
  static void begin(const GpuKernel &kernel, llvm::StringRef variant,
                    llvm::StringRef call) {
    llvm::outs() << llvm::formatv("{0,-24} {1,-8} {2,-16} ", kernel.fullName(),
                                  variant, call);
  }

  std::optional<GpuPeaks> peaks;
  ResultFile &file;
};
} // namespace

llvm::Error TimingReport::add(const LoadedKernel &kernel, const TimedCall &call,
                              const Timed &timed) {
  std::string variant = variantName(kernel.variant());
  begin(kernel.source(), variant, call.name());
  const RuleFacts &facts = kernel.traits().facts;
  llvm::json::Object entry{{"library", kernel.source().library},
                           {"kernel", kernel.source().set->name},
                           {"variant", variant},
                           {"chosen", kernel.isChosen()},
                           {"image", kernel.image()},
                           {"schedules", kernel.variant().schedules},
                           {"H", facts.h},
                           {"HV", facts.hv},
                           {"K", facts.k},
                           {"V", facts.v},
                           {"call", call.name()},
                           {"sequences", call.sequences},
                           {"tokens", call.tokens}};
  std::string published, floor;
  if (const PublishedTimes *times = publishedTimes(kernel.traits(), call)) {
    published = llvm::formatv("  published {0:f3} / {1:f3} / {2:f3} ms",
                              times->flashQla, times->flashInfer, times->fla);
    entry["published_h200_ms"] =
        llvm::json::Object{{"FlashQLA", times->flashQla},
                           {"FlashInfer 0.6.13", times->flashInfer},
                           {"FLA 0.5.1", times->fla}};
  }
  Work work =
      workOfCall(kernel.traits(), call.sequences * call.tokens, call.sequences);
  if (peaks) {
    double milliseconds = work.bytes / peaks->bytesPerSecond * 1e3;
    floor = llvm::formatv("  floor {0:f4} ms", milliseconds);
    entry["floor_estimate_ms"] = milliseconds;
  }
  if (!timed.leftOut.empty()) {
    llvm::outs() << "left out: " << timed.leftOut << published << "\n";
    entry["left_out"] = timed.leftOut;
  } else {
    double median = timed.time.median;
    double bandwidth = work.bytes / median * 1e-9;
    double teraflops = work.vectorFlops / median * 1e-12;
    llvm::outs() << llvm::formatv("{0,10:f4} ms ({1:f4} to {2:f4}) {3,7:f0} "
                                  "GB/s {4,7:f2} TFLOP/s{5}{6}\n",
                                  median * 1e3, timed.time.least * 1e3,
                                  timed.time.most * 1e3, bandwidth, teraflops,
                                  floor, published);
    entry["ms"] = llvm::json::Object{{"median", median * 1e3},
                                     {"least", timed.time.least * 1e3},
                                     {"most", timed.time.most * 1e3},
                                     {"samples", int64_t(timed.time.runs)}};
    entry["launches_in_graph"] = timed.launches;
    entry["copies_of_tensors"] = timed.copies;
    entry["gb_per_s"] = bandwidth;
    entry["recurrence_tflop_per_s"] = teraflops;
  }
  llvm::outs().flush();
  return file.add(std::move(entry));
}

llvm::Error TimingReport::addError(const GpuKernel &kernel,
                                   llvm::StringRef call, llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  begin(kernel, "", call);
  llvm::outs() << "FAIL: " << text << "\n";
  llvm::outs().flush();
  return file.add(llvm::json::Object{{"library", kernel.library},
                                     {"kernel", kernel.set->name},
                                     {"call", call},
                                     {"error", text}});
}

llvm::Expected<bool> gpubench::runTiming(const OpenedGpu &gpu,
                                         llvm::ArrayRef<GpuKernel> kernels,
                                         const Options &options,
                                         ResultFile &file) {
  llvm::Expected<std::unique_ptr<GraphTimer>> timer =
      GraphTimer::create(gpu, options);
  if (!timer)
    return timer.takeError();
  TimingReport report(gpu, file);
  bool passed = true;
  std::vector<LoadedKernel> loaded;
  for (const GpuKernel &kernel : kernels) {
    llvm::Expected<std::vector<LoadedKernel>> variants =
        LoadedKernel::load(gpu, kernel);
    if (variants) {
      for (LoadedKernel &variant : *variants)
        loaded.push_back(std::move(variant));
      continue;
    }
    passed = false;
    if (llvm::Error error = report.addError(kernel, "", variants.takeError()))
      return std::move(error);
  }
  // What the runtime would not choose comes last.
  for (bool isChosen : {true, false})
    for (const TimedCall &call : timedCalls(options.cases))
      for (const LoadedKernel &kernel : loaded) {
        if (kernel.isChosen() != isChosen || !takes(kernel.traits(), call))
          continue;
        llvm::Expected<Timed> timed =
            CallTimer(gpu, kernel, options, **timer).time(call);
        passed &= bool(timed);
        llvm::Error error = timed
                                ? report.add(kernel, call, *timed)
                                : report.addError(kernel.source(), call.name(),
                                                  timed.takeError());
        if (error)
          return std::move(error);
      }
  return passed;
}
