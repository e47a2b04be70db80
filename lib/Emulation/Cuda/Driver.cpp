//===- Driver.cpp - The state of the simulated CUDA driver ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Capability.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

/// Addresses of a device, of which others have none.
static constexpr uint64_t kFirstAddress = 0x7000'0000'0000;
static constexpr uint64_t kAddressesOfDevice = uint64_t(1) << 56;
static constexpr uint32_t kMostDevices = 8;

static dn_sim_options withDefaults(dn_sim_options options) {
  auto fill = [](auto &field, auto value) {
    if (!field)
      field = value;
  };
  fill(options.capability, 80);
  fill(options.devices, 1);
  fill(options.memory_bytes, uint64_t(16) << 30);
  fill(options.instruction_limit, uint64_t(1) << 32);
  return options;
}

Driver::Driver() : present(withDefaults({})), primary(1) {}

Driver &Driver::get() {
  static Driver driver;
  return driver;
}

const char *Driver::configure(const dn_sim_options &wanted) {
  if (wanted.size != sizeof(dn_sim_options))
    return "expected dn_sim_options of this version's size";
  dn_sim_options options = withDefaults(wanted);
  if (!isKnownCapability(options.capability))
    return "expected the compute capability 80, 86, 87, 89, 90, 100, 103, 120 "
           "or 121";
  if (options.devices > kMostDevices)
    return "expected at most 8 devices";
  if (options.without_checks > 1)
    return "expected without_checks to be 0 or 1";
  bool sameDevices = options.capability == present.capability &&
                     options.devices == present.devices &&
                     options.memory_bytes == present.memory_bytes;
  if (!sameDevices && !contextsInUse().empty())
    return "expected no context in use while devices change";
  present = options;
  primary.resize(present.devices);
  return nullptr;
}

std::string Driver::deviceName() const {
  return "simulated " + chipName(present.capability);
}

CUcontext Driver::retain(CUdevice device) {
  CUcontext &handle = primary[device];
  if (!handle)
    handle = contexts.add(std::make_unique<Context>(
        device, kFirstAddress + device * kAddressesOfDevice));
  ++contexts.find(handle)->users;
  return handle;
}

bool Driver::release(CUdevice device) {
  CUcontext &handle = primary[device];
  if (!handle)
    return false;
  if (--contexts.find(handle)->users == 0) {
    contexts.remove(handle);
    handle = nullptr;
  }
  return true;
}

std::vector<CUcontext> Driver::contextsInUse() const {
  std::vector<CUcontext> handles;
  llvm::copy_if(primary, std::back_inserter(handles),
                [](CUcontext handle) { return handle != nullptr; });
  return handles;
}

/// What a GPU would report, or the nearest to it.
static CUresult resultOf(ptx::FindingKind kind) {
  switch (kind) {
  case ptx::FindingKind::OutOfBounds:
  case ptx::FindingKind::ReadOnly:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case ptx::FindingKind::Misaligned:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case ptx::FindingKind::IllegalInstruction:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case ptx::FindingKind::Deadlock:
  case ptx::FindingKind::InstructionLimit:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  case ptx::FindingKind::Uninitialised:
  case ptx::FindingKind::DataRace:
  case ptx::FindingKind::UnwaitedCopy:
  case ptx::FindingKind::Divergence:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

void Driver::record(Context &context, const Kernel &kernel,
                    const ptx::LaunchShape &shape,
                    const ptx::LaunchResult &result) {
  counts.add(kernel.info->name, shape, result.report);
  incompleteLaunches += !result.completed;
  if (result.findings.empty())
    return;
  context.failure = resultOf(result.findings.front().kind);
  for (const ptx::Finding &finding : result.findings)
    findings.push_back(kernel.info->name + ": " + finding.text());
}

unsigned Driver::takeFindings(dn_sim_visitor visit, void *visitorContext) {
  for (const std::string &finding : std::exchange(findings, {}))
    visit(visitorContext, finding.c_str());
  for (CUcontext handle : contextsInUse())
    contexts.find(handle)->failure = CUDA_SUCCESS;
  return std::exchange(incompleteLaunches, 0);
}

static std::string &reasonOfThread() {
  static thread_local std::string reason;
  return reason;
}

CUresult cuda::fail(CUresult result, const llvm::Twine &reason) {
  reasonOfThread() = reason.str();
  return result;
}

CUcontext &cuda::currentContext() {
  static thread_local CUcontext context = nullptr;
  return context;
}

CUresult cuda::findContext(Driver &driver, Context *&context) {
  if (!currentContext())
    return fail(CUDA_ERROR_INVALID_CONTEXT,
                "expected a current context, got none");
  context = driver.find(currentContext());
  if (!context)
    return fail(CUDA_ERROR_CONTEXT_IS_DESTROYED,
                "expected a current context, got one that nobody retains");
  if (context->failure != CUDA_SUCCESS)
    return fail(context->failure, "an earlier launch had findings");
  return CUDA_SUCCESS;
}

const char *dn_sim_configure(const dn_sim_options *options) {
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  return driver.configure(*options);
}

unsigned dn_sim_take_findings(dn_sim_visitor visit, void *context) {
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  return driver.takeFindings(visit, context);
}

void dn_sim_take_report(dn_sim_visitor visit, void *context) {
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  std::string text;
  llvm::raw_string_ostream(text)
      << driver.takeCounts().toJson(driver.deviceName());
  visit(context, text.c_str());
}

const char *dn_sim_reason() { return reasonOfThread().c_str(); }
