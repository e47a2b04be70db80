//===- Execution.h - One emulated call while it runs ------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_EXECUTION_H
#define DELTANET_LIB_EMULATION_X86_EXECUTION_H

#include "AmxUnit.h"
#include "Bochs.h"
#include "CodePlaces.h"
#include "CpuidTable.h"
#include "PageTables.h"
#include "deltanet/Emulation/X86/Machine.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::deltanet::emulation {

/// Counts and judges what Bochs reports of a call. The functions that return a
/// bool say whether the execution may go on.
class Execution : private TileMemory {
public:
  struct Environment {
    const Bochs &bochs;
    GuestMemory &memory;
    PageTables &pages;
    CodePlaces &code;
    const CpuidTable &cpuid;
    const uint64_t *opmasks; ///< k0 to k7
    bool hasAmx;
  };

  Execution(const Environment &environment, const CallOptions &options,
            const Buffer &stack, uint64_t returnSlot, uint64_t returnPage);

  /// Runs from the CPU's present state until the function returns or a finding
  /// ends it.
  void run();

  bool returned() const { return outcome == Outcome::Returned; }
  const AmxUnit &tiles() const { return amx; }
  void find(FindingKind kind, const llvm::Twine &what);
  CallResult takeResult();

  // What Bochs' hooks call.
  bool beforeInstruction(const void *instruction) {
    present = instruction;
    unsigned opcode = bochs.opcodeOf(instruction) % Bochs::maxOpcodes;
    if (opcode == bochs.traceEnd)
      return true;
    ++opcodes[opcode];
    return ++executed <= options.instructionLimit || reachLimit();
  }
  bool read(uint64_t address, uint64_t bytes);
  bool write(uint64_t address, uint64_t bytes);
  bool modify(uint64_t address, uint64_t bytes);
  void exception(unsigned vector, unsigned code);
  bool unknownInstruction();
  bool convertTwoToBf16();
  bool answerCpuid();
  void leave();

  const Bochs &bochs;

private:
  enum class Outcome {
    Running,
    Returned,
    Ended,    ///< by a finding
    PageFault ///< of an access that has not been judged
  };

  bool load(uint64_t address, llvm::MutableArrayRef<uint8_t> to) override;
  bool store(uint64_t address, llvm::ArrayRef<uint8_t> from) override;

  void findAt(uint64_t address, FindingKind kind, const llvm::Twine &what);
  bool end(FindingKind kind, const llvm::Twine &what);
  bool isOnReturnPage() const;
  bool reachLimit();
  bool refuse(const char *access, uint64_t address, uint64_t bytes);
  bool findUninitialised(uint64_t address, uint64_t bytes);
  std::string describeJump() const;
  bool executeTile(const TileInstruction &instruction);
  void loop();
  void judgeFaultingAccess();
  uint64_t currentInstruction() const { return *bochs.instructionAddress; }

  GuestMemory &memory;
  PageTables &pages;
  CodePlaces &code;
  const CpuidTable &cpuid;
  const uint64_t *opmasks;
  const bool hasAmx;
  const CallOptions &options;
  const Buffer &stack;
  const uint64_t returnSlot, returnPage;

  Outcome outcome = Outcome::Running;
  const void *present = nullptr; ///< Bochs' object for the instruction
  uint64_t executed = 0;
  uint64_t lowestWrite;
  uint64_t faultAddress = 0, faultingInstruction = 0;
  const char *faultAccess = "";
  std::vector<uint64_t> opcodes; ///< how often each was executed
  AmxUnit amx;
  CallResult result;
  std::map<std::string, uint64_t> tileMnemonics;
  llvm::DenseMap<uint64_t, std::optional<TileInstruction>> tileInstructions;
  /// Instructions that have read uninitialised bytes: once each is enough.
  llvm::DenseSet<uint64_t> uninitialisedReaders;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_EXECUTION_H
