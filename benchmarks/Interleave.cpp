//===- Interleave.cpp - Measuring several things in turn ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Interleave.h"
#include <algorithm>
#include <cmath>
#include <time.h>

using namespace mlir::deltanet;
using namespace mlir::deltanet::bench;

static double now(Clock clock) {
  timespec time;
  clock_gettime(clock == Clock::ThreadCpu ? CLOCK_THREAD_CPUTIME_ID
                                          : CLOCK_MONOTONIC,
                &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Seconds of one call, of `calls` in a row.
static double sample(const Contestant &contestant, int calls, Clock clock) {
  if (calls > 1)
    contestant.call();
  double start = now(clock);
  for (int i = 0; i < calls; ++i)
    contestant.call();
  return (now(clock) - start) / calls;
}

void bench::interleave(llvm::MutableArrayRef<Contestant> contestants,
                       const Pacing &pacing) {
  std::vector<int> calls;
  double roundSeconds = 0;
  for (const Contestant &contestant : contestants) {
    // The first call meets cold memory; the second tells.
    contestant.call();
    double once = std::max(sample(contestant, 1, pacing.clock), 1e-9);
    calls.push_back(int(std::ceil(pacing.secondsPerSample / once)));
    roundSeconds += once * (calls.back() + (calls.back() > 1));
  }
  int rounds =
      int(std::clamp(pacing.secondsPerCase / roundSeconds,
                     double(pacing.minRounds), double(pacing.maxRounds)));
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < contestants.size(); ++i) {
      size_t turn = (round + i) % contestants.size();
      Contestant &contestant = contestants[turn];
      contestant.seconds.push_back(
          sample(contestant, calls[turn], pacing.clock));
    }
}

Quartiles bench::quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  auto at = [&](double fraction) {
    double place = fraction * double(values.size() - 1);
    size_t below = size_t(place);
    size_t above = std::min(below + 1, values.size() - 1);
    return values[below] +
           (place - double(below)) * (values[above] - values[below]);
  };
  return {at(0.25), at(0.5), at(0.75)};
}

Quartiles bench::quartilesOf(const Contestant &contestant,
                             llvm::function_ref<double(double)> map) {
  std::vector<double> values;
  for (double seconds : contestant.seconds)
    values.push_back(map(seconds));
  return quartiles(std::move(values));
}

Quartiles bench::ratioOf(const Contestant &numerator,
                         const Contestant &denominator) {
  std::vector<double> ratios;
  for (size_t round = 0; round < numerator.seconds.size(); ++round)
    ratios.push_back(numerator.seconds[round] / denominator.seconds[round]);
  return quartiles(std::move(ratios));
}
