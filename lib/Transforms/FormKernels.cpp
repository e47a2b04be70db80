//===- FormKernels.cpp - Canonical form of kernel functions ---------------===//
//
// Part of the Delta-Net project.
//
// Decides first (analyse: a KernelForm or a located error), then rewrites the
// signature and the one delta_rule.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_FORMKERNELS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct KernelForm {
  DeltaRuleOp rule;
  func::ReturnOp exit;
  /// The tensor arguments in canonical order, each with its role.
  SmallVector<std::pair<Role, BlockArgument>> inputs;
};

/// C17.
FailureOr<KernelForm> analyse(func::FuncOp function) {
  KernelForm form;
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a kernel of one block, got ")
           << function.getBody().getBlocks().size();
  for (Operation &op : function.getBody().front()) {
    if (auto rule = dyn_cast<DeltaRuleOp>(op)) {
      if (form.rule)
        return rule.emitOpError("expected one delta_rule in a kernel, got a "
                                "second one");
      form.rule = rule;
    } else if (auto exit = dyn_cast<func::ReturnOp>(op)) {
      form.exit = exit;
    } else {
      return op.emitOpError("expected only a delta_rule and a return in a "
                            "kernel, got this operation");
    }
  }
  DeltaRuleOp rule = form.rule;
  if (rule.getOInit() || rule.getScaleOperand())
    return rule.emitOpError("expected no outs and no scale operand in a kernel "
                            "that is not yet in canonical form");
  for (auto [role, value] : {std::pair{Role::Q, Value(rule.getQ())},
                             {Role::K, rule.getK()},
                             {Role::V, rule.getV()},
                             {Role::G, rule.getG()},
                             {Role::Beta, rule.getBeta()},
                             {Role::StateIn, rule.getState()},
                             {Role::CuSeqlens, rule.getCuSeqlens()}}) {
    if (!value)
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return rule.emitOpError("expected ")
             << stringifyRole(role) << " to be an argument of the kernel";
    if (!argument.hasOneUse())
      return rule.emitOpError("expected each kernel argument to be used once, "
                              "got another use of argument ")
             << argument.getArgNumber() << " as " << stringifyRole(role);
    form.inputs.push_back({role, argument});
  }
  if (form.inputs.size() != function.getNumArguments())
    return function.emitError("expected every argument of a kernel to be an "
                              "operand of its delta_rule, got ")
           << function.getNumArguments() << " arguments and "
           << form.inputs.size() << " operands";
  if (form.exit.getOperands() != ValueRange(rule->getResults()))
    return form.exit.emitOpError("expected a kernel to return the results of "
                                 "its delta_rule, in order");
  return form;
}

KernelAttr describe(DeltaRuleOp rule) {
  Builder builder(rule.getContext());
  RankedTensorType q = rule.getQ().getType();
  Type index;
  if (Value cu = rule.getCuSeqlens())
    index = cast<RankedTensorType>(cu.getType()).getElementType();
  return KernelAttr::get(
      rule.getContext(), rule.getRule(), rule.getHeadMap(),
      rule.getStateLayout(), rule.getH(), rule.getHV(), rule.getKeyDim(),
      rule.getValueDim(), rule.getIoType(),
      builder.getF32FloatAttr(rule.getScaleValue()), rule.getL2normEpsAttr(),
      index, q.isDynamicDim(0) ? -1 : q.getDimSize(0), rule.getSchedulesAttr());
}

void rewrite(func::FuncOp function, KernelForm &form) {
  MLIRContext *context = function.getContext();
  Block &entry = function.getBody().front();
  DeltaRuleOp rule = form.rule;
  unsigned oldCount = entry.getNumArguments();
  function->setAttr(DeltaNetDialect::kKernelAttr, describe(rule));

  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  auto append = [&](Role role, Type type, Location loc) {
    NamedAttribute named(StringAttr::get(context, DeltaNetDialect::kRoleAttr),
                         RoleAttr::get(context, role));
    types.push_back(type);
    attributes.push_back(DictionaryAttr::get(context, named));
    return entry.addArgument(type, loc);
  };
  for (auto [role, old] : form.inputs)
    old.replaceAllUsesWith(append(role, old.getType(), old.getLoc()));
  Location loc = rule.getLoc();
  rule.getScaleOperandMutable().assign(
      append(Role::Scale, Float32Type::get(context), loc));
  rule.getOInitMutable().assign(append(Role::O, rule.getO().getType(), loc));
  if (Value state = rule.getFinalState())
    rule.getStateInitMutable().assign(
        append(Role::StateOut, state.getType(), loc));
  rule.removeScaleAttr();
  entry.eraseArguments(0, oldCount);

  function.setType(FunctionType::get(context, types,
                                     function.getFunctionType().getResults()));
  function.setAllArgAttrs(attributes);
  function.removeResAttrsAttr();
}

struct FormKernels : deltanet::impl::FormKernelsBase<FormKernels> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() ||
          function->hasAttr(DeltaNetDialect::kKernelAttr) ||
          function.getBody().getOps<DeltaRuleOp>().empty())
        continue;
      FailureOr<KernelForm> form = analyse(function);
      if (failed(form))
        return signalPassFailure();
      rewrite(function, *form);
    }
  }
};

} // namespace
