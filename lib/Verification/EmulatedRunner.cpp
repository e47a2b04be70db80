//===- EmulatedRunner.cpp - Problems on a kernel in the emulator ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/EmulatedRunner.h"
#include "CallDescription.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::emulation;
using namespace mlir::deltanet::verification;

/// What the ABI allows a kernel.
static constexpr uint64_t stackLimit = 16 << 10;

/// A CPU with the level's instructions and as few others as may be, so that a
/// stray one is found.
static MachineOptions machineFor(uint32_t isa) {
  const char *known = dn_isa_name(isa);
  llvm::StringRef name = known ? known : "";
  if (name == "generic" || name == "avx2")
    return {CpuModel::ArrowLake, std::nullopt};
  if (name == "avx512")
    return {CpuModel::TigerLake, std::nullopt};
  // Tiles need the operating system's leave.
  constexpr uint64_t allButTiles = 0xE7;
  if (name == "avx512_bf16")
    return {CpuModel::SapphireRapids, allButTiles};
  return {CpuModel::SapphireRapids, std::nullopt};
}

template <typename T> static const void *pointerTo(T *function) {
  return reinterpret_cast<const void *>(function);
}

llvm::Expected<std::unique_ptr<EmulatedRunner>>
EmulatedRunner::create(const dn_kernel &kernel, const MemoryLayout &layout) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError("kernel '" + llvm::Twine(kernel.name) +
                                   "': " + what);
  };
  std::unique_ptr<EmulatedRunner> runner(new EmulatedRunner(kernel, layout));
  llvm::Expected<RunnerTraits> traits = traitsOf(kernel);
  if (!traits)
    return traits.takeError();
  runner->kernelTraits = std::move(*traits);
  if (layout.inPlaceState &&
      (!runner->kernelTraits.takesState || !runner->kernelTraits.givesState))
    return fail("expected an initial and a final state to update in place, "
                "got none");
  if (!llvm::isPowerOf2_32(kernel.scratch_align))
    return fail("expected scratch_align to be a power of two, got " +
                llvm::Twine(kernel.scratch_align));
  llvm::Expected<std::unique_ptr<Machine>> machine =
      Machine::create(machineFor(kernel.isa));
  if (!machine)
    return machine.takeError();
  runner->machine = std::move(*machine);
  if (llvm::Error error = runner->machine->addLibrary(pointerTo(kernel.run)))
    return std::move(error);
  runner->scratch = runner->machine->memory().allocate(
      "scratch", kernel.scratch_bytes, Permission::ReadWrite,
      kernel.scratch_align);
  return runner;
}

std::optional<uint64_t> EmulatedRunner::call(const void *function,
                                             llvm::ArrayRef<uint64_t> arguments,
                                             RunResult &result) {
  CallOptions options;
  options.stackLimit = stackLimit;
  CallResult called = machine->call(function, arguments, options);
  totalCounts += called.counts;
  deepestStack = std::max(deepestStack, called.stackBytes);
  for (const Finding &finding : called.findings)
    result.faults.push_back(finding.text());
  return called.returned ? std::optional(called.value) : std::nullopt;
}

bool EmulatedRunner::runStages(const dn_args &args, RunResult &result) {
  for (uint64_t stage = 0; stage < kernel.stages; ++stage) {
    std::optional<uint64_t> items =
        call(pointerTo(kernel.items), {argument(&args), stage}, result);
    if (!items)
      return false;
    // The first item alone, then the others with scratch of any contents: how
    // the items are cut must not matter.
    uint64_t cut = std::min<uint64_t>(1, *items);
    for (auto [begin, end] : {std::pair(uint64_t(0), cut), {cut, *items}}) {
      if (begin == end)
        continue;
      machine->memory().markUninitialised(scratch, kernel.scratch_bytes);
      if (!call(pointerTo(kernel.run),
                {argument(&args), stage, argument(scratch), begin, end},
                result))
        return false;
    }
  }
  return true;
}

llvm::Expected<RunResult> EmulatedRunner::run(const Problem &problem) {
  CallTensors tensors(kernelTraits, problem, layout);
  dn_args args = describeCall(kernel, problem, tensors);
  GuestMemory &memory = machine->memory();
  std::vector<const void *> shared;
  auto share = [&](llvm::StringRef name, const void *begin, size_t bytes,
                   Permission permission) {
    memory.share(name, begin, bytes, permission);
    shared.push_back(begin);
  };
  llvm::scope_exit release([&] {
    for (const void *begin : shared)
      memory.release(begin);
  });

  RunResult result;
  share("args", &args, sizeof(args), Permission::Read);
  std::optional<uint64_t> workspaceBytes =
      call(pointerTo(kernel.workspace_bytes), argument(&args), result);
  args.workspace_bytes = workspaceBytes.value_or(0);
  if (args.workspace_bytes)
    args.workspace = tensors.addWorkspace(args.workspace_bytes);
  tensors.prepare();
  // The kernel's own function may have instructions that this machine lacks.
  dn_kernel checked = kernel;
  checked.workspace_bytes = [](const dn_args *args) {
    return args->workspace_bytes;
  };
  char message[DN_MESSAGE_BYTES];
  if (dn_check(&checked, &args, message, sizeof(message)) != DN_OK)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': {1}", kernel.name, message));

  for (const CallTensors::Extent &extent : tensors.extents()) {
    share(extent.name, extent.begin, extent.bytes,
          extent.output ? Permission::ReadWrite : Permission::Read);
    memory.markUninitialised(extent.begin, extent.bytes);
  }
  tensors.visitInputRows([&](const char *row, size_t bytes) {
    memory.markInitialised(row, bytes);
  });
  bool complete = workspaceBytes && runStages(args, result);
  size_t findings = result.faults.size();
  tensors.collect(result);
  // That a call which ended early has not written everything is no news.
  if (!complete)
    result.faults.resize(findings);
  return result;
}
