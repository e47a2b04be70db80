//===- MemoryTraffic.cpp - What the accesses of a warp cost ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryTraffic.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::deltanet::ptx;

namespace {
constexpr unsigned kBanks = 32, kBankBytes = 4, kSectorBytes = 32;

using Numbers = llvm::SmallVector<uint64_t, 64>;

/// The most words that a bank is asked for.
unsigned countConflicts(const Lanes<uint64_t> &addresses, LaneMask mask,
                        unsigned bytes) {
  Numbers words;
  forEachLane(mask, [&](unsigned lane) {
    for (unsigned byte = 0; byte < bytes; byte += kBankBytes)
      words.push_back((addresses[lane] + byte) / kBankBytes);
  });
  llvm::sort(words);
  words.erase(llvm::unique(words), words.end());
  std::array<unsigned, kBanks> counts = {};
  for (uint64_t word : words)
    ++counts[word % kBanks];
  return *llvm::max_element(counts);
}

/// Whether no bank is asked for two words.
bool isFree(const Lanes<uint64_t> &addresses, LaneMask mask, unsigned bytes) {
  std::array<uint64_t, kBanks> wordOf;
  uint32_t taken = 0;
  bool isFree = true;
  forEachLane(mask, [&](unsigned lane) {
    for (unsigned byte = 0; byte < bytes; byte += kBankBytes) {
      uint64_t word = (addresses[lane] + byte) / kBankBytes;
      unsigned bank = word % kBanks;
      isFree &= !(taken >> bank & 1) || wordOf[bank] == word;
      taken |= 1u << bank;
      wordOf[bank] = word;
    }
  });
  return isFree;
}
} // namespace

Traffic mlir::deltanet::ptx::countWaves(const Lanes<uint64_t> &addresses,
                                        LaneMask mask, unsigned bytes) {
  unsigned lanesOfPhase =
      bytes <= kBankBytes ? kLanes : kLanes * kBankBytes / bytes;
  LaneMask phase = kAllLanes >> (kLanes - lanesOfPhase);
  Traffic traffic;
  for (unsigned first = 0; first < kLanes; first += lanesOfPhase) {
    LaneMask active = mask & phase << first;
    if (!active)
      continue;
    ++traffic.ideal;
    traffic.parts += isFree(addresses, active, bytes)
                         ? 1
                         : countConflicts(addresses, active, bytes);
  }
  return traffic;
}

Traffic mlir::deltanet::ptx::countSectors(const Lanes<uint64_t> &addresses,
                                          LaneMask mask, unsigned bytes) {
  Numbers sorted;
  forEachLane(mask, [&](unsigned lane) { sorted.push_back(addresses[lane]); });
  if (!llvm::is_sorted(sorted))
    llvm::sort(sorted);
  uint64_t previous = ~sorted[0], distinct = 0;
  Traffic traffic;
  for (uint64_t address : sorted) {
    distinct += address != previous;
    traffic.parts += address / kSectorBytes != previous / kSectorBytes;
    previous = address;
  }
  traffic.ideal = llvm::divideCeil(distinct * bytes, kSectorBytes);
  return traffic;
}
