//===- Machine.h - Functions executed on an emulated CPU --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Executes x86-64 functions of this process, the very bytes that would run
// natively, on the CPU core of Bochs: on any machine, whatever instructions it
// lacks, and with every access checked. One thread, no system calls, no
// thread-local storage.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_X86_MACHINE_H
#define DELTANET_EMULATION_X86_MACHINE_H

#include "deltanet/Emulation/X86/Finding.h"
#include "deltanet/Emulation/X86/GuestMemory.h"
#include "deltanet/Emulation/X86/InstructionCounts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mlir::deltanet::emulation {

enum class CpuModel {
  TigerLake,      ///< AVX-512 without BF16
  SapphireRapids, ///< AVX512-BF16, AVX512-FP16, AMX
  ArrowLake       ///< AVX2 with VNNI and IFMA, no AVX-512
};

struct MachineOptions {
  CpuModel model = CpuModel::SapphireRapids;
  /// What the operating system lets programs use, as XGETBV tells; unset: all
  /// that the model has.
  std::optional<uint64_t> xcr0;
};

struct CpuidRegisters {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

struct CallOptions {
  uint64_t instructionLimit = uint64_t(1) << 32;
  uint64_t stackLimit = 256 << 10; ///< bytes below the return address
};

struct CallResult {
  bool returned = false; ///< not ended by a finding
  uint64_t value = 0;    ///< rax
  uint64_t stackBytes = 0;
  std::vector<Finding> findings;
  InstructionCounts counts;
};

/// An emulated machine. Bochs exists once in a process, and so does this.
class Machine {
public:
  /// Where Bochs is looked for: $DELTANET_BOCHS, or in the build.
  static std::string bochsPath();

  /// Fails where Bochs is missing or is not the version that this was written
  /// for, and while there is another machine.
  static llvm::Expected<std::unique_ptr<Machine>>
  create(const MachineOptions &options = {});
  ~Machine();

  GuestMemory &memory();

  /// Makes the shared library that holds an address known, code and data.
  llvm::Error addLibrary(const void *address);

  /// Copies code into memory of its own; findings call it `name`.
  const void *loadCode(llvm::StringRef name, llvm::ArrayRef<uint8_t> code);

  /// What CPUID answers.
  CpuidRegisters cpuid(uint32_t leaf, uint32_t subleaf);
  void overrideCpuid(uint32_t leaf, uint32_t subleaf,
                     const CpuidRegisters &answer);

  /// Calls a function with integer and pointer arguments by the System V ABI.
  /// Registers hold junk on entry. Findings that the function cannot go on
  /// after end the call.
  CallResult call(const void *function, llvm::ArrayRef<uint64_t> arguments,
                  const CallOptions &options = {});

private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// An argument of Machine::call.
inline uint64_t argument(const volatile void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

} // namespace mlir::deltanet::emulation

#endif // DELTANET_EMULATION_X86_MACHINE_H
