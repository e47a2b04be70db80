//===- Case.cpp - One kernel, one shape, one number of threads ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::bench;
using namespace mlir::deltanet::verification;

std::string Case::name() const {
  if (phase == Phase::Prefill)
    return llvm::formatv("prefill/{0}/T:{1}/threads:{2}", traits.name, tokens,
                         threads);
  return llvm::formatv("decode/{0}/states:{1}KB/threads:{2}", traits.name,
                       stateBytes() / 1024, threads);
}

bool Case::isForcedChunked() const {
  return !traits.schedules.empty() &&
         llvm::all_of(traits.schedules, [](const Schedule &schedule) {
           return schedule.algorithm != Algorithm::Recurrent;
         });
}

std::vector<Case> bench::casesOf(const ChosenVariant &variant,
                                 const RunnerTraits &traits) {
  if (traits.facts.rule != DN_RULE_GATED || traits.facts.l2normEps ||
      !traits.takesState || !traits.givesState)
    return {};
  std::vector<Case> cases;
  auto add = [&](Phase phase, int64_t tokens, int64_t sequences, int threads) {
    if (traits.staticTokens < 0 || traits.staticTokens == tokens * sequences)
      cases.push_back({variant.kernel, traits, variant.reason, phase, tokens,
                       sequences, threads});
  };
  for (int threads : {1, 2})
    if (threads <= dn_cpu_count())
      for (int64_t tokens : {64, 512, 2048, 4096})
        add(Phase::Prefill, tokens, 1, threads);
  Case one{variant.kernel, traits, variant.reason, Phase::Decode, 1, 1, 1};
  if (one.isForcedChunked())
    return cases;
  for (int64_t bytes : {1 << 19, 1 << 21, 1 << 24, 1 << 26}) {
    int64_t sequences = bytes / one.stateBytes();
    if (sequences >= 1 && (sequences == 1 || traits.takesCuSeqlens()))
      add(Phase::Decode, 1, sequences, 1);
  }
  return cases;
}

const Quartiles *Result::find(llvm::StringRef measure) const {
  for (const auto &[name, quartiles] : measures)
    if (name == measure)
      return &quartiles;
  return nullptr;
}
