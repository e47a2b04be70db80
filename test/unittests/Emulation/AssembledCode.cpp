//===- AssembledCode.cpp - Test functions as assembly ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AssembledCode.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir::deltanet;

extern "C" void LLVMInitializeX86TargetInfo();
extern "C" void LLVMInitializeX86TargetMC();
extern "C" void LLVMInitializeX86AsmParser();

static std::vector<uint8_t> textSection(llvm::StringRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(object, "assembled"));
  EXPECT_TRUE(bool(file));
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    if (!section.isText())
      continue;
    llvm::StringRef contents = llvm::cantFail(section.getContents());
    return {contents.bytes_begin(), contents.bytes_end()};
  }
  return {};
}

std::vector<uint8_t> emulation::assemble(llvm::StringRef text) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmParser();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  EXPECT_TRUE(target) << error;
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(
      target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> assembly(
      target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, "graniterapids", ""));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text), {});
  llvm::MCContext context(triple, assembly.get(), registers.get(),
                          subtarget.get(), &sources);
  std::unique_ptr<llvm::MCObjectFileInfo> objectFile(
      target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objectFile.get());
  llvm::SmallString<1024> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target->createMCAsmBackend(*subtarget, *registers, options));
  auto writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer),
      std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *assembly));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  EXPECT_FALSE(parser->Run(/*NoInitialTextSection=*/false)) << text.str();
  return textSection(object);
}

void emulation::AssembledCodeTest::SetUp() {
  if (!llvm::sys::fs::exists(Machine::bochsPath()))
    GTEST_SKIP() << "expected Bochs in '" << Machine::bochsPath()
                 << "', got no such file; build the target deltanet-bochs";
  useMachine({});
}

void emulation::AssembledCodeTest::useMachine(const MachineOptions &options) {
  machine.reset();
  auto created = Machine::create(options);
  ASSERT_TRUE(bool(created)) << llvm::toString(created.takeError());
  machine = std::move(*created);
}

emulation::CallResult
emulation::AssembledCodeTest::run(llvm::StringRef text,
                                  llvm::ArrayRef<uint64_t> arguments,
                                  const CallOptions &options) {
  const void *code =
      machine->loadCode("code", assemble((text + "\nret\n").str()));
  return machine->call(code, arguments, options);
}

std::vector<std::string> emulation::textsOf(const CallResult &result) {
  std::vector<std::string> texts;
  for (const Finding &finding : result.findings)
    texts.push_back(finding.text());
  return texts;
}
