//===- SelectSchedule.cpp - Choose how each rule is computed --------------===//
//
// Part of the Delta-Net project.
//
// Schedules come from the pass option, else from the rule itself, else from the
// cost model; a remark says which and why.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"
#include "deltanet/Schedule/ScheduleText.h"
#include "deltanet/Target/Target.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_SELECTSCHEDULE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// The rule is one of several that SpecializeByLength made of one.
bool isSpecialized(DeltaRuleOp rule) {
  auto isRule = [](Operation *op) { return isa_and_present<DeltaRuleOp>(op); };
  return (rule.getOInit() && isRule(rule.getOInit().getDefiningOp())) ||
         llvm::any_of(rule.getO().getUsers(), isRule);
}

/// The lengths that a sequence can have.
struct Lengths {
  explicit Lengths(DeltaRuleOp rule) {
    int64_t tokens = rule.getQ().getType().getDimSize(0);
    if (ShapedType::isDynamic(tokens))
      return;
    longest = tokens;
    // Without cu_seqlens a sequence has all tokens.
    if (!rule.getCuSeqlens())
      shortest = tokens;
  }

  int64_t shortest = 0, longest = ScheduleAttr::kUnbounded;
};

/// The lengths that no schedule serves, in the words of a message: "0, 4 to 6,
/// 10 or more". Schedules are in the order of the lengths that they serve.
std::string describeUnserved(Lengths lengths,
                             ArrayRef<ScheduleChoice> choices) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::ListSeparator separator;
  auto add = [&](int64_t first, int64_t last) {
    if (first > last)
      return;
    stream << separator << first;
    if (last == ScheduleAttr::kUnbounded)
      stream << " or more";
    else if (last > first)
      stream << " to " << last;
  };
  int64_t next = lengths.shortest;
  for (const ScheduleChoice &choice : choices) {
    add(next, std::min(choice.schedule.getMinTokens() - 1, lengths.longest));
    if (choice.schedule.getMaxTokens() >= lengths.longest)
      return text;
    next = std::max(next, choice.schedule.getMaxTokens() + 1);
  }
  add(next, lengths.longest);
  return text;
}

/// A kernel that could do nothing is a mistake, one with gaps may be meant.
LogicalResult checkServed(DeltaRuleOp rule, ArrayRef<ScheduleChoice> choices) {
  Lengths lengths(rule);
  std::string unserved = describeUnserved(lengths, choices);
  if (unserved.empty())
    return success();
  bool servesSome = llvm::any_of(choices, [&](const ScheduleChoice &choice) {
    return choice.schedule.getMinTokens() <= lengths.longest &&
           choice.schedule.getMaxTokens() >= lengths.shortest;
  });
  if (servesSome) {
    rule.emitWarning("expected schedules for all lengths, got none for ")
        << unserved << " tokens: outputs of such sequences are not written";
    return success();
  }
  if (lengths.shortest == lengths.longest)
    return rule.emitError("expected a schedule for ")
           << lengths.longest << " tokens, the only length, got none";
  return rule.emitError("expected a schedule for some length of at most ")
         << lengths.longest << " tokens, got none";
}

/// What a target is called: "avx2", "sm_80".
StringRef nameOf(Attribute target) {
  if (auto gpu = dyn_cast<GpuTargetAttr>(target))
    return stringifyChip(gpu.getChip());
  return stringifyIsa(cast<TargetAttr>(target).getIsa());
}

/// C28. Products of tiles on vectors would be slow to compile and to run, and
/// vectors in f32 would be another schedule than the one that was asked for.
LogicalResult checkTarget(DeltaRuleOp rule, ArrayRef<ScheduleChoice> choices,
                          Attribute target) {
  auto cpu = dyn_cast<TargetAttr>(target);
  for (const ScheduleChoice &choice : choices) {
    MatrixUnit unit = choice.schedule.getMatrix();
    if (choice.schedule.isForGpu() == bool(cpu))
      return rule.emitError("expected a schedule ")
             << (cpu ? "without" : "with") << " warps for " << nameOf(target)
             << ", got " << choice.schedule;
    if (cpu && unit != MatrixUnit::None && unit != cpu.getMatrix())
      return rule.emitError("expected a target with matrix = ")
             << stringifyMatrixUnit(unit) << " for " << choice.schedule
             << ", got " << nameOf(target)
             << " with matrix = " << stringifyMatrixUnit(cpu.getMatrix())
             << "; compile such a schedule for that level alone";
  }
  return success();
}

FailureOr<SmallVector<ScheduleChoice>> chooseByCost(ModuleOp module,
                                                    DeltaRuleOp rule) {
  if (auto gpu =
          module->getAttrOfType<GpuTargetAttr>(DeltaNetDialect::kTargetAttr))
    return chooseSchedules(rule, gpu);
  FailureOr<TargetAttr> target = getTarget(module);
  if (failed(target))
    return failure();
  return chooseSchedules(rule, *target);
}

struct SelectSchedule : deltanet::impl::SelectScheduleBase<SelectSchedule> {
  using SelectScheduleBase::SelectScheduleBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<SmallVector<ScheduleChoice>> given = parseGiven(module);
    if (failed(given))
      return signalPassFailure();
    WalkResult result = module.walk([&](func::FuncOp function) {
      for (auto rule : function.getBody().getOps<DeltaRuleOp>())
        if (!isSpecialized(rule) &&
            failed(select(module, function, rule, *given)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// The schedules of the option, or none where it is empty.
  FailureOr<SmallVector<ScheduleChoice>> parseGiven(ModuleOp module) {
    SmallVector<ScheduleChoice> choices;
    if (schedule.empty())
      return choices;
    llvm::Expected<SmallVector<ScheduleAttr>> given =
        parseSchedules(schedule, module.getContext());
    if (!given)
      return module.emitError("schedule option: ")
             << llvm::toString(given.takeError());
    for (ScheduleAttr schedule : *given)
      choices.push_back({schedule, "given by the schedule option"});
    return choices;
  }

  LogicalResult select(ModuleOp module, func::FuncOp function, DeltaRuleOp rule,
                       ArrayRef<ScheduleChoice> given) {
    SmallVector<ScheduleChoice> choices(given);
    if (given.empty()) {
      if (ArrayAttr own = rule.getSchedulesAttr()) {
        for (auto schedule : own.getAsRange<ScheduleAttr>())
          choices.push_back({schedule, "given by the rule"});
      } else {
        FailureOr<SmallVector<ScheduleChoice>> chosen =
            chooseByCost(module, rule);
        if (failed(chosen))
          return failure();
        choices = std::move(*chosen);
      }
    }
    ArrayAttr schedules = ArrayAttr::get(
        module.getContext(),
        llvm::map_to_vector(choices,
                            [](const ScheduleChoice &choice) -> Attribute {
                              return choice.schedule;
                            }));
    rule.setSchedulesAttr(schedules);
    if (failed(mlir::verify(rule)))
      return failure();
    // Schedules that are given need no target.
    Attribute target = module->getAttr(DeltaNetDialect::kTargetAttr);
    if (target && failed(checkTarget(rule, choices, target)))
      return failure();
    if (failed(checkServed(rule, choices)))
      return failure();
    if (auto kernel =
            function->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr))
      function->setAttr(DeltaNetDialect::kKernelAttr,
                        withSchedules(kernel, schedules));
    // One file may be compiled for several levels and GPUs.
    std::string level = target ? (" for " + nameOf(target)).str() : "";
    for (const ScheduleChoice &choice : choices)
      remark::passed(rule.getLoc(), remark::RemarkOpts::name("schedule")
                                        .category("deltanet-schedule")
                                        .function(function.getName()))
          << remark::add("chose {0}{1}", choice.schedule, level)
          << remark::reason("{0}", choice.reason);
    return success();
  }

  static KernelAttr withSchedules(KernelAttr kernel, ArrayAttr schedules) {
    return KernelAttr::get(
        kernel.getContext(), kernel.getRule(), kernel.getHeadMap(),
        kernel.getStateLayout(), kernel.getH(), kernel.getHv(), kernel.getK(),
        kernel.getV(), kernel.getIo(), kernel.getScale(), kernel.getL2normEps(),
        kernel.getCuSeqlens(), kernel.getTokens(), schedules);
  }
};

} // namespace
