//===- KernelName.h - Which function names a kernel can have --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TRANSFORMS_KERNELNAME_H
#define DELTANET_TRANSFORMS_KERNELNAME_H

#include "mlir/IR/Operation.h"

namespace mlir::deltanet {

/// A kernel NAME is exported as the C symbol dn_NAME: emits an error at the
/// kernel if its name is no C identifier or dn_NAME belongs to the runtime.
LogicalResult verifyKernelName(Operation *kernel, StringRef name);

} // namespace mlir::deltanet

#endif // DELTANET_TRANSFORMS_KERNELNAME_H
