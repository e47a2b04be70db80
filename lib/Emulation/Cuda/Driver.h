//===- Driver.h - The state of the simulated CUDA driver --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_CUDA_DRIVER_H
#define DELTANET_LIB_EMULATION_CUDA_DRIVER_H

#include "Context.h"
#include "LaunchCounts.h"
#include "deltanet/Emulation/Cuda/SimulatedDriver.h"
#include "llvm/ADT/Twine.h"
#include <mutex>
#include <utility>
#include <vector>

namespace mlir::deltanet::cuda {

/// One a process, as the library is a driver.
class Driver {
public:
  static Driver &get();

  /// Null, or why the options are refused.
  const char *configure(const dn_sim_options &options);
  const dn_sim_options &options() const { return present; }
  /// "simulated sm_80".
  std::string deviceName() const;

  bool isDevice(CUdevice device) const {
    return device >= 0 && uint32_t(device) < present.devices;
  }

  /// A device's primary context, made on its first use.
  CUcontext retain(CUdevice device);
  /// False if nobody uses it.
  bool release(CUdevice device);
  Context *find(CUcontext context) const { return contexts.find(context); }
  std::vector<CUcontext> contextsInUse() const;

  /// Keeps what a launch found and executed.
  void record(Context &context, const Kernel &kernel,
              const ptx::LaunchShape &shape, const ptx::LaunchResult &result);
  unsigned takeFindings(dn_sim_visitor visit, void *visitorContext);
  LaunchCounts takeCounts() { return std::exchange(counts, LaunchCounts()); }

  std::mutex mutex; ///< whoever calls anything holds it
  bool isInitialised = false;

private:
  Driver();

  dn_sim_options present;
  std::vector<CUcontext> primary; ///< by device; null: not in use
  HandleTable<CUcontext, Context> contexts;
  std::vector<std::string> findings;
  unsigned incompleteLaunches = 0;
  LaunchCounts counts;
};

/// Makes a failure of a call, and keeps what dn_sim_reason tells of it.
CUresult fail(CUresult result, const llvm::Twine &reason);

/// The context of this thread.
CUcontext &currentContext();

/// Runs a call that needs no context: `call(driver)`.
template <typename Call> CUresult inDriver(Call call) {
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  if (!driver.isInitialised)
    return fail(CUDA_ERROR_NOT_INITIALIZED, "expected cuInit before");
  return call(driver);
}

/// The context that a call of this thread works on, or why there is none.
CUresult findContext(Driver &driver, Context *&context);

/// Runs a launch that a GPU would take.
CUresult execute(Driver &driver, Context &context, const KernelLaunch &launch);

/// Runs a call in the current context: `call(driver, context)`.
template <typename Call> CUresult inContext(Call call) {
  return inDriver([&](Driver &driver) {
    Context *context;
    CUresult found = findContext(driver, context);
    return found == CUDA_SUCCESS ? call(driver, *context) : found;
  });
}

} // namespace mlir::deltanet::cuda

#endif // DELTANET_LIB_EMULATION_CUDA_DRIVER_H
