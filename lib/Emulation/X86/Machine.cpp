//===- Machine.cpp - Functions executed on an emulated CPU ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/X86/Machine.h"
#include "BochsFaults.h"
#include "Execution.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::deltanet::emulation;

namespace {
/// A CPU model as Bochs and XGETBV know it.
struct ModelInfo {
  int64_t bochsIndex; ///< in its parameter cpu.model
  uint64_t xcr0;
  bool hasBf16, hasAmx;
};

/// What code may expect in MXCSR and must leave there.
constexpr uint32_t defaultMxcsr = 0x1F80;
/// Sticky flags of MXCSR, which any arithmetic sets.
constexpr uint32_t mxcsrFlags = 0x3F;
constexpr uint32_t directionFlag = 0x400;
constexpr uint64_t xcr0Tiles = 0x60000;
constexpr size_t stackBytes = 1 << 20;

/// Registers that a function must give back.
constexpr std::pair<unsigned, const char *> calleeSaved[] = {
    {RBX, "rbx"}, {RBP, "rbp"}, {R12, "r12"},
    {R13, "r13"}, {R14, "r14"}, {R15, "r15"}};
constexpr unsigned argumentRegisters[] = {RDI, RSI, RDX, RCX, R8, R9};
} // namespace

static ModelInfo infoOf(CpuModel model) {
  constexpr uint64_t x87Sse = 0x3, avx = 0x4, avx512 = 0xE0;
  switch (model) {
  case CpuModel::TigerLake:
    return {29, x87Sse | avx | avx512, false, false};
  case CpuModel::SapphireRapids:
    return {30, x87Sse | avx | avx512 | xcr0Tiles, true, true};
  case CpuModel::ArrowLake:
    return {31, x87Sse | avx, false, false};
  }
  llvm_unreachable("all models are handled");
}

/// What a register holds before the function sets it.
static uint64_t junkOf(unsigned reg) { return 0x1A57'0000'DEAD'0000 + reg; }

struct Machine::State {
  State(const Bochs &bochs, const ModelInfo &model)
      : bochs(bochs), model(model), xcr0(model.xcr0), pages(bochs),
        memory(pages), code(memory) {}

  /// Tiles need the operating system's leave.
  bool hasTiles() const { return model.hasAmx && xcr0 & xcr0Tiles; }

  void resetRegisters();
  uint64_t placeArguments(llvm::ArrayRef<uint64_t> arguments);
  void checkReturn(Execution &execution, uint64_t returnSlot);
  CallResult call(const void *function, llvm::ArrayRef<uint64_t> arguments,
                  const CallOptions &options);
  llvm::Error findOpmasks();
  CpuidRegisters executeCpuid(uint32_t leaf, uint32_t subleaf);
  void describeTiles();
  llvm::Error setUp();

  const Bochs &bochs;
  const ModelInfo model;
  uint64_t xcr0;
  PageTables pages;
  GuestMemory memory;
  CodePlaces code;
  CpuidTable cpuid;
  const uint64_t *opmasks = nullptr;
  char *stack = nullptr;
  const char *returnPage = nullptr;

  static bool exists;
};

bool Machine::State::exists = false;

/// User mode of a 64-bit operating system that lets programs use all units.
void Machine::State::resetRegisters() {
  constexpr uint32_t cr0 = 0x80050033; // paging, protection, x87 errors
  constexpr uint32_t cr4 = 0x506A0;    // PAE, SSE, XSAVE, FSGSBASE
  constexpr uint32_t efer = 0xD01;     // long mode, no-execute, SYSCALL
  constexpr uint16_t codeSegment = 0xA0FB, dataSegment = 0xC0F3;
  enum : unsigned { ES, CS, SS, DS, FS, GS };
  bochs.setEfer(0, efer);
  bochs.setCr0(0, cr0);
  bochs.setCr3(0, pages.root());
  bochs.setCr4(0, cr4);
  bochs.setXcr0(0, uint32_t(xcr0));
  bochs.setSegment(0, CS, 1, 0x33, 0, ~0u, codeSegment);
  for (unsigned segment : {ES, SS, DS, FS, GS})
    bochs.setSegment(0, segment, 1, 0x2B, 0, ~0u, dataSegment);
  bochs.setTaskRegister(0, 1, 0x40, 0, 0x67, 0x8B);
  uint64_t signalling[8]; // not-a-numbers in f16, f32 and f64
  std::fill(std::begin(signalling), std::end(signalling),
            0x7FF4'7D01'7FA4'7D01);
  for (unsigned i = 0; i < 32; ++i)
    bochs.setVector(0, i, signalling);
  for (unsigned i = 0; i < 16; ++i)
    bochs.setRegister(0, i, junkOf(i));
  bochs.setFlags(0, 0x202);
  bochs.setMxcsr(0, defaultMxcsr);
  bochs.setMxcsrMask(0, 0x2FFFF);
  bochs.setX87Control(0, 0x37F);
  bochs.setX87Tags(0, 0xFFFF);
}

/// Returns the address of the return address.
uint64_t Machine::State::placeArguments(llvm::ArrayRef<uint64_t> arguments) {
  memory.markUninitialised(stack, stackBytes);
  size_t inRegisters = std::min(arguments.size(), std::size(argumentRegisters));
  for (size_t i = 0; i < inRegisters; ++i)
    bochs.setRegister(0, argumentRegisters[i], arguments[i]);
  llvm::ArrayRef<uint64_t> rest = arguments.drop_front(inRegisters);
  // The stack begins with them, so that reads beyond leave the buffer.
  size_t restBytes = rest.size() * sizeof(uint64_t);
  char *top = stack + stackBytes - llvm::alignTo(restBytes, 16);
  if (!rest.empty()) {
    std::memcpy(top, rest.data(), restBytes);
    memory.markInitialised(top, restBytes);
  }
  char *slot = top - sizeof(uint64_t);
  std::memcpy(slot, &returnPage, sizeof(returnPage));
  memory.markInitialised(slot, sizeof(uint64_t));
  return reinterpret_cast<uint64_t>(slot);
}

/// Checks what the System V ABI promises to callers.
void Machine::State::checkReturn(Execution &execution, uint64_t returnSlot) {
  auto expect = [&](bool holds, FindingKind kind, const llvm::Twine &what) {
    if (!holds)
      execution.find(kind, what);
  };
  for (auto [reg, name] : calleeSaved)
    expect(bochs.getRegister(0, reg) == junkOf(reg), FindingKind::CalleeSaved,
           llvm::Twine("callee-saved: ") + name + " is not restored");
  expect(bochs.getRegister(0, RSP) == returnSlot + sizeof(uint64_t),
         FindingKind::CalleeSaved, "callee-saved: rsp is not restored");
  expect(!(bochs.getFlags(0) & directionFlag), FindingKind::CalleeSaved,
         "callee-saved: the direction flag is set");
  uint32_t mxcsr = bochs.getMxcsr(0) & ~mxcsrFlags;
  expect(mxcsr == defaultMxcsr, FindingKind::CalleeSaved,
         llvm::formatv("callee-saved: expected MXCSR {0:x}, got {1:x}",
                       defaultMxcsr, mxcsr));
  expect(!execution.tiles().isConfigured(), FindingKind::TilesConfigured,
         "tiles are left configured: expected TILERELEASE");
}

CallResult Machine::State::call(const void *function,
                                llvm::ArrayRef<uint64_t> arguments,
                                const CallOptions &options) {
  resetRegisters();
  uint64_t returnSlot = placeArguments(arguments);
  bochs.setSp(0, returnSlot);
  bochs.setPc(0, reinterpret_cast<uint64_t>(function));
  Execution execution({bochs, memory, pages, code, cpuid, opmasks, hasTiles()},
                      options, *memory.find(returnSlot, sizeof(uint64_t)),
                      returnSlot, reinterpret_cast<uint64_t>(returnPage));
  execution.run();
  if (execution.returned())
    checkReturn(execution, returnSlot);
  CallResult result = execution.takeResult();
  if (result.stackBytes > options.stackLimit)
    result.findings.push_back(
        {FindingKind::StackDepth,
         llvm::formatv("stack: expected at most {0} bytes, got {1}",
                       options.stackLimit, result.stackBytes),
         "", ""});
  // What is found on return is about the whole function.
  for (Finding &finding : result.findings)
    if (finding.place.empty())
      finding.place = code.placeOf(reinterpret_cast<uint64_t>(function));
  return result;
}

/// Mask registers have no function of Bochs' library: finds them in its state
/// by what an instruction writes.
llvm::Error Machine::State::findOpmasks() {
  const uint8_t moveToK1[] = {0xC4, 0xE1, 0xFB, 0x92, 0xCF, // kmovq %rdi, %k1
                              0xC3};
  char *code =
      memory.allocate("opmask search", sizeof(moveToK1), Permission::Execute);
  llvm::scope_exit release([&] { memory.release(code); });
  std::memcpy(code, moveToK1, sizeof(moveToK1));
  std::vector<const uint64_t *> candidates;
  for (const uint64_t &word : bochs.state)
    candidates.push_back(&word);
  for (uint64_t value : {0x6E3A'91C2'0001, 0x6E3A'91C2'0002}) {
    CallResult result = call(code, value, {});
    if (!result.findings.empty())
      return llvm::createStringError("bochs: " + result.findings[0].text());
    // RDI holds the value as well: its place is known by the other argument.
    llvm::erase_if(candidates,
                   [&](const uint64_t *word) { return *word != value; });
  }
  bochs.setRegister(0, RDI, 0);
  llvm::erase_if(candidates, [](const uint64_t *word) { return *word == 0; });
  if (candidates.size() != 1)
    return llvm::createStringError(llvm::formatv(
        "bochs: expected one place of k1, got {0}", candidates.size()));
  opmasks = candidates.front() - 1;
  return llvm::Error::success();
}

/// Executes CPUID, for what Bochs' model answers.
CpuidRegisters Machine::State::executeCpuid(uint32_t leaf, uint32_t subleaf) {
  const uint8_t code[] = {0x49, 0x89, 0xD0,       // movq %rdx, %r8
                          0x53,                   // pushq %rbx
                          0x89, 0xF8,             // movl %edi, %eax
                          0x89, 0xF1,             // movl %esi, %ecx
                          0x0F, 0xA2,             // cpuid
                          0x41, 0x89, 0x00,       // movl %eax, (%r8)
                          0x41, 0x89, 0x58, 0x04, // movl %ebx, 4(%r8)
                          0x41, 0x89, 0x48, 0x08, // movl %ecx, 8(%r8)
                          0x41, 0x89, 0x50, 0x0C, // movl %edx, 12(%r8)
                          0x5B,                   // popq %rbx
                          0xC3};                  // retq
  char *copy = memory.allocate("cpuid", sizeof(code), Permission::Execute);
  std::memcpy(copy, code, sizeof(code));
  char *answer = memory.allocate("cpuid answer", sizeof(CpuidRegisters),
                                 Permission::ReadWrite);
  call(copy, {leaf, subleaf, argument(answer)}, {});
  CpuidRegisters registers;
  std::memcpy(&registers, answer, sizeof(registers));
  memory.release(copy);
  memory.release(answer);
  return registers;
}

/// Bochs is built without AMX: CPUID tells of the unit that is here.
void Machine::State::describeTiles() {
  constexpr uint32_t hasBf16 = 1u << 22, hasTiles = 1u << 24,
                     hasInt8 = 1u << 25;
  CpuidRegisters features = executeCpuid(7, 0);
  features.edx |= hasBf16 | hasTiles | hasInt8;
  cpuid.set(7, 0, features);
  // One palette: 8 tiles of 1024 bytes, 16 rows of 64 bytes.
  cpuid.set(0x1D, 0, {1, 0, 0, 0});
  cpuid.set(0x1D, 1, {8192 | 1024 << 16, 64 | 8 << 16, 16, 0});
  // Products over 16 groups of 4 bytes, into rows of 64 bytes.
  cpuid.set(0x1E, 0, {0, 16 | 64 << 8, 0, 0});
}

llvm::Error Machine::State::setUp() {
  stack = memory.allocate("the stack", stackBytes, Permission::ReadWrite);
  constexpr uint8_t hlt = 0xF4;
  char *page = memory.allocate("the return page", PageTables::pageBytes,
                               Permission::Execute);
  std::memset(page, hlt, PageTables::pageBytes);
  returnPage = page;
  if (model.hasBf16)
    if (llvm::Error error = findOpmasks())
      return error;
  if (model.hasAmx)
    describeTiles();
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Machine>>
Machine::create(const MachineOptions &options) {
  if (State::exists)
    return llvm::createStringError(
        "emulator: expected one machine at a time, got a second");
  std::string path = bochsPath();
  if (!llvm::sys::fs::exists(path))
    return llvm::createStringError(
        "emulator: expected Bochs in '" + path +
        "', got no such file; build the target deltanet-bochs, or let "
        "DELTANET_BOCHS name the library that lib/Emulation/X86/fetch-bochs.sh "
        "fetches");
  llvm::Expected<const Bochs *> bochs = Bochs::load(path);
  if (!bochs)
    return bochs.takeError();
  ModelInfo model = infoOf(options.model);
  if (llvm::Error error = (*bochs)->reset(model.bochsIndex))
    return std::move(error);
  if (llvm::Error error = correctDotProductOperands(**bochs))
    return std::move(error);
  auto state = std::make_unique<State>(**bochs, model);
  if (llvm::Error error = state->setUp())
    return std::move(error);
  // Only now: setting up takes instructions that a program may not use.
  state->xcr0 = options.xcr0.value_or(model.xcr0);
  return std::unique_ptr<Machine>(new Machine(std::move(state)));
}

std::string Machine::bochsPath() {
  if (const char *path = std::getenv("DELTANET_BOCHS"))
    return path;
  return DELTANET_BOCHS_OF_BUILD;
}

Machine::Machine(std::unique_ptr<State> state) : state(std::move(state)) {
  State::exists = true;
}

Machine::~Machine() { State::exists = false; }

GuestMemory &Machine::memory() { return state->memory; }

llvm::Error Machine::addLibrary(const void *address) {
  return state->code.addLibrary(address);
}

const void *Machine::loadCode(llvm::StringRef name,
                              llvm::ArrayRef<uint8_t> code) {
  char *copy =
      state->memory.allocate(name, code.size(), Permission::Execute, 16);
  std::memcpy(copy, code.data(), code.size());
  return copy;
}

CpuidRegisters Machine::cpuid(uint32_t leaf, uint32_t subleaf) {
  return state->executeCpuid(leaf, subleaf);
}

void Machine::overrideCpuid(uint32_t leaf, uint32_t subleaf,
                            const CpuidRegisters &answer) {
  state->cpuid.set(leaf, subleaf, answer);
}

CallResult Machine::call(const void *function,
                         llvm::ArrayRef<uint64_t> arguments,
                         const CallOptions &options) {
  return state->call(function, arguments, options);
}
