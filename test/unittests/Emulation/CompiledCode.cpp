//===- CompiledCode.cpp - Modules as code in memory -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CompiledCode.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::emulation;

extern "C" void LLVMInitializeX86TargetInfo();
extern "C" void LLVMInitializeX86Target();
extern "C" void LLVMInitializeX86TargetMC();
extern "C" void LLVMInitializeX86AsmPrinter();

/// What compilers call to round to bf16 where there is no instruction; in the
/// register of floats. Like the instruction it takes denormal numbers for zero.
static float truncateToBf16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t magnitude = bits & 0x7FFF'FFFF;
  if (magnitude > 0x7F80'0000)
    bits = bits >> 16 | 0x40;
  else if (magnitude < 0x0080'0000)
    bits = bits >> 16 & 0x8000;
  else
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  return llvm::bit_cast<float>(bits);
}

namespace {
class NativeMemory : public llvm::SectionMemoryManager {
public:
  llvm::JITSymbol findSymbol(const std::string &name) override {
    if (name == "__truncsfbf2")
      return llvm::JITSymbol(reinterpret_cast<uint64_t>(&truncateToBf16),
                             llvm::JITSymbolFlags::Exported);
    return nullptr;
  }
};

/// Sections as buffers of a machine.
class MachineMemory : public llvm::RTDyldMemoryManager {
public:
  explicit MachineMemory(Machine &machine) : machine(machine) {}

  uint8_t *allocateCodeSection(uintptr_t bytes, unsigned alignment, unsigned,
                               llvm::StringRef name) override {
    return allocate(name, bytes, alignment, Permission::Execute);
  }
  uint8_t *allocateDataSection(uintptr_t bytes, unsigned alignment, unsigned,
                               llvm::StringRef name, bool) override {
    return allocate(name, bytes, alignment, Permission::Read);
  }
  llvm::JITSymbol findSymbol(const std::string &) override { return nullptr; }
  void registerEHFrames(uint8_t *, uint64_t, size_t) override {}
  void deregisterEHFrames() override {}
  bool finalizeMemory(std::string *) override { return false; }

private:
  uint8_t *allocate(llvm::StringRef name, uintptr_t bytes, unsigned alignment,
                    Permission permission) {
    return reinterpret_cast<uint8_t *>(machine.memory().allocate(
        name, bytes, permission, std::max(alignment, 1u)));
  }
  Machine &machine;
};
} // namespace

static std::unique_ptr<llvm::MemoryBuffer> compile(llvm::Module &module,
                                                   llvm::StringRef cpu) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  EXPECT_TRUE(target) << error;
  // Sections may lie anywhere: far from each other, and from this program.
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, "", llvm::TargetOptions(),
                                  llvm::Reloc::Static, llvm::CodeModel::Large));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr,
                                            llvm::CodeGenFileType::ObjectFile));
  passes.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object));
}

CompiledCode::CompiledCode(llvm::Module &module, llvm::StringRef cpu,
                           Machine *machine) {
  std::unique_ptr<llvm::MemoryBuffer> object = compile(module, cpu);
  std::unique_ptr<llvm::object::ObjectFile> file = llvm::cantFail(
      llvm::object::ObjectFile::createObjectFile(object->getMemBufferRef()));
  if (machine)
    memory = std::make_unique<MachineMemory>(*machine);
  else
    memory = std::make_unique<NativeMemory>();
  linker = std::make_unique<llvm::RuntimeDyld>(*memory, *memory);
  linker->loadObject(*file);
  linker->finalizeWithMemoryManagerLocking();
  EXPECT_FALSE(linker->hasError()) << linker->getErrorString().str();
}

CompiledCode::~CompiledCode() = default;

const void *CompiledCode::find(llvm::StringRef name) const {
  return linker->getSymbolLocalAddress(name);
}
