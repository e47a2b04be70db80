//===- Program.h - PTX that can be executed ---------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_PTX_PROGRAM_H
#define DELTANET_EMULATION_PTX_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir::deltanet::ptx {

/// A parameter of a kernel, as it lies in the parameters' memory.
struct Parameter {
  std::string name;
  uint64_t offset, bytes;
};

/// What a kernel asks of its launches.
struct KernelInfo {
  std::string name;
  std::vector<Parameter> parameters;
  uint64_t parameterBytes = 0;
  uint64_t staticSharedBytes = 0; ///< .shared variables of a known size
  bool takesDynamicShared = false;
  /// .reqntid or .maxntid; 0 where it has none.
  std::array<uint32_t, 3> requiredThreads = {}, maxThreads = {};
};

/// A PTX module, decoded once for any number of launches.
class Program {
public:
  /// Decodes a module. What it does not know is an error that names file, line
  /// and column: nothing is skipped.
  static llvm::Expected<Program> parse(llvm::StringRef text,
                                       llvm::StringRef fileName);
  Program(Program &&);
  Program &operator=(Program &&);
  ~Program();

  std::vector<KernelInfo> kernels() const;
  /// Null if there is no such kernel.
  const KernelInfo *find(llvm::StringRef kernel) const;

  /// .target, such as "sm_90a", and .version, times ten: 83 for 8.3.
  llvm::StringRef target() const;
  unsigned version() const;

  struct State;
  const State &state() const { return *own; }

private:
  explicit Program(std::unique_ptr<State> state);
  std::unique_ptr<State> own;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_EMULATION_PTX_PROGRAM_H
