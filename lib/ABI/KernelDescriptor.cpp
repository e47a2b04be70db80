//===- KernelDescriptor.cpp - The dn_kernel constant of a variant ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/ABI/KernelDescriptor.h"
#include "deltanet-c/kernel_abi.h"
#include "deltanet/ABI/KernelText.h"
#include "deltanet/ABI/StructFields.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::abi;

namespace {

// The enumerations of the dialect and of the C ABI share their numbers.
static_assert(int(Rule::Delta) == DN_RULE_DELTA &&
              int(Rule::Gated) == DN_RULE_GATED);
static_assert(int(HeadMap::Grouped) == DN_HEAD_MAP_GROUPED &&
              int(HeadMap::Tiled) == DN_HEAD_MAP_TILED);
static_assert(int(StateLayout::KV) == DN_STATE_LAYOUT_KV &&
              int(StateLayout::VK) == DN_STATE_LAYOUT_VK);

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

} // namespace

LLVM::GlobalOp
mlir::deltanet::abi::createDescriptor(OpBuilder &builder, Location loc,
                                      const KernelDescription &kernel) {
  std::string symbol = getDescriptorName(kernel.name, kernel.level);
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
#define AT(field) offsetof(dn_kernel, field)
  fields.integer(AT(size), sizeof(dn_kernel), 4);
  fields.integer(AT(abi_major), DN_ABI_MAJOR, 2);
  fields.integer(AT(abi_minor), DN_ABI_MINOR, 2);
  fields.address(AT(name), name);
  fields.address(AT(schedules), schedules);
  fields.integer(AT(isa), kernel.level.isa, 4);
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
  fields.address(AT(workspace_bytes), kernel.workspaceBytes);
  fields.address(AT(items), kernel.items);
  fields.address(AT(run), kernel.run);
  fields.address(AT(cuda), kernel.cuda);
#undef AT
  LLVM::ReturnOp::create(builder, loc, fields.build(sizeof(dn_kernel)));
  global.setGlobalType(fields.structType());
  global->setAttr(DeltaNetDialect::kKernelAttr, facts);
  global->setAttr(DeltaNetDialect::kRolesAttr,
                  builder.getArrayAttr(llvm::map_to_vector(
                      kernel.roles, [&](Role role) -> Attribute {
                        return RoleAttr::get(builder.getContext(), role);
                      })));
  return global;
}
