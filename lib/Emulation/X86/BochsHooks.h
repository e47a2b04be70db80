//===- BochsHooks.h - Where Bochs calls this library ------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_BOCHSHOOKS_H
#define DELTANET_LIB_EMULATION_X86_BOCHSHOOKS_H

#include "llvm/Support/Error.h"

namespace mlir::deltanet::emulation {

class Execution;

/// Fails unless the dynamic linker would bind Bochs' calls to the hooks here.
llvm::Error checkHooksAreVisible();

/// The execution that hooks report to, from construction to destruction.
class HookScope {
public:
  explicit HookScope(Execution &execution);
  HookScope(const HookScope &) = delete;
  ~HookScope();
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_BOCHSHOOKS_H
