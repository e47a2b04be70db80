//===- CpuidTable.h - Answers of CPUID other than Bochs' --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_CPUIDTABLE_H
#define DELTANET_LIB_EMULATION_X86_CPUIDTABLE_H

#include "deltanet/Emulation/X86/Machine.h"
#include <map>

namespace mlir::deltanet::emulation {

class CpuidTable {
public:
  void set(uint32_t leaf, uint32_t subleaf, const CpuidRegisters &answer) {
    answers[{leaf, subleaf}] = answer;
  }

  /// The answer for a leaf in EAX and whatever is in ECX; null: Bochs' own.
  const CpuidRegisters *find(uint32_t leaf, uint32_t subleaf) const {
    auto found = answers.find({leaf, hasSubleaves(leaf) ? subleaf : 0});
    return found == answers.end() ? nullptr : &found->second;
  }

private:
  static bool hasSubleaves(uint32_t leaf) {
    switch (leaf) {
    case 0x04: // caches
    case 0x07: // features
    case 0x0B: // topology
    case 0x0D: // saved state
    case 0x1D: // tiles
    case 0x1E: // tile multiplier
    case 0x1F: // topology
      return true;
    default:
      return false;
    }
  }

  std::map<std::pair<uint32_t, uint32_t>, CpuidRegisters> answers;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_CPUIDTABLE_H
