//===- CompiledLibrary.h - A library with variants for GPUs, loaded -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_GPU_COMPILEDLIBRARY_H
#define DELTANET_UNITTESTS_GPU_COMPILEDLIBRARY_H

#include "deltanet-c/kernel_abi.h"
#include "deltanet/Emulation/PTX/Launch.h"
#include "llvm/Support/DynamicLibrary.h"
#include <string>
#include <vector>

/// Compiles IR of the stage `target` to a shared library and loads it.
class CompiledLibrary {
public:
  /// For the GPUs of these names, without a toolkit unless one is asked for.
  CompiledLibrary(const std::string &text, llvm::ArrayRef<const char *> chips,
                  bool withToolkit = false);
  ~CompiledLibrary();

  /// Whether LLVM knows GPUs.
  static bool canCompile();
  /// A file of test/GPU/Inputs.
  static std::string read(const std::string &file);

  const dn_library *library = nullptr;
  /// The variant that the library lists first.
  const dn_kernel &first() const { return *library->kernels[0]->variants[0]; }

private:
  std::string path;
  llvm::sys::DynamicLibrary loaded;
};

/// A call of a kernel on the simulated GPU.
class SimulatedCall {
public:
  explicit SimulatedCall(const dn_kernel &kernel);

  /// A buffer of the device with these values; its address.
  void *input(const std::vector<float> &values);
  void *output(size_t count);
  std::vector<float> read(const void *address, size_t count) const;

  /// Runs all stages, each in launches of at most `blocks` work items. What the
  /// simulator finds fails the test.
  void run(uint32_t blocks = UINT32_MAX);

  dn_args args = {};
  mlir::deltanet::ptx::DeviceMemory memory;

private:
  void launch(const mlir::deltanet::ptx::Program &program,
              const dn_cuda_stage &stage, int64_t first, uint32_t blocks);

  const dn_kernel &kernel;
};

#endif // DELTANET_UNITTESTS_GPU_COMPILEDLIBRARY_H
