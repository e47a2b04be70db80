//===- MemoryKernel.h - Instructions on memory, run by threads --*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_PTX_MEMORYKERNEL_H
#define DELTANET_TEST_UNITTESTS_PTX_MEMORYKERNEL_H

#include "deltanet/Emulation/PTX/Launch.h"

namespace mlir::deltanet::ptx {

constexpr unsigned kKernelWords = 1024;

/// What instructions did.
struct MemoryOutcome {
  std::string error;
  std::vector<uint32_t> o; ///< words; those that nobody wrote are ~0
  std::vector<Finding> findings;
  InstructionReport report;

  /// The one finding; of none or several, how many there are.
  std::string finding() const;
  /// Traffic of the one access whose text begins so: "parts of ideal".
  std::string traffic(llvm::StringRef instruction) const;
};

/// Runs instructions in threads that have, each of 1024 words,
///   %in  a buffer 'in' that may only be read and has i + 1 in word i,
///   %o   a buffer 'o' that nobody has written,
///   tile a variable of shared memory,
/// and %own, the address of word t of 'o', %mine, that of word t of the tile,
/// and %t, the number t of the thread in the grid. Other registers: %p0 to %p7,
/// %h0 to %h7, %r0 to %r15, %l0 to %l7, %f0 to %f7, %d0 to %d7.
MemoryOutcome runOnMemory(llvm::StringRef body, unsigned threads = 32,
                          unsigned blocks = 1,
                          const LaunchOptions &options = {});

} // namespace mlir::deltanet::ptx

#endif // DELTANET_TEST_UNITTESTS_PTX_MEMORYKERNEL_H
