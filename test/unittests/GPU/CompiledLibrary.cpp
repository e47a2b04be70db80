//===- CompiledLibrary.cpp - A library with variants for GPUs, loaded -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CompiledLibrary.h"
#include "deltanet/Codegen/Compilation.h"
#include "deltanet/Pipelines/Registration.h"
#include "mlir/Parser/Parser.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::deltanet;

static ArtifactOptions artifactOptions(const std::string &path,
                                       bool withToolkit) {
  ArtifactOptions options;
  options.producer = "a test";
  options.path = path;
  options.arch = llvm::Triple(llvm::sys::getProcessTriple()).isAArch64()
                     ? Arch::AArch64
                     : Arch::X86_64;
  options.device.cuda.none = !withToolkit;
  return options;
}

static void compile(const std::string &text, ArrayRef<const char *> chips,
                    const ArtifactOptions &options) {
  DialectRegistry registry;
  registerDialects(registry);
  registerLLVMTranslations(registry);
  MLIRContext context(registry);
  auto report = [&] { return emitError(UnknownLoc::get(&context)); };
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  SmallVector<OwningOpRef<ModuleOp>> lowered;
  Lowering lowering;
  lowering.first = Stage::Target;
  for (const char *chip : chips) {
    FailureOr<OwningOpRef<ModuleOp>> one = lowerForTarget(
        *module, *lookupGpuTarget(&context, chip, report), lowering);
    ASSERT_TRUE(succeeded(one));
    lowered.push_back(std::move(*one));
  }
  SmallVector<ModuleOp> modules =
      llvm::map_to_vector(lowered, [](auto &one) { return one.get(); });
  SmallVector<char> none;
  ASSERT_TRUE(
      succeeded(makeArtifact(modules, Artifact::SharedLibrary, options, none)));
}

CompiledLibrary::CompiledLibrary(const std::string &text,
                                 ArrayRef<const char *> chips,
                                 bool withToolkit) {
  SmallString<128> name;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("deltanet-test", "so", name)) {
    ADD_FAILURE() << error.message();
    return;
  }
  path = name.str().str();
  compile(text, chips, artifactOptions(path, withToolkit));
  std::string message;
  loaded = llvm::sys::DynamicLibrary::getLibrary(path.c_str(), &message);
  auto query = reinterpret_cast<dn_query_fn>(
      loaded.isValid() ? loaded.getAddressOfSymbol("dn_query") : nullptr);
  if (query)
    library = query();
  else
    ADD_FAILURE() << message;
}

CompiledLibrary::~CompiledLibrary() {
  if (loaded.isValid())
    llvm::sys::DynamicLibrary::closeLibrary(loaded);
  llvm::sys::fs::remove(path);
}

bool CompiledLibrary::canCompile() {
  llvm::InitializeAllTargetInfos();
  std::string message;
  return llvm::TargetRegistry::lookupTarget(llvm::Triple("nvptx64-nvidia-cuda"),
                                            message);
}

std::string CompiledLibrary::read(const std::string &file) {
  auto buffer =
      llvm::MemoryBuffer::getFile(std::string(GPU_INPUTS) + "/" + file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

SimulatedCall::SimulatedCall(const dn_kernel &kernel) : kernel(kernel) {
  args.size = sizeof args;
  args.sequences = 1;
}

void *SimulatedCall::input(const std::vector<float> &values) {
  uint64_t bytes = values.size() * sizeof(float);
  uint64_t address = memory.allocate("input", bytes, ptx::Permission::Read);
  EXPECT_TRUE(memory.write(
      address, {reinterpret_cast<const char *>(values.data()), bytes}));
  return reinterpret_cast<void *>(address);
}

void *SimulatedCall::output(size_t count) {
  return reinterpret_cast<void *>(
      memory.allocate("output", count * sizeof(float)));
}

std::vector<float> SimulatedCall::read(const void *address,
                                       size_t count) const {
  std::vector<float> values(count);
  EXPECT_TRUE(memory.read(
      reinterpret_cast<uint64_t>(address),
      {reinterpret_cast<char *>(values.data()), count * sizeof(float)}));
  return values;
}

void SimulatedCall::launch(const ptx::Program &program,
                           const dn_cuda_stage &stage, int64_t first,
                           uint32_t blocks) {
  ptx::LaunchShape shape;
  shape.grid = {blocks, 1, 1};
  shape.block = {stage.threads, 1, 1};
  shape.dynamicSharedBytes = stage.shared_bytes;
  ArrayRef<char> parameters[] = {
      {reinterpret_cast<const char *>(&args), sizeof args},
      {reinterpret_cast<const char *>(&first), sizeof first}};
  llvm::Expected<ptx::LaunchResult> result =
      ptx::launch(program, stage.entry, shape, parameters, memory);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  for (const ptx::Finding &finding : result->findings)
    ADD_FAILURE() << finding.text();
}

void SimulatedCall::run(uint32_t blocks) {
  llvm::Expected<ptx::Program> program =
      ptx::Program::parse(kernel.cuda->ptx, "library.ptx");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  args.workspace_bytes = kernel.workspace_bytes(&args);
  args.workspace = reinterpret_cast<void *>(
      memory.allocate("workspace", args.workspace_bytes));
  for (uint32_t stage = 0; stage < kernel.stages; ++stage) {
    int64_t items = kernel.items(&args, stage);
    for (int64_t first = 0; first < items; first += blocks)
      launch(*program, kernel.cuda->stages[stage], first,
             std::min<int64_t>(blocks, items - first));
  }
}
