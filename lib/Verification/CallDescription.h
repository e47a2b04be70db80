//===- CallDescription.h - A call as the C ABI describes it -----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_CALLDESCRIPTION_H
#define DELTANET_LIB_VERIFICATION_CALLDESCRIPTION_H

#include "CallTensors.h"

namespace mlir::deltanet::verification {

/// The arguments of a call, but for the workspace: its size is the kernel's
/// answer to them.
dn_args describeCall(const dn_kernel &kernel, const Problem &problem,
                     const CallTensors &tensors);

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_CALLDESCRIPTION_H
