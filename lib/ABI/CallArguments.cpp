//===- CallArguments.cpp - Kernel arguments out of dn_args ----------------===//
//
// Part of the Delta-Net project.
//
// Memref descriptors are built by insertvalue and cast to memrefs; both fold
// away when the memrefs are converted.
//
//===----------------------------------------------------------------------===//

#include "deltanet/ABI/CallArguments.h"
#include "deltanet-c/kernel_abi.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::abi;

namespace {

/// Where dn_args keeps a tensor.
struct TensorFields {
  size_t pointer;
  /// Field of the outermost size, and what is added to it.
  size_t count;
  int64_t countOffset;
  /// Fields of the strides of the outer dimensions; the others are static.
  SmallVector<size_t, 2> strides;
};

TensorFields fieldsOf(Role role) {
  switch (role) {
  case Role::Q:
    return {
        offsetof(dn_args, q),
        offsetof(dn_args, tokens),
        0,
        {offsetof(dn_args, q_token_stride), offsetof(dn_args, q_head_stride)}};
  case Role::K:
    return {
        offsetof(dn_args, k),
        offsetof(dn_args, tokens),
        0,
        {offsetof(dn_args, k_token_stride), offsetof(dn_args, k_head_stride)}};
  case Role::V:
    return {
        offsetof(dn_args, v),
        offsetof(dn_args, tokens),
        0,
        {offsetof(dn_args, v_token_stride), offsetof(dn_args, v_head_stride)}};
  case Role::O:
    return {
        offsetof(dn_args, o),
        offsetof(dn_args, tokens),
        0,
        {offsetof(dn_args, o_token_stride), offsetof(dn_args, o_head_stride)}};
  case Role::G:
    return {offsetof(dn_args, g),
            offsetof(dn_args, tokens),
            0,
            {offsetof(dn_args, g_token_stride)}};
  case Role::Beta:
    return {offsetof(dn_args, beta),
            offsetof(dn_args, tokens),
            0,
            {offsetof(dn_args, beta_token_stride)}};
  case Role::StateIn:
    return {offsetof(dn_args, state_in),
            offsetof(dn_args, sequences),
            0,
            {offsetof(dn_args, state_in_sequence_stride),
             offsetof(dn_args, state_in_head_stride)}};
  case Role::StateOut:
    return {offsetof(dn_args, state_out),
            offsetof(dn_args, sequences),
            0,
            {offsetof(dn_args, state_out_sequence_stride),
             offsetof(dn_args, state_out_head_stride)}};
  case Role::CuSeqlens:
    return {offsetof(dn_args, cu_seqlens),
            offsetof(dn_args, sequences),
            1, // N+1 entries
            {}};
  case Role::Scale:
    break;
  }
  llvm_unreachable("the scale is no tensor");
}

} // namespace

FailureOr<SmallVector<Role>>
mlir::deltanet::abi::getRoles(func::FuncOp kernel) {
  SmallVector<Role> roles;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto role =
        kernel.getArgAttrOfType<RoleAttr>(i, DeltaNetDialect::kRoleAttr);
    if (!role)
      return kernel.emitError("expected a '")
             << DeltaNetDialect::kRoleAttr << "' on argument " << i
             << ", got none";
    roles.push_back(role.getValue());
    if (roles.back() == Role::Scale) {
      if (!type.isF32())
        return kernel.emitError("expected the scale as f32, got ") << type;
      continue;
    }
    auto memref = dyn_cast<MemRefType>(type);
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!memref || failed(memref.getStridesAndOffset(strides, offset)))
      return kernel.emitError("expected ")
             << stringifyRole(roles.back()) << " as a strided memref, got "
             << type;
    if (memref.getMemorySpace())
      return kernel.emitError("expected ")
             << stringifyRole(roles.back())
             << " in the default memory space, got " << type;
    size_t free = fieldsOf(roles.back()).strides.size();
    // Beyond the strides that the call gives, memory is contiguous.
    int64_t size = 1;
    for (int64_t d = memref.getRank() - 1; d >= int64_t(free); --d) {
      if (strides[d] != size)
        return kernel.emitError("expected ")
               << stringifyRole(roles.back()) << " with a stride of " << size
               << " in dimension " << d << ", got " << type;
      size *= memref.getDimSize(d);
    }
    if (memref.getRank() < int64_t(free) || offset != 0)
      return kernel.emitError("expected ")
             << stringifyRole(roles.back()) << " with at least " << free
             << " dimensions and no offset, got " << type;
  }
  return roles;
}

MemRefType mlir::deltanet::abi::inMemorySpace(MemRefType type,
                                              Attribute memorySpace) {
  return MemRefType::Builder(type).setMemorySpace(memorySpace);
}

Value CallArguments::field(size_t offset, Type type) {
  Value address = LLVM::GEPOp::create(
      builder, loc, args.getType(), builder.getI8Type(), args,
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(static_cast<int32_t>(offset))});
  return LLVM::LoadOp::create(builder, loc, type, address);
}

/// An address in the memory space of what it points to.
Value CallArguments::pointerField(size_t offset) {
  MLIRContext *context = builder.getContext();
  Value pointer = field(offset, LLVM::LLVMPointerType::get(context));
  if (!memorySpace)
    return pointer;
  unsigned number = cast<IntegerAttr>(memorySpace).getInt();
  return LLVM::AddrSpaceCastOp::create(
      builder, loc, LLVM::LLVMPointerType::get(context, number), pointer);
}

Value CallArguments::constant(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Value CallArguments::descriptor(MemRefType type, Value pointer,
                                ArrayRef<Value> sizes,
                                ArrayRef<Value> strides) {
  auto memref =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  memref.setAllocatedPtr(builder, loc, pointer);
  memref.setAlignedPtr(builder, loc, pointer);
  memref.setConstantOffset(builder, loc, 0);
  for (auto [i, size] : llvm::enumerate(sizes))
    memref.setSize(builder, loc, i, size);
  for (auto [i, stride] : llvm::enumerate(strides))
    memref.setStride(builder, loc, i, stride);
  return UnrealizedConversionCastOp::create(builder, loc, type, Value(memref))
      .getResult(0);
}

Value CallArguments::memory(MemRefType type, Value pointer) {
  SmallVector<Value> sizes, strides;
  auto [staticStrides, offset] = type.getStridesAndOffset();
  for (auto [size, stride] : llvm::zip(type.getShape(), staticStrides)) {
    sizes.push_back(constant(size));
    strides.push_back(constant(stride));
  }
  return descriptor(type, pointer, sizes, strides);
}

Value CallArguments::workspace() {
  Value bytes = field(offsetof(dn_args, workspace_bytes), builder.getI64Type());
  Value begin = pointerField(offsetof(dn_args, workspace));
  auto type = MemRefType::get(ShapedType::kDynamic, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), memorySpace);
  return descriptor(type, begin, bytes, constant(1));
}

Value CallArguments::tensor(Role role, MemRefType type) {
  TensorFields fields = fieldsOf(role);
  Type i64 = builder.getI64Type();
  Value pointer = pointerField(fields.pointer);
  auto [staticStrides, offset] = type.getStridesAndOffset();
  SmallVector<Value> sizes, strides;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      sizes.push_back(constant(type.getDimSize(d)));
    } else {
      Value count = field(fields.count, i64);
      if (fields.countOffset)
        count = LLVM::AddOp::create(builder, loc, count,
                                    constant(fields.countOffset));
      sizes.push_back(count);
    }
    strides.push_back(d < int64_t(fields.strides.size())
                          ? field(fields.strides[d], i64)
                          : constant(staticStrides[d]));
  }
  return descriptor(type, pointer, sizes, strides);
}

Value CallArguments::scale(KernelAttr facts) {
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  Value flags = field(offsetof(dn_args, flags), i32);
  Value bit = LLVM::AndOp::create(
      builder, loc, flags,
      LLVM::ConstantOp::create(builder, loc, i32,
                               builder.getI32IntegerAttr(DN_FLAG_SCALE)));
  Value given = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::ne, bit,
      LLVM::ConstantOp::create(builder, loc, i32,
                               builder.getI32IntegerAttr(0)));
  Value own = LLVM::ConstantOp::create(builder, loc, f32, facts.getScale());
  return LLVM::SelectOp::create(builder, loc, given,
                                field(offsetof(dn_args, scale), f32), own);
}

SmallVector<Value> CallArguments::build(func::FuncOp kernel, KernelAttr facts) {
  SmallVector<Value> values;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Role role = kernel.getArgAttrOfType<RoleAttr>(i, DeltaNetDialect::kRoleAttr)
                    .getValue();
    values.push_back(
        role == Role::Scale
            ? scale(facts)
            : tensor(role, inMemorySpace(cast<MemRefType>(type), memorySpace)));
  }
  return values;
}
