//===- KernelText.h - Instructions run on values of each thread -*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_PTX_KERNELTEXT_H
#define DELTANET_TEST_UNITTESTS_PTX_KERNELTEXT_H

#include "deltanet/Emulation/PTX/Launch.h"
#include <cstring>

namespace mlir::deltanet::ptx::test {

/// One value of each thread, as bits of a register of so many bytes.
struct Values {
  unsigned bytes;
  std::vector<uint64_t> bits;
};

template <typename T> Values valuesOf(const std::vector<T> &values) {
  Values result = {sizeof(T), {}};
  for (const T &value : values) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    result.bits.push_back(bits);
  }
  return result;
}

template <typename T> std::vector<T> valuesAs(const Values &values) {
  std::vector<T> result;
  for (uint64_t bits : values.bits) {
    T &value = result.emplace_back();
    std::memcpy(&value, &bits, sizeof value);
  }
  return result;
}

struct Outcome {
  std::string error; ///< of the parser, or of the launch
  std::vector<Values> results;
  std::vector<Finding> findings;
};

/// Runs instructions in full warps, a thread for each value. Sources are in the
/// registers %a, %b and so on, results in %w, %x, %y and %z. For the rest there
/// are %p0 to %p7, %h0 to %h7 of 16 bits, %r0 to %r7 of 32 and %l0 to %l7 of
/// 64.
Outcome run(llvm::StringRef body, const std::vector<Values> &sources,
            const std::vector<unsigned> &resultBytes,
            const LaunchOptions &options = {});

/// The error of a module with these instructions, or none.
std::string parseError(llvm::StringRef body);

} // namespace mlir::deltanet::ptx::test

#endif // DELTANET_TEST_UNITTESTS_PTX_KERNELTEXT_H
