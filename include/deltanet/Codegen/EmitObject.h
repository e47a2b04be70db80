//===- EmitObject.h - LLVM IR to machine code -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_EMITOBJECT_H
#define DELTANET_CODEGEN_EMITOBJECT_H

#include "deltanet/Target/Target.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::deltanet {

/// The machine that makes position-independent code of a target's
/// architecture; functions say themselves what instructions they may use.
/// Error: LLVM was built without it.
FailureOr<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(TargetAttr target, EmitErrorFn emitError);

/// Optimizes a library, without inventing calls.
void optimizeLibrary(llvm::Module &module, llvm::TargetMachine &machine);

/// Appends the object or assembly of an optimized library to `out`. Errors:
/// what the code generator says, or a stack frame beyond kStackLimit.
LogicalResult emitMachineCode(llvm::Module &module,
                              llvm::TargetMachine &machine,
                              llvm::CodeGenFileType kind,
                              SmallVectorImpl<char> &out,
                              EmitErrorFn emitError);

/// Most bytes of stack that a kernel may take.
constexpr unsigned kStackLimit = 16384;

/// Checks that an object needs no symbol of another one and exports only
/// symbols that begin with dn_; the error names the symbol.
LogicalResult checkObject(llvm::MemoryBufferRef object, EmitErrorFn emitError);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_EMITOBJECT_H
