//===- StructFields.h - Constants of the C ABI in the LLVM dialect --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ABI_STRUCTFIELDS_H
#define DELTANET_ABI_STRUCTFIELDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::deltanet::abi {

/// The fields of a C struct in order, each at the offset that C gives it.
class StructFields {
public:
  StructFields(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  void add(size_t offset, Value value, unsigned bytes);
  void integer(size_t offset, int64_t value, unsigned bytes);
  void real(size_t offset, FloatAttr value);
  /// Null for what is null.
  void address(size_t offset, LLVM::GlobalOp global);
  void address(size_t offset, LLVM::LLVMFuncOp function);

  /// The struct; ends with the size that C gives it.
  Value build(size_t size);
  Type structType();

private:
  void null(size_t offset);

  OpBuilder &builder;
  Location loc;
  size_t end = 0;
  SmallVector<Value> values;
};

/// A private constant with a zero byte at its end.
LLVM::GlobalOp createText(OpBuilder &builder, Location loc, const Twine &symbol,
                          StringRef text);

} // namespace mlir::deltanet::abi

#endif // DELTANET_ABI_STRUCTFIELDS_H
