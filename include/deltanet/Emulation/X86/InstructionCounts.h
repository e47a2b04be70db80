//===- InstructionCounts.h - What an emulated call executed -----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_X86_INSTRUCTIONCOUNTS_H
#define DELTANET_EMULATION_X86_INSTRUCTIONCOUNTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <string>

namespace mlir::deltanet::emulation {

/// Counts of one or more calls. An instruction belongs to one class at most;
/// loads and stores are accesses, of which an instruction may make several.
struct InstructionCounts {
  uint64_t total = 0;
  uint64_t tileMultiplies = 0;
  uint64_t tileLoads = 0;
  uint64_t tileStores = 0;
  uint64_t fusedMultiplyAdds = 0;
  uint64_t dotProducts = 0; ///< VDPBF16PS, VPDPBUSD and the like
  uint64_t shuffles = 0;    ///< permutes, unpacks, inserts, broadcasts
  uint64_t conversions = 0;
  uint64_t nonTemporalStores = 0;
  uint64_t loads = 0, loadBytes = 0;
  uint64_t stores = 0, storeBytes = 0;
  std::map<std::string, uint64_t> mnemonics;

  /// Adds instructions of one mnemonic in upper case, e.g. "VFMADD231PS".
  void add(llvm::StringRef mnemonic, uint64_t count);

  InstructionCounts &operator+=(const InstructionCounts &other);
  llvm::json::Value toJson() const;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_EMULATION_X86_INSTRUCTIONCOUNTS_H
