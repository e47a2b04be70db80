//===- StructFields.cpp - Constants of the C ABI in the LLVM dialect ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/ABI/StructFields.h"

using namespace mlir;
using namespace mlir::deltanet::abi;

void StructFields::add(size_t offset, Value value, unsigned bytes) {
  end = llvm::alignTo(end, bytes);
  assert(end == offset && "the fields are added in the order of the struct");
  (void)offset;
  end += bytes;
  values.push_back(value);
}

void StructFields::integer(size_t offset, int64_t value, unsigned bytes) {
  Type type = builder.getIntegerType(8 * bytes);
  add(offset,
      LLVM::ConstantOp::create(builder, loc, type,
                               builder.getIntegerAttr(type, value)),
      bytes);
}

void StructFields::real(size_t offset, FloatAttr value) {
  add(offset,
      LLVM::ConstantOp::create(builder, loc, builder.getF32Type(), value), 4);
}

void StructFields::address(size_t offset, LLVM::GlobalOp global) {
  if (!global)
    return null(offset);
  add(offset, LLVM::AddressOfOp::create(builder, loc, global), 8);
}

void StructFields::address(size_t offset, LLVM::LLVMFuncOp function) {
  if (!function)
    return null(offset);
  add(offset, LLVM::AddressOfOp::create(builder, loc, function), 8);
}

void StructFields::null(size_t offset) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  add(offset, LLVM::ZeroOp::create(builder, loc, pointer), 8);
}

Value StructFields::build(size_t size) {
  assert(llvm::alignTo(end, 8) == size && "all fields are there");
  (void)size;
  Value result = LLVM::PoisonOp::create(builder, loc, structType());
  for (auto [i, value] : llvm::enumerate(values))
    result = LLVM::InsertValueOp::create(builder, loc, result, value,
                                         ArrayRef<int64_t>{int64_t(i)});
  return result;
}

Type StructFields::structType() {
  return LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      llvm::map_to_vector(values, [](Value v) { return v.getType(); }));
}

LLVM::GlobalOp mlir::deltanet::abi::createText(OpBuilder &builder, Location loc,
                                               const Twine &symbol,
                                               StringRef text) {
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Private, symbol.str(),
                                builder.getStringAttr(bytes), /*alignment=*/1);
}
