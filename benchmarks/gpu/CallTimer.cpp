//===- CallTimer.cpp - How long a call of a kernel takes ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CallTimer.h"
#include "deltanet/Verification/Roofline.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

llvm::Expected<DeviceCall> CallTimer::place(const TimedCall &call) const {
  const RunnerTraits &traits = kernel.traits();
  return DeviceCall::create(
      gpu, kernel.variant(), traits, call.sequences, call.tokens,
      call.isDecode() && traits.takesState && traits.givesState);
}

llvm::Expected<double> CallTimer::probe(const DeviceCall &call) {
  auto launch = [&](void *stream, int) {
    return kernel.launch(call.args(), stream);
  };
  llvm::Expected<double> first = timer.timeOnce(launch);
  if (!first)
    return first.takeError();
  if (*first > options.launchSeconds)
    return *first;
  return timer.timeOnce(launch);
}

int CallTimer::copiesFor(const TimedCall &call) const {
  // Some times the second level caches that there are.
  constexpr double kBytes = 256 << 20;
  if (!call.isDecode())
    return 1;
  double bytes =
      workOfCall(kernel.traits(), call.sequences, call.sequences).bytes;
  int most = options.cases == Cases::All ? 128 : 2;
  return std::clamp(int(std::ceil(kBytes / bytes)), 1, most);
}

static Timed leaveOut(double seconds, double limit, llvm::StringRef what) {
  Timed left;
  left.leftOut = llvm::formatv("a launch {0} {1:f1} s, more than {2:f1} s",
                               what, seconds, limit);
  return left;
}

llvm::Expected<Timed> CallTimer::timeThatFits(const TimedCall &call) {
  // What a long call will take is known from a short one.
  constexpr int64_t kShort = 256;
  if (call.tokens > 2 * kShort && kernel.traits().staticTokens < 0) {
    llvm::Expected<DeviceCall> little = place({call.sequences, kShort});
    if (!little)
      return little.takeError();
    llvm::Expected<double> seconds = probe(*little);
    if (!seconds)
      return seconds.takeError();
    double expected = *seconds * double(call.tokens) / kShort;
    if (expected > options.launchSeconds)
      return leaveOut(expected, options.launchSeconds, "would take about");
  }
  std::vector<DeviceCall> calls;
  for (int i = copiesFor(call); i > 0; --i) {
    llvm::Expected<DeviceCall> placed = place(call);
    if (!placed)
      return placed.takeError();
    calls.push_back(std::move(*placed));
  }
  llvm::Expected<double> once = probe(calls.front());
  if (!once)
    return once.takeError();
  if (*once > options.launchSeconds)
    return leaveOut(*once, options.launchSeconds, "took");

  constexpr double kGraphSeconds = 2e-3;
  constexpr int kMostLaunches = 512, kFewestSamples = 3, kMostSamples = 100;
  double least = std::max(*once, 1e-7);
  Timed timed;
  timed.copies = int(calls.size());
  // Each copy as often as any other.
  timed.launches =
      timed.copies *
      std::clamp(int(std::ceil(kGraphSeconds / least / timed.copies)), 1,
                 std::max(1, kMostLaunches / timed.copies));
  int samples = int(std::clamp(options.seconds / (least * timed.launches),
                               double(kFewestSamples), double(kMostSamples)));
  llvm::Expected<std::vector<double>> seconds =
      timer.time(timed.launches, samples, [&](void *stream, int index) {
        return kernel.launch(calls[index % calls.size()].args(), stream);
      });
  if (!seconds)
    return seconds.takeError();
  timed.time = summarize(std::move(*seconds));
  return timed;
}

llvm::Expected<Timed> CallTimer::time(const TimedCall &call) {
  llvm::Expected<Timed> timed = timeThatFits(call);
  if (timed)
    return timed;
  std::string text = llvm::toString(timed.takeError());
  // Too little memory is no fault of the kernel.
  if (!llvm::StringRef(text).contains("CUDA_ERROR_OUT_OF_MEMORY"))
    return llvm::createStringError(text);
  Timed left;
  left.leftOut = text;
  return left;
}
