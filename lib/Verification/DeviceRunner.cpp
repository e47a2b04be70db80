//===- DeviceRunner.cpp - Problems on a kernel for GPUs -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/DeviceRunner.h"
#include "CallDescription.h"
#include "DeviceTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<std::unique_ptr<DeviceRunner>>
DeviceRunner::create(const dn_kernel_set &set,
                     const DeviceRunOptions &options) {
  std::unique_ptr<DeviceRunner> runner(new DeviceRunner(options));
  llvm::Expected<std::unique_ptr<GpuDevice>> device =
      GpuDevice::open(options.device);
  if (!device)
    return device.takeError();
  runner->device = std::move(*device);
  dn_cuda *cuda = runner->device->driver();
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError("kernel '" + llvm::Twine(set.name) +
                                   "': " + what);
  };
  if (dn_cuda_select(cuda, &set, &runner->chosen) != DN_OK)
    return fail(runner->chosen.reason);
  llvm::Expected<RunnerTraits> traits = traitsOf(runner->kernel());
  if (!traits)
    return traits.takeError();
  runner->kernelTraits = std::move(*traits);
  if (options.layout.inPlaceState &&
      (!runner->kernelTraits.takesState || !runner->kernelTraits.givesState))
    return fail("expected an initial and a final state to update in place, "
                "got none");
  char message[DN_MESSAGE_BYTES];
  dn_status status = dn_cuda_load(cuda, &runner->kernel(), &runner->loaded,
                                  message, sizeof message);
  if (status != DN_OK)
    return runner->device->fail(status, message);
  return runner;
}

DeviceRunner::DeviceRunner(const DeviceRunOptions &options)
    : options(options) {}

DeviceRunner::~DeviceRunner() { dn_cuda_unload(loaded); }

llvm::StringRef DeviceRunner::deviceName() const { return device->name(); }

llvm::StringRef DeviceRunner::image() const { return dn_cuda_image(loaded); }

llvm::json::Value DeviceRunner::takeReport() const {
  const Simulator *simulator = device->simulator();
  return simulator ? simulator->takeReport() : llvm::json::Value(nullptr);
}

llvm::Expected<bool> DeviceRunner::launch(const dn_args &args,
                                          RunResult &result) {
  char message[DN_MESSAGE_BYTES];
  dn_status status = dn_cuda_launch(loaded, &args, /*stream=*/nullptr, message,
                                    sizeof message);
  llvm::Error failure =
      status == DN_OK ? device->synchronize() : device->fail(status, message);
  if (const Simulator *simulator = device->simulator()) {
    Simulator::Findings findings = simulator->takeFindings();
    llvm::append_range(result.faults, findings.texts);
    if (!findings.texts.empty()) {
      // That the driver fails after findings is no news.
      llvm::consumeError(std::move(failure));
      return status == DN_OK && findings.incompleteLaunches == 0;
    }
  }
  if (failure)
    return std::move(failure);
  return true;
}

llvm::Expected<RunResult> DeviceRunner::run(const Problem &problem) {
  CallTensors tensors(kernelTraits, problem, options.layout);
  dn_args args = describeCall(kernel(), problem, tensors);
  args.workspace_bytes = kernel().workspace_bytes(&args);
  if (args.workspace_bytes)
    args.workspace = tensors.addWorkspace(args.workspace_bytes);
  DeviceTensors copies(*device, tensors);
  if (llvm::Error error = copies.allocate())
    return std::move(error);
  dn_args passed = copies.onDevice(args);
  char message[DN_MESSAGE_BYTES];
  if (dn_cuda_check(&kernel(), &passed, message, sizeof message) != DN_OK)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': {1}", kernel().name, message));

  RunResult result;
  const Simulator *simulator = device->simulator();
  const int untimed = options.warmUp && !simulator ? 1 : 0;
  for (int i = 0; i < untimed + options.repeat; ++i) {
    if (simulator)
      if (llvm::Error error =
              simulator->configure(options.device.capability, uint64_t(i)))
        return std::move(error);
    tensors.prepare();
    if (llvm::Error error = copies.upload())
      return std::move(error);
    const size_t before = result.faults.size();
    auto begin = std::chrono::steady_clock::now();
    llvm::Expected<bool> complete = launch(passed, result);
    if (!complete)
      return complete.takeError();
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    if (!simulator && i >= untimed)
      result.seconds.push_back(time.count());
    if (llvm::Error error = copies.download())
      return std::move(error);
    const size_t known = result.faults.size();
    const bool hasFindings = known > before;
    if (i == 0 || hasFindings)
      tensors.collect(result);
    else if (!tensors.sameOutputs(result))
      result.faults.push_back(llvm::formatv(
          "repetition {0} gave other bits than the first", i + 1));
    // That a call which ended early has not written everything is no news.
    if (!*complete)
      result.faults.resize(known);
    if (hasFindings)
      break;
  }
  return result;
}
