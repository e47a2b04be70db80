//===- CudaLaunch.h - A launch of a kernel that nvcc compiled ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_PTX_CUDALAUNCH_H
#define DELTANET_TEST_UNITTESTS_PTX_CUDALAUNCH_H

#include "deltanet/Emulation/PTX/Launch.h"
#include <random>

namespace mlir::deltanet::ptx {

/// Orders of the warps that each kernel is executed in.
constexpr uint64_t kSeeds[] = {0, 1, 2, 3, 4};

/// One launch: parameters are added in order, then the kernel runs. What fails
/// fails the test.
class CudaLaunch {
public:
  explicit CudaLaunch(llvm::StringRef file); ///< of Cuda/, without ".ptx"

  /// A buffer that the kernel may only read.
  template <typename T> void input(const std::vector<T> &values) {
    addBuffer(values.size() * sizeof(T), Permission::Read,
              reinterpret_cast<const char *>(values.data()));
  }
  /// A buffer with values, or with nothing in it.
  template <typename T> void inout(const std::vector<T> &values) {
    addBuffer(values.size() * sizeof(T), Permission::ReadWrite,
              reinterpret_cast<const char *>(values.data()));
  }
  template <typename T> void output(size_t count) {
    addBuffer(count * sizeof(T), Permission::ReadWrite, nullptr);
  }
  template <typename T> void scalar(T value) {
    const char *bytes = reinterpret_cast<const char *>(&value);
    parameters.emplace_back(bytes, bytes + sizeof value);
  }

  std::vector<Finding> run(llvm::StringRef kernel, const LaunchShape &shape,
                           uint64_t seed);
  /// Expects no findings.
  void runClean(llvm::StringRef kernel, const LaunchShape &shape,
                uint64_t seed);

  /// What is in the last buffer, all of which the kernel must have written.
  template <typename T> std::vector<T> result() {
    std::vector<T> values(lastBytes / sizeof(T));
    readLast(reinterpret_cast<char *>(values.data()));
    return values;
  }

  DeviceMemory memory;
  uint64_t lastAddress = 0, lastBytes = 0; ///< of the last buffer

private:
  void addBuffer(uint64_t bytes, Permission permission, const char *values);
  void readLast(char *values);

  llvm::StringRef file;
  std::vector<std::vector<char>> parameters;
};

/// Numbers from first to last.
template <typename T>
std::vector<T> randomIntegers(size_t count, T first, T last, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = T(first + T(random() % (uint64_t(last - first) + 1)));
  return values;
}

/// Floats from -1 to 1.
std::vector<float> randomFloats(size_t count, uint64_t seed);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_TEST_UNITTESTS_PTX_CUDALAUNCH_H
