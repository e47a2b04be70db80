//===- CallArguments.h - Kernel arguments out of dn_args ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ABI_CALLARGUMENTS_H
#define DELTANET_ABI_CALLARGUMENTS_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::deltanet::abi {

/// The roles of a kernel's arguments, in order. Error: an argument without a
/// role, or one whose type does not lie in memory as its role says: the
/// innermost dimension contiguous, and the rows of a state too.
FailureOr<SmallVector<Role>> getRoles(func::FuncOp kernel);

/// A memref in another memory space.
MemRefType inMemorySpace(MemRefType type, Attribute memorySpace);

/// Builds the arguments of a kernel from a `dn_args`, as memrefs and a scale.
class CallArguments {
public:
  /// `args` is the pointer to the dn_args; ops are created where `builder`
  /// stands. Tensors and workspace lie in `memorySpace`, null: the default one.
  CallArguments(OpBuilder &builder, Location loc,
                const LLVMTypeConverter &converter, Value args,
                Attribute memorySpace = {})
      : builder(builder), loc(loc), converter(converter), args(args),
        memorySpace(memorySpace) {}

  /// One value for each argument of the kernel.
  SmallVector<Value> build(func::FuncOp kernel, KernelAttr facts);

  /// The workspace as memref<?xi8>.
  Value workspace();

  /// A memref of `type`, which is contiguous with a static shape, at a pointer
  /// of its memory space.
  Value memory(MemRefType type, Value pointer);

private:
  Value field(size_t offset, Type type);
  Value pointerField(size_t offset);
  Value constant(int64_t value);
  Value tensor(Role role, MemRefType type);
  Value descriptor(MemRefType type, Value pointer, ArrayRef<Value> sizes,
                   ArrayRef<Value> strides);
  Value scale(KernelAttr facts);

  OpBuilder &builder;
  Location loc;
  const LLVMTypeConverter &converter;
  Value args;
  Attribute memorySpace;
};

} // namespace mlir::deltanet::abi

#endif // DELTANET_ABI_CALLARGUMENTS_H
