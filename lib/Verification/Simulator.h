//===- Simulator.h - The simulated CUDA driver, loaded ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_SIMULATOR_H
#define DELTANET_LIB_VERIFICATION_SIMULATOR_H

#include "deltanet/Emulation/Cuda/SimulatedDriver.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace mlir::deltanet::verification {

/// What libdeltanet_cuda_sim.so tells beside the functions of CUDA. It is
/// loaded, not linked: those have the names of a real driver's.
class Simulator {
public:
  /// For dn_cuda_open.
  static constexpr const char *kLibrary = "libdeltanet_cuda_sim.so";

  /// Fails if the library cannot be loaded or is of another version.
  static llvm::Expected<Simulator> load();

  /// One GPU of a compute capability, whose warps take turns as `seed` says.
  llvm::Error configure(unsigned capability, uint64_t seed) const;

  void describeBuffer(const void *address, llvm::StringRef name,
                      bool writable) const;
  void markUninitialised(const void *address, uint64_t bytes) const;

  struct Findings {
    std::vector<std::string> texts;
    unsigned incompleteLaunches; ///< that one of them ended
  };
  /// Those since the last time. Afterwards the context works again.
  Findings takeFindings() const;
  llvm::json::Value takeReport() const;

  /// Why the last call that failed did.
  std::string reason() const { return functions.reason(); }

private:
  struct Functions {
    decltype(&dn_sim_configure) configure;
    decltype(&dn_sim_describe_buffer) describeBuffer;
    decltype(&dn_sim_mark_uninitialised) markUninitialised;
    decltype(&dn_sim_take_findings) takeFindings;
    decltype(&dn_sim_take_report) takeReport;
    decltype(&dn_sim_reason) reason;
  };
  explicit Simulator(const Functions &functions) : functions(functions) {}

  Functions functions;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_SIMULATOR_H
