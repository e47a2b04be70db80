//===- KernelDescriptor.h - The dn_kernel constant of a variant -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CPU_KERNELDESCRIPTOR_H
#define DELTANET_LIB_CPU_KERNELDESCRIPTOR_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::deltanet::cpu {

/// What the descriptor of a kernel variant says.
struct KernelDescription {
  StringRef name;
  KernelAttr facts;
  Isa isa;
  SmallVector<Role> roles;
  uint64_t scratchBytes = 0;
  uint32_t stages = 0;
  LLVM::LLVMFuncOp workspaceBytes;
  LLVM::LLVMFuncOp items;
  LLVM::LLVMFuncOp run;
};

/// Creates the constant `symbol` of type dn_kernel, and the strings it names.
LLVM::GlobalOp createDescriptor(OpBuilder &builder, Location loc,
                                StringRef symbol,
                                const KernelDescription &kernel);

} // namespace mlir::deltanet::cpu

#endif // DELTANET_LIB_CPU_KERNELDESCRIPTOR_H
