//===- KernelDescriptor.h - The dn_kernel constant of a variant -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ABI_KERNELDESCRIPTOR_H
#define DELTANET_ABI_KERNELDESCRIPTOR_H

#include "deltanet/ABI/Level.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::deltanet::abi {

/// What the descriptor of a kernel variant says.
struct KernelDescription {
  StringRef name;
  KernelAttr facts;
  Level level;
  SmallVector<Role> roles;
  uint64_t scratchBytes = 0;
  uint32_t stages = 0;
  LLVM::LLVMFuncOp workspaceBytes;
  LLVM::LLVMFuncOp items;
  LLVM::LLVMFuncOp run; ///< null for a GPU
  LLVM::GlobalOp cuda;  ///< its dn_cuda_code; null for a CPU
};

/// Creates the constant of type dn_kernel, with the name of getDescriptorName,
/// and the strings it names. Facts and roles stand beside it as attributes, for
/// those who describe the kernel after this step.
LLVM::GlobalOp createDescriptor(OpBuilder &builder, Location loc,
                                const KernelDescription &kernel);

} // namespace mlir::deltanet::abi

#endif // DELTANET_ABI_KERNELDESCRIPTOR_H
