//===- Finding.cpp - What an emulated function did wrong ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/X86/Finding.h"

using namespace mlir::deltanet::emulation;

std::string Finding::text() const {
  std::string text = place.empty() ? "" : place + ": ";
  if (!instruction.empty())
    text += instruction + ": ";
  return text + what;
}
