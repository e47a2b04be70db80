//===- FloatEnvironment.h - Flush-to-zero while a kernel runs -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CPU_FLOATENVIRONMENT_H
#define DELTANET_LIB_CPU_FLOATENVIRONMENT_H

#include "deltanet/IR/DeltaNet.h"

namespace mlir::deltanet::cpu {

/// Creates what enters the floating point environment of kernels: round to
/// nearest, exceptions masked, subnormals flushed to zero. Returns what
/// restoreFloatEnvironment needs.
Value enterFloatEnvironment(OpBuilder &builder, Location loc, Arch arch);

/// Creates what returns to the caller's environment.
void restoreFloatEnvironment(OpBuilder &builder, Location loc, Arch arch,
                             Value saved);

} // namespace mlir::deltanet::cpu

#endif // DELTANET_LIB_CPU_FLOATENVIRONMENT_H
