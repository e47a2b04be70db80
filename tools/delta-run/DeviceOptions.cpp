//===- DeviceOptions.cpp - The GPU that delta-run runs on -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// "sm_90", or the name of its features, "sm_90a": 90. Nothing for other texts.
static std::optional<unsigned> parseChip(llvm::StringRef text) {
  unsigned capability;
  if (!text.consume_front("sm_"))
    return std::nullopt;
  if (!text.consume_back("a"))
    text.consume_back("f");
  if (text.getAsInteger(10, capability) || capability == 0)
    return std::nullopt;
  return capability;
}

DeviceChoice CommandLine::parseDevice() {
  DeviceChoice choice;
  auto [kind, which] = llvm::StringRef(device).split(':');
  bool hasChoice = llvm::StringRef(device).contains(':');
  choice.isSimulated = kind == "sim";
  bool isKnown = device.empty() || kind == "sim" || kind == "cuda";
  if (hasChoice && choice.isSimulated) {
    std::optional<unsigned> capability = parseChip(which);
    isKnown &= capability.has_value();
    choice.capability = capability.value_or(0);
  } else if (hasChoice) {
    isKnown &= !which.getAsInteger(10, choice.ordinal) && choice.ordinal >= 0;
  }
  if (!isKnown)
    usageError("--device: expected sim, sim:sm_90, cuda or cuda:1, got '" +
               device + "'");
  return choice;
}
