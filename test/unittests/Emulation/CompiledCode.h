//===- CompiledCode.h - Modules as code in memory ---------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_EMULATION_COMPILEDCODE_H
#define DELTANET_UNITTESTS_EMULATION_COMPILEDCODE_H

#include "deltanet/Emulation/X86/Machine.h"
#include "llvm/ExecutionEngine/RTDyldMemoryManager.h"
#include "llvm/ExecutionEngine/RuntimeDyld.h"
#include "llvm/IR/Module.h"

namespace mlir::deltanet::emulation {

/// Code that this process can call, or with a machine, that the machine can.
class CompiledCode {
public:
  CompiledCode(llvm::Module &module, llvm::StringRef cpu, Machine *machine);
  ~CompiledCode();

  /// The address of a function.
  const void *find(llvm::StringRef name) const;

private:
  std::unique_ptr<llvm::RTDyldMemoryManager> memory;
  std::unique_ptr<llvm::RuntimeDyld> linker;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_UNITTESTS_EMULATION_COMPILEDCODE_H
