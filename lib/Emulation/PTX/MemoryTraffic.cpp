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

void keepDistinct(Numbers &numbers) {
  if (!llvm::is_sorted(numbers))
    llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
}

/// The most distinct words of one bank.
unsigned countConflicts(const Numbers &words) {
  std::array<uint64_t, kBanks> wordOf;
  uint32_t taken = 0;
  bool isFree = true;
  for (uint64_t word : words) {
    unsigned bank = word % kBanks;
    if (taken >> bank & 1)
      isFree &= wordOf[bank] == word;
    taken |= 1u << bank;
    wordOf[bank] = word;
  }
  if (isFree)
    return 1;
  Numbers distinct = words;
  keepDistinct(distinct);
  std::array<unsigned, kBanks> counts = {};
  for (uint64_t word : distinct)
    ++counts[word % kBanks];
  return *llvm::max_element(counts);
}
} // namespace

Traffic mlir::deltanet::ptx::countWaves(const Lanes<uint64_t> &addresses,
                                        LaneMask mask, unsigned bytes) {
  unsigned lanesOfPhase =
      bytes <= kBankBytes ? kLanes : kLanes * kBankBytes / bytes;
  LaneMask phase = kAllLanes >> (kLanes - lanesOfPhase);
  Traffic traffic;
  for (unsigned first = 0; first < kLanes; first += lanesOfPhase) {
    Numbers words;
    forEachLane(mask & phase << first, [&](unsigned lane) {
      for (unsigned byte = 0; byte < bytes; byte += kBankBytes)
        words.push_back((addresses[lane] + byte) / kBankBytes);
    });
    if (words.empty())
      continue;
    traffic.parts += countConflicts(words);
    ++traffic.ideal;
  }
  return traffic;
}

Traffic mlir::deltanet::ptx::countSectors(const Lanes<uint64_t> &addresses,
                                          LaneMask mask, unsigned bytes) {
  Numbers distinct;
  forEachLane(mask,
              [&](unsigned lane) { distinct.push_back(addresses[lane]); });
  keepDistinct(distinct);
  Traffic traffic;
  traffic.ideal = llvm::divideCeil(distinct.size() * bytes, kSectorBytes);
  for (uint64_t &address : distinct)
    address /= kSectorBytes;
  keepDistinct(distinct);
  traffic.parts = distinct.size();
  return traffic;
}
