//===- Bochs.h - The CPU core of Bochs, loaded at run time ------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// The core comes in the shared library of a Python package that is only
// unzipped (fetch-bochs.sh). Its state is global: there is one CPU a process.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_BOCHS_H
#define DELTANET_LIB_EMULATION_X86_BOCHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace mlir::deltanet::emulation {

/// General registers by the numbers that instructions and Bochs use.
enum Register : unsigned {
  RAX,
  RCX,
  RDX,
  RBX,
  RSP,
  RBP,
  RSI,
  RDI,
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  R15
};

/// Entry points of the library. The first argument of most is the CPU's number,
/// always 0.
struct Bochs {
  static constexpr unsigned maxOpcodes = 4096; ///< there are about 3600

  void (*newCpu)(unsigned);
  void (*loop)(unsigned);
  void (*bail)(unsigned);
  void (*flushAndSetMode)(unsigned);
  void (*setKillBit)(unsigned);
  void (*clearKillBit)(unsigned);
  uint64_t (*getPc)(unsigned);
  void (*setPc)(unsigned, uint64_t);
  void (*setSp)(unsigned, uint64_t);
  uint64_t (*getRegister)(unsigned, unsigned);
  void (*setRegister)(unsigned, unsigned, uint64_t);
  uint32_t (*getFlags)(unsigned);
  void (*setFlags)(unsigned, uint32_t);
  void (*setSegment)(unsigned, unsigned segment, uint32_t present,
                     uint16_t selector, uint64_t base, uint32_t limit,
                     uint16_t attributes);
  void (*setTaskRegister)(unsigned, uint32_t present, uint16_t selector,
                          uint64_t base, uint32_t limit, uint16_t attributes);
  void (*setCr0)(unsigned, uint32_t);
  uint64_t (*getCr2)(unsigned);
  void (*setCr3)(unsigned, uint64_t);
  void (*setCr4)(unsigned, uint32_t);
  void (*setEfer)(unsigned, uint32_t);
  void (*setXcr0)(unsigned, uint32_t);
  uint32_t (*getMxcsr)(unsigned);
  void (*setMxcsr)(unsigned, uint32_t);
  void (*setMxcsrMask)(unsigned, uint32_t);
  void (*setX87Control)(unsigned, uint16_t);
  void (*setX87Tags)(unsigned, uint16_t);
  void (*getVector)(unsigned, unsigned, uint64_t *);
  void (*setVector)(unsigned, unsigned, const uint64_t *);
  unsigned (*opcodeOf)(const void *instruction);
  const char *(*opcodeName)(uint16_t);
  void *(*findEnumParameter)(const char *);
  void (*setEnumParameter)(void *, int64_t);
  void (*insertPage)(uint64_t physical, void *host);
  void (*removePage)(uint64_t physical);
  /// Bochs' own CPUID instruction, which ours stands in front of.
  void (*executeCpuid)(void *instruction);
  /// Likewise its fused multiply-add.
  uint32_t (*multiplyAdd)(uint32_t, uint32_t, uint32_t, uint8_t operation,
                          void *status);

  /// A mark of Bochs at the end of decoded traces, which is no instruction.
  unsigned traceEnd;

  /// The instructions, and what the table holds before there is a CPU.
  llvm::MutableArrayRef<uint64_t> opcodeTable;
  std::vector<uint64_t> allOpcodes;
  /// All of the CPU's state, for what has no function.
  llvm::MutableArrayRef<uint64_t> state;
  /// Where the state holds the address of the instruction being executed.
  const uint64_t *instructionAddress;

  /// Loads the library once; later calls give the same object. `path` is that
  /// of the first call.
  static llvm::Expected<const Bochs *> load(llvm::StringRef path);

  /// The number of an instruction in Bochs' table.
  llvm::Expected<unsigned> findOpcode(llvm::StringRef name) const;

  /// Makes the CPU one of a model, by the number of Bochs' list.
  llvm::Error reset(int64_t model) const;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_BOCHS_H
