//===- KernelDescriptor.cpp - The dn_kernel constant of a variant ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelDescriptor.h"
#include "deltanet-c/kernel_abi.h"
#include "deltanet/CPU/KernelText.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

namespace {

// The enumerations of the dialect and of the C ABI share their numbers.
static_assert(int(Rule::Delta) == DN_RULE_DELTA &&
              int(Rule::Gated) == DN_RULE_GATED);
static_assert(int(HeadMap::Grouped) == DN_HEAD_MAP_GROUPED &&
              int(HeadMap::Tiled) == DN_HEAD_MAP_TILED);
static_assert(int(StateLayout::KV) == DN_STATE_LAYOUT_KV &&
              int(StateLayout::VK) == DN_STATE_LAYOUT_VK);
static_assert(int(Isa::Generic) == DN_ISA_GENERIC &&
              int(Isa::Avx2) == DN_ISA_AVX2 &&
              int(Isa::Avx512) == DN_ISA_AVX512 &&
              int(Isa::Avx512Bf16) == DN_ISA_AVX512_BF16 &&
              int(Isa::Amx) == DN_ISA_AMX);

uint32_t typeNumber(Type type) {
  if (!type)
    return DN_TYPE_NONE;
  if (type.isF32())
    return DN_TYPE_F32;
  if (type.isBF16())
    return DN_TYPE_BF16;
  if (type.isF16())
    return DN_TYPE_F16;
  return type.isInteger(64) ? DN_TYPE_I64 : DN_TYPE_I32;
}

uint32_t operandBits(ArrayRef<Role> roles) {
  uint32_t bits = 0;
  for (Role role : roles) {
    switch (role) {
    case Role::G:
      bits |= DN_OPERAND_G;
      break;
    case Role::StateIn:
      bits |= DN_OPERAND_STATE_IN;
      break;
    case Role::StateOut:
      bits |= DN_OPERAND_STATE_OUT;
      break;
    case Role::CuSeqlens:
      bits |= DN_OPERAND_CU_SEQLENS;
      break;
    case Role::Q:
    case Role::K:
    case Role::V:
    case Role::Beta:
    case Role::Scale:
    case Role::O:
      break; // every kernel has these
    }
  }
  return bits;
}

/// The fields of a C struct in order, each at the offset that C gives it.
class StructFields {
public:
  StructFields(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  void add(size_t offset, Value value, unsigned bytes) {
    end = llvm::alignTo(end, bytes);
    assert(end == offset && "the fields are added in the order of the struct");
    (void)offset;
    end += bytes;
    values.push_back(value);
  }
  void integer(size_t offset, int64_t value, unsigned bytes) {
    Type type = builder.getIntegerType(8 * bytes);
    add(offset,
        LLVM::ConstantOp::create(builder, loc, type,
                                 builder.getIntegerAttr(type, value)),
        bytes);
  }
  void real(size_t offset, FloatAttr value) {
    add(offset,
        LLVM::ConstantOp::create(builder, loc, builder.getF32Type(), value), 4);
  }

  /// The struct; ends with the size that C gives it.
  Value build(size_t size) {
    assert(llvm::alignTo(end, 8) == size && "all fields are there");
    (void)size;
    auto type = cast<LLVM::LLVMStructType>(structType());
    Value result = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [i, value] : llvm::enumerate(values))
      result = LLVM::InsertValueOp::create(builder, loc, result, value,
                                           ArrayRef<int64_t>{int64_t(i)});
    return result;
  }
  Type structType() {
    return LLVM::LLVMStructType::getLiteral(
        builder.getContext(),
        llvm::map_to_vector(values, [](Value v) { return v.getType(); }));
  }

private:
  OpBuilder &builder;
  Location loc;
  size_t end = 0;
  SmallVector<Value> values;
};

LLVM::GlobalOp createText(OpBuilder &builder, Location loc, const Twine &symbol,
                          StringRef text) {
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Private, symbol.str(),
                                builder.getStringAttr(bytes), /*alignment=*/1);
}

} // namespace

LLVM::GlobalOp
mlir::deltanet::cpu::createDescriptor(OpBuilder &builder, Location loc,
                                      StringRef symbol,
                                      const KernelDescription &kernel) {
  KernelAttr facts = kernel.facts;
  LLVM::GlobalOp name = createText(builder, loc, symbol + ".name", kernel.name);
  LLVM::GlobalOp schedules =
      createText(builder, loc, symbol + ".schedules", describeSchedules(facts));

  // The type is known once the fields are.
  auto global = LLVM::GlobalOp::create(
      builder, loc, builder.getI8Type(), /*isConstant=*/true,
      LLVM::Linkage::External, symbol, Attribute(), alignof(dn_kernel));
  global.setVisibility_(LLVM::Visibility::Hidden);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  StructFields fields(builder, loc);
  auto address = [&](auto symbolOp) {
    return LLVM::AddressOfOp::create(builder, loc, symbolOp);
  };
#define AT(field) offsetof(dn_kernel, field)
  fields.integer(AT(size), sizeof(dn_kernel), 4);
  fields.integer(AT(abi_major), DN_ABI_MAJOR, 2);
  fields.integer(AT(abi_minor), DN_ABI_MINOR, 2);
  fields.add(AT(name), address(name), 8);
  fields.add(AT(schedules), address(schedules), 8);
  fields.integer(AT(isa), int64_t(kernel.isa), 4);
  fields.integer(AT(rule), int64_t(facts.getRule()), 4);
  fields.integer(AT(io_type), typeNumber(facts.getIo()), 4);
  fields.integer(AT(state_type), DN_TYPE_F32, 4);
  fields.integer(AT(index_type), typeNumber(facts.getCuSeqlens()), 4);
  fields.integer(AT(head_map), int64_t(facts.getHeadMap()), 4);
  fields.integer(AT(state_layout), int64_t(facts.getStateLayout()), 4);
  fields.integer(AT(operands), operandBits(kernel.roles), 4);
  fields.integer(AT(static_tokens), facts.getTokens(), 8);
  fields.integer(AT(h), facts.getH(), 8);
  fields.integer(AT(hv), facts.getHv(), 8);
  fields.integer(AT(k), facts.getK(), 8);
  fields.integer(AT(v), facts.getV(), 8);
  fields.real(AT(scale), facts.getScale());
  fields.real(AT(l2norm_eps), facts.getL2normEps()
                                  ? facts.getL2normEps()
                                  : builder.getF32FloatAttr(-1.0f));
  fields.integer(AT(scratch_bytes), kernel.scratchBytes, 8);
  fields.integer(AT(scratch_align), 64, 4);
  fields.integer(AT(stages), kernel.stages, 4);
  fields.add(AT(workspace_bytes), address(kernel.workspaceBytes), 8);
  fields.add(AT(items), address(kernel.items), 8);
  fields.add(AT(run), address(kernel.run), 8);
  fields.add(
      AT(cuda),
      LLVM::ZeroOp::create(builder, loc,
                           LLVM::LLVMPointerType::get(builder.getContext())),
      8);
#undef AT
  LLVM::ReturnOp::create(builder, loc, fields.build(sizeof(dn_kernel)));
  global.setGlobalType(fields.structType());
  return global;
}
