//===- CallArguments.h - Kernel arguments out of dn_args ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CPU_CALLARGUMENTS_H
#define DELTANET_LIB_CPU_CALLARGUMENTS_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::deltanet::cpu {

/// The roles of a kernel's arguments, in order. Error: an argument without a
/// role, or one whose type does not lie in memory as its role says: the
/// innermost dimension contiguous, and the rows of a state too.
FailureOr<SmallVector<Role>> getRoles(func::FuncOp kernel);

/// Builds the arguments of a kernel from a `dn_args`, as memrefs and a scale.
class CallArguments {
public:
  /// `args` is the pointer to the dn_args; ops are created where `builder`
  /// stands.
  CallArguments(OpBuilder &builder, Location loc,
                const LLVMTypeConverter &converter, Value args)
      : builder(builder), loc(loc), converter(converter), args(args) {}

  /// One value for each argument of the kernel.
  SmallVector<Value> build(func::FuncOp kernel, KernelAttr facts);

  /// The workspace as memref<?xi8>.
  Value workspace();

  /// A memref of `type`, which is contiguous with a static shape, at a pointer.
  Value memory(MemRefType type, Value pointer);

private:
  Value field(size_t offset, Type type);
  Value constant(int64_t value);
  Value tensor(Role role, MemRefType type);
  Value descriptor(MemRefType type, Value pointer, ArrayRef<Value> sizes,
                   ArrayRef<Value> strides);
  Value scale(KernelAttr facts);

  OpBuilder &builder;
  Location loc;
  const LLVMTypeConverter &converter;
  Value args;
};

} // namespace mlir::deltanet::cpu

#endif // DELTANET_LIB_CPU_CALLARGUMENTS_H
