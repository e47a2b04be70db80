//===- Buffers.h - Buffers of a run, filled and read back -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_PTXSIM_BUFFERS_H
#define DELTA_PTXSIM_BUFFERS_H

#include "Arguments.h"
#include "deltanet/Emulation/PTX/DeviceMemory.h"
#include "llvm/Support/raw_ostream.h"

namespace delta_ptxsim {

/// Memory of a device that holds the buffers among the arguments.
class Buffers {
public:
  /// The bytes of an argument as the kernel gets them; a buffer is allocated
  /// and filled.
  llvm::Expected<std::vector<char>> prepare(const Argument &argument);

  /// Prints the first elements; those that nothing wrote as "?".
  void print(const Argument &buffer, uint64_t count, llvm::raw_ostream &out);
  /// Writes all elements. Fails where nothing wrote some of them.
  llvm::Error save(const Argument &buffer, llvm::StringRef path);

  mlir::deltanet::ptx::DeviceMemory memory;

private:
  std::map<std::string, uint64_t> addresses; ///< by name
};

} // namespace delta_ptxsim

#endif // DELTA_PTXSIM_BUFFERS_H
