//===- TimedCalls.cpp - The calls that are timed --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TimedCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;

std::string TimedCall::name() const {
  return llvm::formatv("{0} {1}x{2}", isDecode() ? "decode" : "prefill",
                       sequences, tokens);
}

llvm::ArrayRef<TimedCall> gpubench::timedCalls(Cases cases) {
  static const TimedCall all[] = {{1, 1},    {64, 1},   {256, 1},  {16, 1},
                                  {1, 2048}, {1, 8192}, {4, 8192}, {1, 32768}};
  static const TimedCall smoke[] = {{2, 1}, {2, 70}};
  return cases == Cases::All ? llvm::ArrayRef(all) : llvm::ArrayRef(smoke);
}

static constexpr PublishedTimes kPublished[] = {
    {16, 16, {1, 2048}, 0.086, 0.109, 0.102},
    {16, 16, {1, 8192}, 0.178, 0.418, 0.334},
    {16, 16, {1, 32768}, 0.498, 1.650, 1.275},
    {16, 16, {4, 8192}, 0.392, 0.394, 0.969},
    {16, 32, {1, 2048}, 0.109, 0.106, 0.132},
    {16, 32, {1, 8192}, 0.280, 0.394, 0.472},
    {16, 32, {1, 32768}, 0.877, 1.550, 1.890},
    {16, 32, {4, 8192}, 0.611, 0.425, 1.898},
    {16, 48, {1, 2048}, 0.106, 0.104, 0.191},
    {16, 48, {1, 8192}, 0.410, 0.393, 0.665},
    {16, 48, {1, 32768}, 1.260, 1.557, 2.711},
    {16, 48, {4, 8192}, 1.055, 0.809, 2.532},
    {16, 64, {1, 2048}, 0.113, 0.105, 0.220},
    {16, 64, {1, 8192}, 0.397, 0.392, 0.814},
    {16, 64, {1, 32768}, 1.521, 1.552, 3.331},
    {16, 64, {4, 8192}, 1.214, 0.827, 3.362},
    {2, 8, {1, 2048}, 0.061, 0.109, 0.081},
    {2, 8, {1, 8192}, 0.119, 0.417, 0.234},
    {2, 8, {1, 32768}, 0.320, 1.655, 0.902},
    {2, 8, {4, 8192}, 0.281, 0.396, 0.467}};

const PublishedTimes *
gpubench::publishedTimes(const verification::RunnerTraits &traits,
                         const TimedCall &call) {
  const verification::RuleFacts &facts = traits.facts;
  if (facts.rule != DN_RULE_GATED || facts.ioType != DN_TYPE_BF16 ||
      facts.k != 128 || facts.v != 128)
    return nullptr;
  const PublishedTimes *found =
      llvm::find_if(kPublished, [&](const PublishedTimes &times) {
        return times.h == facts.h && times.hv == facts.hv &&
               times.call.sequences == call.sequences &&
               times.call.tokens == call.tokens;
      });
  return found == std::end(kPublished) ? nullptr : found;
}
