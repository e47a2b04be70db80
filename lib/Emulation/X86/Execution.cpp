//===- Execution.cpp - One emulated call while it runs --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "BochsFaults.h"
#include "BochsHooks.h"
#include "MnemonicOf.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <dlfcn.h>

using namespace mlir::deltanet::emulation;

/// Numbers of the processor's exceptions.
enum : unsigned { UndefinedOpcode = 6, GeneralProtection = 13, PageFault = 14 };
/// Bits of a page fault's error code.
enum : unsigned { FaultOnWrite = 2, FaultOnFetch = 16 };

Execution::Execution(const Environment &environment, const CallOptions &options,
                     const Buffer &stack, uint64_t returnSlot,
                     uint64_t returnPage)
    : bochs(environment.bochs), memory(environment.memory),
      pages(environment.pages), code(environment.code),
      cpuid(environment.cpuid), opmasks(environment.opmasks),
      hasAmx(environment.hasAmx), options(options), stack(stack),
      returnSlot(returnSlot), returnPage(returnPage), lowestWrite(returnSlot),
      opcodes(Bochs::maxOpcodes) {}

void Execution::find(FindingKind kind, const llvm::Twine &what) {
  result.findings.push_back({kind, what.str(), "", ""});
}

void Execution::findAt(uint64_t address, FindingKind kind,
                       const llvm::Twine &what) {
  result.findings.push_back(
      {kind, what.str(), code.placeOf(address), code.textOf(address)});
}

bool Execution::end(FindingKind kind, const llvm::Twine &what) {
  findAt(currentInstruction(), kind, what);
  outcome = Outcome::Ended;
  return false;
}

bool Execution::isOnReturnPage() const {
  return llvm::alignDown(currentInstruction(), PageTables::pageBytes) ==
         returnPage;
}

bool Execution::reachLimit() {
  // The HLT that ends the call is none of the function's instructions.
  if (isOnReturnPage())
    return true;
  return end(FindingKind::InstructionLimit,
             llvm::formatv("expected at most {0} instructions, got more",
                           options.instructionLimit));
}

bool Execution::refuse(const char *access, uint64_t address, uint64_t bytes) {
  bool exists = memory.find(address, bytes);
  return end(exists ? FindingKind::ReadOnly : FindingKind::OutOfBounds,
             llvm::formatv("{0}: {1} of {2} bytes, {3}",
                           exists ? "read-only" : "out of bounds", access,
                           bytes, memory.describe(address, bytes)));
}

bool Execution::findUninitialised(uint64_t address, uint64_t bytes) {
  if (uninitialisedReaders.insert(currentInstruction()).second)
    findAt(currentInstruction(), FindingKind::Uninitialised,
           llvm::formatv("uninitialised: read of {0} bytes, {1}", bytes,
                         memory.describe(address, bytes)));
  return true;
}

bool Execution::read(uint64_t address, uint64_t bytes) {
  ++result.counts.loads;
  result.counts.loadBytes += bytes;
  const Buffer *buffer = memory.find(address, bytes);
  if (!buffer)
    return refuse("read", address, bytes);
  if (buffer->initialised.empty())
    return true;
  const uint8_t *known = buffer->initialised.data() + (address - buffer->begin);
  return !std::memchr(known, 0, bytes) || findUninitialised(address, bytes);
}

bool Execution::write(uint64_t address, uint64_t bytes) {
  ++result.counts.stores;
  result.counts.storeBytes += bytes;
  Buffer *buffer = memory.find(address, bytes);
  if (!buffer || buffer->permission != Permission::ReadWrite)
    return refuse("write", address, bytes);
  if (!buffer->initialised.empty())
    std::memset(buffer->initialised.data() + (address - buffer->begin), 1,
                bytes);
  if (buffer == &stack)
    lowestWrite = std::min(lowestWrite, address);
  return true;
}

bool Execution::modify(uint64_t address, uint64_t bytes) {
  // Bochs tries the lanes of masked stores like this before it writes them. No
  // vector instruction truly modifies memory.
  llvm::StringRef opcode = bochs.opcodeName(bochs.opcodeOf(present));
  if (mnemonicOf(opcode).starts_with("V"))
    return true;
  return read(address, bytes) && write(address, bytes);
}

/// A jump to where there is no code, most often a call out of the library.
std::string Execution::describeJump() const {
  std::string text = llvm::formatv("jump to {0:x}", faultAddress);
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(faultAddress), &info) && info.dli_sname)
    text += llvm::formatv(" ({0})", info.dli_sname);
  text += ", where there is no code";
  uint64_t top = bochs.getRegister(0, RSP);
  if (!stack.holds(top, sizeof(uint64_t)))
    return text;
  uint64_t caller;
  std::memcpy(&caller, reinterpret_cast<void *>(top), sizeof(caller));
  const Buffer *buffer = memory.find(caller, 1);
  if (buffer && buffer->permission == Permission::Execute &&
      caller != returnPage)
    text += ", returning to " + code.placeOf(caller);
  return text;
}

void Execution::exception(unsigned vector, unsigned errorCode) {
  // The page that functions return to is full of HLT, which programs may not
  // execute.
  if (isOnReturnPage()) {
    outcome = Outcome::Returned;
    return;
  }
  switch (vector) {
  case PageFault:
    faultAddress = bochs.getCr2(0);
    if (errorCode & FaultOnFetch) {
      end(FindingKind::OutOfBounds, describeJump());
      return;
    }
    faultingInstruction = currentInstruction();
    faultAccess = errorCode & FaultOnWrite ? "write" : "read";
    outcome = Outcome::PageFault;
    return;
  case UndefinedOpcode:
    end(FindingKind::IllegalInstruction,
        "illegal instruction: expected one that the CPU model has");
    return;
  case GeneralProtection:
    end(FindingKind::Exception, "general protection: a misaligned or "
                                "privileged access");
    return;
  default:
    end(FindingKind::Exception,
        llvm::formatv("exception {0} of the processor, error code {1}", vector,
                      errorCode));
  }
}

void Execution::leave() {
  bochs.setKillBit(0);
  bochs.bail(0);
}

void Execution::loop() {
  bochs.flushAndSetMode(0);
  bochs.clearKillBit(0);
  outcome = Outcome::Running;
  while (outcome == Outcome::Running)
    bochs.loop(0);
}

/// A page fault says nothing of the size of the access: the page gets memory
/// and the instruction executes once more, so that the access is judged like
/// any other.
void Execution::judgeFaultingAccess() {
  constexpr unsigned maxPages = 2; // of one access
  llvm::SmallVector<uint64_t, maxPages> blanks;
  while (outcome == Outcome::PageFault && blanks.size() < maxPages) {
    pages.mapBlank(faultAddress);
    blanks.push_back(faultAddress);
    bochs.setPc(0, faultingInstruction);
    loop();
  }
  for (uint64_t address : blanks)
    pages.unmapBlank(address);
  if (outcome == Outcome::Ended)
    return;
  findAt(faultingInstruction, FindingKind::OutOfBounds,
         llvm::formatv("out of bounds: {0}, {1}", faultAccess,
                       memory.describe(faultAddress, 1)));
  outcome = Outcome::Ended;
}

void Execution::run() {
  HookScope scope(*this);
  loop();
  if (outcome == Outcome::PageFault)
    judgeFaultingAccess();
}

bool Execution::load(uint64_t address, llvm::MutableArrayRef<uint8_t> to) {
  if (!read(address, to.size()))
    return false;
  std::memcpy(to.data(), reinterpret_cast<const void *>(address), to.size());
  return true;
}

bool Execution::store(uint64_t address, llvm::ArrayRef<uint8_t> from) {
  if (!write(address, from.size()))
    return false;
  std::memcpy(reinterpret_cast<void *>(address), from.data(), from.size());
  return true;
}

bool Execution::unknownInstruction() {
  uint64_t address = currentInstruction();
  auto [entry, isNew] = tileInstructions.try_emplace(address);
  if (isNew)
    if (auto instruction = code.decode(address))
      entry->second =
          TileInstruction::decode(code.disassembler, *instruction, address);
  if (!hasAmx || !entry->second)
    return end(FindingKind::IllegalInstruction,
               "illegal instruction: expected one that the CPU model has");
  return executeTile(*entry->second);
}

bool Execution::executeTile(const TileInstruction &instruction) {
  ++tileMnemonics[instruction.mnemonic];
  AmxUnit::Result done = amx.execute(instruction, instruction.address(bochs),
                                     instruction.stride(bochs), *this);
  switch (done.outcome) {
  case AmxUnit::Outcome::Done:
    bochs.setPc(0, currentInstruction() + instruction.bytes);
    return true;
  case AmxUnit::Outcome::Undefined:
    return end(FindingKind::IllegalInstruction,
               llvm::Twine("illegal instruction: ") + done.why);
  case AmxUnit::Outcome::Protection:
    return end(FindingKind::Exception,
               llvm::Twine("general protection: ") + done.why);
  case AmxUnit::Outcome::Ended:
    return false;
  }
  llvm_unreachable("all outcomes are handled");
}

bool Execution::convertTwoToBf16() {
  if (auto instruction = code.decode(currentInstruction()))
    if (emulation::convertTwoToBf16(bochs, opmasks, code.disassembler,
                                    *instruction))
      return true;
  return end(FindingKind::IllegalInstruction,
             "illegal instruction: expected a form of VCVTNE2PS2BF16");
}

bool Execution::answerCpuid() {
  const CpuidRegisters *answer = cpuid.find(
      uint32_t(bochs.getRegister(0, RAX)), uint32_t(bochs.getRegister(0, RCX)));
  if (!answer)
    return false;
  bochs.setRegister(0, RAX, answer->eax);
  bochs.setRegister(0, RBX, answer->ebx);
  bochs.setRegister(0, RCX, answer->ecx);
  bochs.setRegister(0, RDX, answer->edx);
  continueAfterInstruction(bochs);
  return true;
}

CallResult Execution::takeResult() {
  result.returned = returned();
  result.value = bochs.getRegister(0, RAX);
  result.stackBytes = returnSlot - lowestWrite;
  result.counts.total = executed - (returned() ? 1 : 0);
  for (unsigned opcode = 0; opcode < Bochs::maxOpcodes; ++opcode) {
    if (!opcodes[opcode])
      continue;
    llvm::StringRef mnemonic = mnemonicOf(bochs.opcodeName(opcode));
    // HLT ends the call; tile instructions are errors to Bochs.
    if (mnemonic != "HLT" && mnemonic != "ERROR")
      result.counts.add(mnemonic, opcodes[opcode]);
  }
  for (const auto &[mnemonic, count] : tileMnemonics)
    result.counts.add(mnemonic, count);
  return std::move(result);
}
