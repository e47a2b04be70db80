//===- SelectSchedule.cpp - Choose how each rule is computed --------------===//
//
// Part of the Delta-Net project.
//
// Schedules come from the rule itself, else from the pass option, else from the
// cost model; a remark says which and why.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Schedule/CostModel.h"
#include "deltanet/Target/Target.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_SELECTSCHEDULE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct Choice {
  SmallVector<Attribute> schedules;
  std::string reason;
};

/// Fields of a schedule, in the order of its definition.
struct Fields {
  Algorithm algorithm = Algorithm::Recurrent;
  int64_t minTokens = 0, maxTokens = ScheduleAttr::kUnbounded;
  int64_t valueSlice = 0, columns = 16, tokens = 1, rows = 1, block = 64;
  Residency state = Residency::Scratch;
  int64_t prefetch = 0, chunk = 64;
  Staging staging = Staging::OnePass;
  int64_t registerRows = 4;

  ScheduleAttr get(MLIRContext *context) const {
    return ScheduleAttr::get(context, algorithm, minTokens, maxTokens,
                             valueSlice, columns, tokens, rows, block, state,
                             prefetch, chunk, staging, registerRows);
  }
};

/// One token at a time, where the state lies: decode is bound by memory.
Fields chooseDecode(DeltaRuleOp rule) {
  Fields decode;
  decode.state = Residency::Memory;
  decode.maxTokens = 1;
  // kv: the same rows of the next columns. vk: rows that come some work later.
  constexpr int64_t kAhead = 8192;
  decode.prefetch = rule.getStateLayout() == StateLayout::KV
                        ? decode.columns * static_cast<int64_t>(sizeof(float))
                        : kAhead;
  return decode;
}

Fields choosePrefill(TargetAttr target, RuleShape shape, std::string &reason) {
  Fields prefill;
  PassShape pass = chooseRecurrencePass(target, shape, shape.v);
  int64_t slice = chooseValueSlice(shape, pass.columns);
  prefill.valueSlice = slice == shape.v ? 0 : slice;
  std::optional<double> recurrent = getRecurrentCost(target, shape, pass);
  int64_t chunk = chooseChunk(target, shape);
  double chunked = getChunkedCost(target, shape, chunk);

  llvm::raw_string_ostream text(reason);
  auto cycles = [](double value) {
    return std::to_string(static_cast<int64_t>(value));
  };
  text << "estimated cycles per token and value head: recurrent, "
       << pass.tokens << " tokens x " << pass.columns << " columns: "
       << (recurrent ? cycles(*recurrent) : "does not fit the registers")
       << "; chunked, " << chunk << " tokens: " << cycles(chunked);
  if (recurrent && *recurrent <= chunked) {
    prefill.tokens = pass.tokens;
    prefill.columns = pass.columns;
    // Two rows a turn hide the loop's own instructions where registers allow.
    prefill.rows = getRowCost(target, pass)->spills ? 1 : 2;
    prefill.block = 64 / pass.tokens * pass.tokens;
    return prefill;
  }
  prefill.algorithm = Algorithm::Chunked;
  prefill.chunk = chunk;
  prefill.registerRows = chooseRegisterRows(target, prefill.columns);
  prefill.valueSlice = 0;
  return prefill;
}

Choice chooseByCost(DeltaRuleOp rule, TargetAttr target) {
  Choice choice;
  MLIRContext *context = rule.getContext();
  RuleShape shape{rule.getH(), rule.getHV(), rule.getKeyDim(),
                  rule.getValueDim()};
  Fields prefill = choosePrefill(target, shape, choice.reason);
  int64_t tokens = rule.getQ().getType().getDimSize(0);
  if (ShapedType::isDynamic(tokens) || tokens <= 1 || rule.getCuSeqlens()) {
    choice.schedules.push_back(chooseDecode(rule).get(context));
    prefill.minTokens = 2;
  }
  // No sequence is longer than T.
  if (ShapedType::isDynamic(tokens) || tokens > 1)
    choice.schedules.push_back(prefill.get(context));
  return choice;
}

struct SelectSchedule : deltanet::impl::SelectScheduleBase<SelectSchedule> {
  using SelectScheduleBase::SelectScheduleBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<SmallVector<Attribute>> given = parseGiven(module);
    if (failed(given))
      return signalPassFailure();
    WalkResult result = module.walk([&](func::FuncOp function) {
      for (auto rule : function.getBody().getOps<DeltaRuleOp>())
        if (failed(select(module, function, rule, *given)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  FailureOr<SmallVector<Attribute>> parseGiven(ModuleOp module) {
    SmallVector<Attribute> schedules;
    SmallVector<StringRef> parts;
    StringRef(schedule).split(parts, ';', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts) {
      Attribute parsed = parseAttribute(part.trim(), module.getContext());
      if (!isa_and_nonnull<ScheduleAttr>(parsed)) {
        module.emitError("expected a #deltanet.schedule as schedule option, "
                         "got '")
            << part.trim() << "'";
        return failure();
      }
      schedules.push_back(parsed);
    }
    return schedules;
  }

  LogicalResult select(ModuleOp module, func::FuncOp function, DeltaRuleOp rule,
                       ArrayRef<Attribute> given) {
    Choice choice;
    if (!given.empty()) {
      choice = {SmallVector<Attribute>(given), "given by the schedule option"};
    } else if (ArrayAttr own = rule.getSchedulesAttr()) {
      choice = {llvm::to_vector(own.getValue()), "given by the rule"};
    } else {
      FailureOr<TargetAttr> target = getTarget(module);
      if (failed(target))
        return failure();
      choice = chooseByCost(rule, *target);
    }
    ArrayAttr schedules = ArrayAttr::get(module.getContext(), choice.schedules);
    rule.setSchedulesAttr(schedules);
    if (failed(mlir::verify(rule)))
      return failure();
    if (auto kernel =
            function->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr))
      function->setAttr(DeltaNetDialect::kKernelAttr,
                        withSchedules(kernel, schedules));
    for (Attribute attribute : schedules)
      remark::passed(rule.getLoc(), remark::RemarkOpts::name("schedule")
                                        .category("deltanet-schedule")
                                        .function(function.getName()))
          << remark::add("chose {0}", attribute)
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
