//===- EmitLibrary.h - Objects to static and shared libraries -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_EMITLIBRARY_H
#define DELTANET_CODEGEN_EMITLIBRARY_H

#include "deltanet/Target/Target.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::deltanet {

/// Appends to `out` a static library of one object, `member`. Equal objects
/// give equal bytes.
LogicalResult emitArchive(llvm::MemoryBufferRef object, StringRef member,
                          SmallVectorImpl<char> &out, EmitErrorFn emitError);

/// Writes a shared library of one object to the file `path`, with the system's
/// linker; the last part of `path` is its SONAME. Errors: no linker for the
/// architecture in PATH, or what the linker says.
LogicalResult linkSharedLibrary(llvm::MemoryBufferRef object, Arch arch,
                                StringRef path, EmitErrorFn emitError);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_EMITLIBRARY_H
