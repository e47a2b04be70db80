//===- Instruction.h - A PTX instruction that can be executed -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_INSTRUCTION_H
#define DELTANET_LIB_EMULATION_PTX_INSTRUCTION_H

#include "Syntax.h"

namespace mlir::deltanet::ptx {

class Warp;
struct Instruction;

/// One bit for each thread of a warp.
using LaneMask = uint32_t;
constexpr unsigned kLanes = 32;
constexpr LaneMask kAllLanes = ~LaneMask(0);

/// What a warp does after an instruction.
enum class Step {
  Next,   ///< goes on with the one that follows
  Jumped, ///< the instruction has set the program counters
  Waits,  ///< the instruction has set what the warp waits for
  Faulted ///< a finding that the launch cannot go on after
};

/// Executes an instruction for the lanes of a mask, which is not zero.
using Execute = Step (*)(Warp &, const Instruction &, LaneMask);

/// Immediates are registers that hold them, so every source is one.
struct Instruction {
  Execute execute = nullptr;
  std::optional<Register> guard;
  bool guardNegated = false;
  llvm::SmallVector<Register, 4> results, sources;
  uint32_t negatedSources = 0; ///< bit i: source i is a predicate !%p

  /// Of accesses: an address is a source register plus the offset, with
  /// `elements` of `elementBytes` each.
  Space space = Space::Generic;
  uint8_t elementBytes = 0, elements = 1;
  int64_t offset = 0;
  /// Of copies: the same for the place that is read.
  int64_t sourceOffset = 0;

  uint32_t target = 0;    ///< of branches
  uint64_t immediate = 0; ///< what the decoder of the family says
  const InstructionSyntax *syntax = nullptr;
  uint32_t index = 0; ///< in the kernel
  uint32_t rank = 0;  ///< in the order of InstructionOrder.h

  unsigned accessBytes() const { return unsigned(elementBytes) * elements; }
};

/// What a register holds from the start of a thread on.
struct Constant {
  Register reg;
  uint64_t value;
};

/// Special registers that do not change while a thread runs.
enum class SpecialRegister {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NWarpId,
  LaneMaskEq,
  LaneMaskLt,
  LaneMaskLe,
  LaneMaskGt,
  LaneMaskGe,
  DynamicSharedBytes,
  TotalSharedBytes
};

struct SpecialUse {
  Register reg;
  SpecialRegister special;
};

/// A kernel that can be launched. Points into its syntax.
struct Kernel {
  const KernelSyntax *syntax = nullptr;
  std::vector<Instruction> code;
  std::array<uint32_t, 3> registers = {}; ///< with those of constants
  std::vector<Constant> constants;
  std::vector<SpecialUse> specials;
};

struct Program::State {
  ModuleSyntax syntax;
  std::vector<Kernel> kernels;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_INSTRUCTION_H
