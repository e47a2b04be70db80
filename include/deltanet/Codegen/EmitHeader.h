//===- EmitHeader.h - The C header of a kernel library --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_EMITHEADER_H
#define DELTANET_CODEGEN_EMITHEADER_H

#include "deltanet/Codegen/KernelLibrary.h"

namespace mlir::deltanet {

/// Writes the C header (C11, C++) that declares the kernel set of every kernel
/// among `variants`, with a comment that tells shapes, types, layouts and
/// schedules. The include guard is made from `fileName`.
void emitHeader(raw_ostream &os, StringRef fileName,
                ArrayRef<KernelVariant> variants);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_EMITHEADER_H
