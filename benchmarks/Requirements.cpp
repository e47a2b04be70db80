//===- Requirements.cpp - Ratios that must be reached ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Requirements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::bench;

/// One thread, H/HV/K/V = 16/32/128/128, bf16.
static bool hasRequiredShape(const Case &which) {
  const verification::RuleFacts &facts = which.traits.facts;
  return which.threads == 1 && facts.h == 16 && facts.hv == 32 &&
         facts.k == 128 && facts.v == 128 && facts.ioType == DN_TYPE_BF16;
}

static bool isLongPrefill(const Case &which) {
  return hasRequiredShape(which) && which.phase == Phase::Prefill &&
         which.tokens == 2048;
}

static bool isLargeDecode(const Case &which) {
  return hasRequiredShape(which) && which.phase == Phase::Decode &&
         which.stateBytes() == 1 << 26;
}

llvm::ArrayRef<Requirement> bench::requirements() {
  static const Requirement all[] = {
      {"prefill of 2048 tokens, schedule chosen, against the token loop",
       measure::kAgainstTokenLoop, 3.5,
       [](const Case &which) {
         return isLongPrefill(which) && !which.isForcedChunked();
       }},
      {"prefill of 2048 tokens, forced chunked, against the token loop",
       measure::kAgainstTokenLoop, 2.0,
       [](const Case &which) {
         return isLongPrefill(which) && which.isForcedChunked();
       }},
      {"decode with 64 MB of states in the token loop's layout, against it",
       measure::kAgainstTokenLoop, 1.8,
       [](const Case &which) {
         return isLargeDecode(which) &&
                which.traits.stateLayout == DN_STATE_LAYOUT_VK;
       }},
      {"the token loop against the FMA loop, prefill of 2048 tokens",
       measure::kTokenLoopShareOfFma, 0.13, isLongPrefill}};
  return all;
}

bool bench::isRequired(const Case &which) {
  return llvm::any_of(requirements(), [&](const Requirement &requirement) {
    return requirement.concerns(which);
  });
}

bool bench::isShownBeside(const Case &which) {
  return isLargeDecode(which) && !isRequired(which);
}

bool bench::checkRequirements(llvm::ArrayRef<Result> results) {
  bool allMet = true;
  for (const Requirement &requirement : requirements()) {
    llvm::outs() << llvm::formatv("{0}: at least {1}\n", requirement.text,
                                  requirement.atLeast);
    bool decided = false;
    for (const Result &result : results) {
      if (!requirement.concerns(result.which))
        continue;
      decided = true;
      const Quartiles *got = result.find(requirement.measure);
      bool met = got && got->median >= requirement.atLeast;
      allMet &= met;
      llvm::outs() << llvm::formatv(
          "  {0} {1}: {2}\n", met ? "met   " : "MISSED", result.which.name(),
          got ? llvm::formatv("{0:f3}", got->median).str() : result.error);
    }
    if (!decided)
      llvm::outs() << "  MISSED no kernel of the libraries decides this\n";
    allMet &= decided;
  }
  return allMet;
}
