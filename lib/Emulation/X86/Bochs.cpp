//===- Bochs.cpp - The CPU core of Bochs, loaded at run time --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Bochs.h"
#include "BochsHooks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include <dlfcn.h>
#include <link.h>
#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/lsan_interface.h>
#endif

using namespace mlir::deltanet::emulation;

namespace {
/// Bochs keeps what it allocates for a CPU for ever: no leak of ours.
struct IgnoreLeaks {
#if LLVM_ADDRESS_SANITIZER_BUILD
  __lsan::ScopedDisabler disabler;
#endif
  IgnoreLeaks() {} // so that its objects count as used
};
} // namespace

namespace {
struct Symbol {
  const char *name;
  void *slot; ///< a pointer to a function pointer of Bochs
};
} // namespace

static llvm::Error bind(void *library, const Symbol &symbol) {
  void *address = dlsym(library, symbol.name);
  if (!address)
    return llvm::createStringError(
        llvm::formatv("bochs: expected a symbol {0}, got none", symbol.name));
  *static_cast<void **>(symbol.slot) = address;
  return llvm::Error::success();
}

static llvm::Error bindAll(void *library, Bochs &bochs) {
  for (const Symbol &symbol : std::initializer_list<Symbol>{
           {"cpu_new", &bochs.newCpu},
           {"cpu_loop", &bochs.loop},
           {"cpu_bail", &bochs.bail},
           {"cpu_set_mode", &bochs.flushAndSetMode},
           {"cpu_set_killbit", &bochs.setKillBit},
           {"cpu_clear_killbit", &bochs.clearKillBit},
           {"cpu_get_pc", &bochs.getPc},
           {"cpu_set_pc", &bochs.setPc},
           {"cpu_set_sp", &bochs.setSp},
           {"cpu_get_reg64", &bochs.getRegister},
           {"cpu_set_reg64", &bochs.setRegister},
           {"cpu_get_eflags", &bochs.getFlags},
           {"cpu_set_eflags", &bochs.setFlags},
           {"cpu_set_seg", &bochs.setSegment},
           {"cpu_set_tr", &bochs.setTaskRegister},
           {"cpu_set_cr0", &bochs.setCr0},
           {"cpu_get_cr2", &bochs.getCr2},
           {"cpu_set_cr3", &bochs.setCr3},
           {"cpu_set_cr4", &bochs.setCr4},
           {"cpu_set_efer", &bochs.setEfer},
           {"cpu_set_xcr0", &bochs.setXcr0},
           {"cpu_get_mxcsr", &bochs.getMxcsr},
           {"cpu_set_mxcsr", &bochs.setMxcsr},
           {"cpu_set_mxcsr_mask", &bochs.setMxcsrMask},
           {"cpu_set_fp_cw", &bochs.setX87Control},
           {"cpu_set_fp_tw", &bochs.setX87Tags},
           {"cpu_get_zmm", &bochs.getVector},
           {"cpu_set_zmm", &bochs.setVector},
           {"instr_bx_opcode", &bochs.opcodeOf},
           {"_Z18get_bx_opcode_namet", &bochs.opcodeName},
           {"sim_get_param_enum", &bochs.findEnumParameter},
           {"_ZN15bx_param_enum_c3setEl", &bochs.setEnumParameter},
           {"bochscpu_mem_page_insert", &bochs.insertPage},
           {"bochscpu_mem_page_remove", &bochs.removePage},
           {"_ZN8BX_CPU_C5CPUIDEP15bxInstruction_c", &bochs.executeCpuid},
           {"_Z10f32_mulAddjjjhP18softfloat_status_t", &bochs.multiplyAdd}})
    if (llvm::Error error = bind(library, symbol))
      return error;
  return llvm::Error::success();
}

/// An object and its size, from the symbol table.
static llvm::Expected<llvm::MutableArrayRef<uint64_t>>
findObject(void *library, const char *name) {
  void *object = nullptr;
  if (llvm::Error error = bind(library, {name, &object}))
    return std::move(error);
  Dl_info info;
  ElfW(Sym) *symbol = nullptr;
  if (!dladdr1(object, &info, reinterpret_cast<void **>(&symbol),
               RTLD_DL_SYMENT) ||
      !symbol || symbol->st_size < sizeof(uint64_t))
    return llvm::createStringError(
        llvm::formatv("bochs: expected the size of {0}, got none", name));
  return llvm::MutableArrayRef<uint64_t>(static_cast<uint64_t *>(object),
                                         symbol->st_size / sizeof(uint64_t));
}

/// Setting the program counter sets two words of the state: the counter itself,
/// which advances before an instruction executes, and the one searched for,
/// which stays until the instruction has ended.
static llvm::Error findInstructionAddress(Bochs &bochs) {
  constexpr uint64_t first = 0x5D17'4E70'1000, second = 0x5D17'4E70'2000;
  for (uint64_t &word : bochs.state) {
    bochs.setPc(0, first);
    if (word != first)
      continue;
    bochs.setPc(0, second);
    if (word != second)
      continue;
    word = first;
    bool isCounter = bochs.getPc(0) == first;
    word = second;
    if (!isCounter) {
      bochs.instructionAddress = &word;
      return llvm::Error::success();
    }
  }
  return llvm::createStringError(
      "bochs: expected the state to hold the instruction's address, got none");
}

/// What fetch-bochs.sh unzips. Calls into any other library, or a damaged one,
/// might kill the process.
static constexpr uint64_t kLibraryBytes = 6170312;
static constexpr llvm::StringLiteral kLibraryHash =
    "a872ef067d57b4d9de17370e1e26a41e2790960518729363627adb50fbd035fe";

static llvm::Error checkIsFetched(llvm::StringRef path) {
  auto refuse = [&](const llvm::Twine &got) {
    return llvm::createStringError(
        "bochs: expected in '" + path + "' the library of " +
        llvm::Twine(kLibraryBytes) +
        " bytes that fetch-bochs.sh fetches, got " + got);
  };
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return refuse(code.message());
  // Devices and pipes may have no end.
  if (!llvm::sys::fs::is_regular_file(status))
    return refuse("no regular file");
  if (status.getSize() != kLibraryBytes)
    return refuse("a file of " + llvm::Twine(status.getSize()));
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return refuse(buffer.getError().message());
  auto hash =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef((*buffer)->getBuffer()));
  if (std::string got = llvm::toHex(hash, /*LowerCase=*/true);
      got != kLibraryHash)
    return refuse("one with the SHA-256 " + got);
  return llvm::Error::success();
}

static llvm::Error loadInto(llvm::StringRef path, Bochs &bochs) {
  if (llvm::Error error = checkHooksAreVisible())
    return error;
  if (llvm::Error error = checkIsFetched(path))
    return error;
  IgnoreLeaks ignoreLeaks;
  // Python's functions, which the library also wants, are bound when they are
  // called, which never happens.
  void *library = dlopen(path.str().c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return llvm::createStringError(llvm::formatv("bochs: {0}", dlerror()));
  if (llvm::Error error = bindAll(library, bochs))
    return error;
  auto state = findObject(library, "bx_cpu");
  if (!state)
    return state.takeError();
  bochs.state = *state;
  auto opcodes = findObject(library, "BxOpcodesTable");
  if (!opcodes)
    return opcodes.takeError();
  bochs.opcodeTable = *opcodes;
  bochs.allOpcodes = opcodes->vec();
  llvm::Expected<unsigned> traceEnd = bochs.findOpcode("BX_INSERTED_OPCODE");
  if (!traceEnd)
    return traceEnd.takeError();
  bochs.traceEnd = *traceEnd;
  return llvm::Error::success();
}

llvm::Expected<unsigned> Bochs::findOpcode(llvm::StringRef name) const {
  for (unsigned opcode = 0; opcode < maxOpcodes; ++opcode) {
    const char *found = opcodeName(opcode);
    if (!found)
      break;
    if (name == found)
      return opcode;
  }
  return llvm::createStringError(
      llvm::formatv("bochs: expected an instruction {0}, got none", name));
}

llvm::Error Bochs::reset(int64_t model) const {
  void *parameter = findEnumParameter("cpu.model");
  if (!parameter)
    return llvm::createStringError(
        "bochs: expected a parameter cpu.model, got none");
  setEnumParameter(parameter, model);
  IgnoreLeaks ignoreLeaks;
  // A CPU removes from the table what it lacks; the next one may have it.
  llvm::copy(allOpcodes, opcodeTable.begin());
  newCpu(0);
  return llvm::Error::success();
}

llvm::Expected<const Bochs *> Bochs::load(llvm::StringRef path) {
  // The library cannot be unloaded, and its CPU is a global object.
  static Bochs loaded = {};
  static bool ready = false;
  if (ready)
    return &loaded;
  if (llvm::Error error = loadInto(path, loaded))
    return std::move(error);
  if (llvm::Error error = findInstructionAddress(loaded))
    return std::move(error);
  ready = true;
  return &loaded;
}
