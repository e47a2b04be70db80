//===- InstructionReport.h - What a launch executed -------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_PTX_INSTRUCTIONREPORT_H
#define DELTANET_EMULATION_PTX_INSTRUCTIONREPORT_H

#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mlir::deltanet::ptx {

enum class Space : uint8_t { Generic, Global, Shared, Local, Param, Const };

/// How the accesses of one instruction met the memory.
struct AccessCounts {
  unsigned line = 0;       ///< in the PTX
  std::string instruction; ///< its text
  Space space = Space::Generic;
  uint64_t requests = 0; ///< executions with an active thread
  uint64_t bytes = 0;    ///< of all active threads
  /// Shared memory: waves of 32 banks of 4 bytes that the accesses need, and
  /// the fewest for as many bytes. Global memory: sectors of 32 bytes that
  /// they touch, and the fewest.
  uint64_t parts = 0, idealParts = 0;
};

/// Counts of launches. An instruction of a warp counts once, however many of
/// its threads are active.
struct InstructionReport {
  uint64_t instructions = 0;
  std::map<std::string, uint64_t> mix; ///< "mma.sync.aligned.m16n8k16.row…"
  std::vector<AccessCounts> accesses;  ///< in the order of the text

  /// Adds another launch of the same kernel.
  InstructionReport &operator+=(const InstructionReport &other);

  llvm::json::Value toJson() const;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_EMULATION_PTX_INSTRUCTIONREPORT_H
