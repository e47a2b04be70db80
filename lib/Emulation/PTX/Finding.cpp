//===- Finding.cpp - What a simulated kernel did wrong --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/Finding.h"

using namespace mlir::deltanet::ptx;

static const char *nameOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::ReadOnly:
    return "read only";
  case FindingKind::Uninitialised:
    return "uninitialised";
  case FindingKind::DataRace:
    return "data race";
  case FindingKind::UnwaitedCopy:
    return "unwaited copy";
  case FindingKind::Divergence:
    return "divergence";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::InstructionLimit:
    return "instruction limit";
  case FindingKind::IllegalInstruction:
    return "illegal instruction";
  }
  return "finding";
}

std::string Finding::text() const {
  std::string text = place + ": " + instruction + ": " + nameOf(kind) + ": " +
                     what + " (block ";
  text += std::to_string(thread.block[0]) + "," +
          std::to_string(thread.block[1]) + "," +
          std::to_string(thread.block[2]);
  text += ", warp " + std::to_string(thread.warp) + ", lane " +
          std::to_string(thread.lane) + ")";
  return text;
}
