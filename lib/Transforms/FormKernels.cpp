//===- FormKernels.cpp - Canonical form of kernel functions ---------------===//
//
// Part of the Delta-Net project.
//
// Decides first (analyse: a KernelForm or a located error), then rewrites the
// signature and the one delta_rule. A module holds kernels and nothing else, so
// that nothing in it is silently left out of the library.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/ModuleLocation.h"
#include "deltanet/Transforms/KernelName.h"
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

/// What callers of the kernel rely on (C18).
LogicalResult checkInterface(func::FuncOp function) {
  if (function.isExternal())
    return function.emitError("expected a kernel with a body, got a "
                              "declaration");
  if (!function.isPublic())
    return function.emitError("expected a public kernel, got a private one");
  return verifyKernelName(function, function.getName());
}

LogicalResult checkOneBlock(func::FuncOp function) {
  if (function.getBody().hasOneBlock())
    return success();
  return function.emitError("expected a kernel of one block, got ")
         << function.getBody().getBlocks().size();
}

/// The number of sequences is known at a call only.
LogicalResult checkSequenceCount(DeltaRuleOp rule) {
  if (!rule.getCuSeqlens())
    return success();
  for (auto [name, value] :
       {std::pair{"cu_seqlens", Value(rule.getCuSeqlens())},
        {"state", rule.getState()},
        {"the final state", rule.getFinalState()}})
    if (value && !cast<RankedTensorType>(value.getType()).isDynamicDim(0))
      return rule.emitOpError("expected a dynamic N in the type of ")
             << name << " of a kernel, got " << value.getType();
  return success();
}

/// Callers see a C function: what is said of its arguments and results here
/// would be lost.
LogicalResult checkNoAttributes(func::FuncOp function) {
  auto check = [&](StringRef what, unsigned index, DictionaryAttr attributes) {
    if (!attributes || attributes.empty())
      return success();
    return LogicalResult(function.emitError("expected no attributes on the ")
                         << what << "s of a kernel without '"
                         << DeltaNetDialect::kKernelAttr << "', got "
                         << attributes.begin()->getName() << " on " << what
                         << " " << index);
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (failed(check("argument", i, function.getArgAttrDict(i))))
      return failure();
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (failed(check("result", i, function.getResultAttrDict(i))))
      return failure();
  return success();
}

/// The form of a kernel as a user writes it (C17).
FailureOr<KernelForm> analyse(func::FuncOp function) {
  KernelForm form;
  if (failed(checkInterface(function)))
    return failure();
  if (failed(checkOneBlock(function)) || failed(checkNoAttributes(function)))
    return failure();
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
  if (!rule)
    return function.emitError("expected a delta_rule in a kernel, got none");
  if (failed(checkSequenceCount(rule)))
    return failure();
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
    // Nothing else in the body defines a value.
    auto argument = cast<BlockArgument>(value);
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

KernelAttr describe(DeltaRuleOp rule, FloatAttr scale, ArrayAttr schedules) {
  RankedTensorType q = rule.getQ().getType();
  Type index;
  if (Value cu = rule.getCuSeqlens())
    index = cast<RankedTensorType>(cu.getType()).getElementType();
  return KernelAttr::get(rule.getContext(), rule.getRule(), rule.getHeadMap(),
                         rule.getStateLayout(), rule.getH(), rule.getHV(),
                         rule.getKeyDim(), rule.getValueDim(), rule.getIoType(),
                         scale, rule.getL2normEpsAttr(), index,
                         q.isDynamicDim(0) ? -1 : q.getDimSize(0), schedules);
}

void rewrite(func::FuncOp function, KernelForm &form) {
  MLIRContext *context = function.getContext();
  Block &entry = function.getBody().front();
  DeltaRuleOp rule = form.rule;
  unsigned oldCount = entry.getNumArguments();
  FloatAttr scale = Builder(context).getF32FloatAttr(rule.getScaleValue());
  function->setAttr(DeltaNetDialect::kKernelAttr,
                    describe(rule, scale, rule.getSchedulesAttr()));

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
}

using RoleArguments = llvm::SmallDenseMap<Role, Value>;

FailureOr<RoleArguments> getRoleArguments(func::FuncOp function) {
  RoleArguments arguments;
  std::optional<Role> last;
  for (BlockArgument argument : function.getArguments()) {
    auto attribute = function.getArgAttrOfType<RoleAttr>(
        argument.getArgNumber(), DeltaNetDialect::kRoleAttr);
    if (!attribute)
      return function.emitError("expected a '")
             << DeltaNetDialect::kRoleAttr << "' on argument "
             << argument.getArgNumber() << " of a kernel, got none";
    Role role = attribute.getValue();
    if (last && role <= *last)
      return function.emitError("expected the arguments of a kernel in the "
                                "order of their roles, got ")
             << stringifyRole(role) << " after " << stringifyRole(*last);
    last = role;
    arguments[role] = argument;
  }
  return arguments;
}

/// A rule of a formed kernel: it takes every argument by its role, but for the
/// destinations, which are those given.
LogicalResult checkRule(DeltaRuleOp rule, const RoleArguments &arguments,
                        Value o, Value stateOut) {
  for (auto [role, operand, expected] :
       {std::tuple{Role::Q, Value(rule.getQ()), arguments.lookup(Role::Q)},
        {Role::K, rule.getK(), arguments.lookup(Role::K)},
        {Role::V, rule.getV(), arguments.lookup(Role::V)},
        {Role::G, rule.getG(), arguments.lookup(Role::G)},
        {Role::Beta, rule.getBeta(), arguments.lookup(Role::Beta)},
        {Role::StateIn, rule.getState(), arguments.lookup(Role::StateIn)},
        {Role::CuSeqlens, rule.getCuSeqlens(),
         arguments.lookup(Role::CuSeqlens)},
        {Role::Scale, rule.getScaleOperand(), arguments.lookup(Role::Scale)},
        {Role::O, rule.getOInit(), o},
        {Role::StateOut, rule.getStateInit(), stateOut}})
    if (operand != expected)
      return rule.emitOpError("expected ")
             << stringifyRole(role)
             << " to be the argument of that role, or what the rule before "
                "wrote there, got another value or none";
  return checkSequenceCount(rule);
}

/// A kernel that has its form already, from here or written by hand: rules in a
/// chain, one for each schedule.
LogicalResult checkForm(func::FuncOp function, KernelAttr kernel) {
  if (failed(checkInterface(function)) || failed(checkOneBlock(function)))
    return failure();
  FailureOr<RoleArguments> arguments = getRoleArguments(function);
  if (failed(arguments))
    return failure();
  Value o = arguments->lookup(Role::O);
  Value stateOut = arguments->lookup(Role::StateOut);
  bool hasRule = false;
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto rule = dyn_cast<DeltaRuleOp>(op);
    if (!rule)
      return op.emitOpError("expected only delta_rules and a return in a "
                            "kernel, got this operation");
    KernelAttr expected =
        describe(rule, kernel.getScale(), kernel.getSchedules());
    if (kernel != expected)
      return function.emitError("expected '")
             << DeltaNetDialect::kKernelAttr
             << "' to say what the kernel's delta_rule computes, " << expected
             << ", got " << kernel;
    if (failed(checkRule(rule, *arguments, o, stateOut)))
      return failure();
    o = rule.getO();
    stateOut = rule.getFinalState();
    hasRule = true;
  }
  if (!hasRule)
    return function.emitError("expected a delta_rule in a kernel, got none");
  Operation *exit = function.getBody().front().getTerminator();
  SmallVector<Value> results{o};
  if (stateOut)
    results.push_back(stateOut);
  if (exit->getOperands() != ValueRange(results))
    return exit->emitOpError("expected a kernel to return the results of its "
                             "last delta_rule, in order");
  return success();
}

struct FormKernels : deltanet::impl::FormKernelsBase<FormKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    locateImplicitModule(module);
    bool legal = true;
    if (module.getBody()->empty()) {
      module.emitError("expected at least one kernel in the module, got none");
      legal = false;
    }
    for (Operation &op : *module.getBody())
      legal &= succeeded(formKernel(&op));
    if (!legal)
      signalPassFailure();
  }

  static LogicalResult formKernel(Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return op->emitOpError("expected only functions that are kernels in a "
                             "module, got this operation");
    if (auto kernel =
            function->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr))
      return checkForm(function, kernel);
    FailureOr<KernelForm> form = analyse(function);
    if (failed(form))
      return failure();
    rewrite(function, *form);
    return success();
  }
};

} // namespace
