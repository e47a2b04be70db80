//===- SelectSchedule.cpp - Choose how each rule is computed --------------===//
//
// Part of the Delta-Net project.
//
// Schedules come from the pass option, else from the rule itself, else from the
// cost model; a remark says which and why.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Schedule/CostModel.h"
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

/// A schedule and why it was taken.
struct Choice {
  ScheduleAttr schedule;
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
  MatrixUnit matrix = MatrixUnit::None;

  ScheduleAttr get(MLIRContext *context) const {
    return ScheduleAttr::get(context, algorithm, minTokens, maxTokens,
                             valueSlice, columns, tokens, rows, block, state,
                             prefetch, chunk, staging, registerRows, matrix);
  }
};

/// One token at a time, where the state lies.
Choice chooseDecode(TargetAttr target, DeltaRuleOp rule) {
  Fields decode;
  decode.state = Residency::Memory;
  decode.maxTokens = 1;
  decode.rows = chooseDecodeRows(target, rule.getStateLayout());
  std::string reason;
  llvm::raw_string_ostream text(reason);
  text << "one token: bound by memory, so the state is read and written where "
          "it lies, ";
  if (decode.rows == 1)
    text << "one row at a time: this machine reads one stream best";
  else
    text << decode.rows
         << " rows at once from as many parts of it, which the hardware "
            "prefetches as streams";
  bool neighbours =
      rule.getHeadMap() == HeadMap::Grouped || rule.getGroupSize() == 1;
  if (rule.getStateLayout() == StateLayout::KV && neighbours) {
    // The value head that follows in memory is the next one that is computed.
    decode.prefetch = rule.getKeyDim() * rule.getValueDim() *
                      static_cast<int64_t>(sizeof(float));
    text << "; a quarter of the next state is prefetched while one is updated "
            "from the L2 cache";
  }
  return {decode.get(rule.getContext()), reason};
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
  // Neither estimate has a term for gathering rows, and a chunk that is cut
  // short costs a whole one: where they were close, the recurrence was faster.
  constexpr double kClearly = 0.75;
  if (recurrent && kClearly * *recurrent <= chunked) {
    if (prefill.valueSlice)
      text << "; " << shape.h << " key heads keep few cores busy, so slices of "
           << slice << " of the " << shape.v << " value columns are work items";
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

/// Chunks on the matrix unit and the least length that they are worth it for,
/// or why there are none.
struct MatrixChoice {
  std::optional<Fields> fields;
  std::string reason;
};

MatrixChoice chooseMatrix(TargetAttr target, DeltaRuleOp rule, RuleShape shape,
                          const Fields &otherwise) {
  std::string unit = stringifyMatrixUnit(target.getMatrix()).str();
  Type io = rule.getQ().getType().getElementType();
  if (!io.isBF16())
    return {std::nullopt, "; " + unit + " is for bf16 activations"};
  if (shape.k % 32)
    return {std::nullopt, "; " + unit + " is for K in multiples of 32"};
  Fields matrix;
  matrix.algorithm = Algorithm::Chunked;
  matrix.matrix = target.getMatrix();
  matrix.columns = shape.v % 32 ? 16 : 32;
  matrix.registerRows =
      chooseRegisterRows(target, std::max<int64_t>(16, matrix.columns));
  double chunk = getMatrixChunkCost(target, shape, matrix.chunk);
  PassShape pass{otherwise.tokens, otherwise.columns};
  std::optional<double> token = getRecurrentCost(target, shape, pass);
  matrix.minTokens =
      token ? std::max<int64_t>(2, static_cast<int64_t>(chunk / *token) + 1)
            : 2;
  std::string text;
  llvm::raw_string_ostream(text)
      << "estimated cycles of a chunk of " << matrix.chunk
      << " tokens and value head on " << unit << ": "
      << static_cast<int64_t>(chunk) << ", as many as the recurrence takes for "
      << matrix.minTokens << " tokens";
  return {matrix, text};
}

SmallVector<Choice> chooseByCost(DeltaRuleOp rule, TargetAttr target) {
  SmallVector<Choice> choices;
  MLIRContext *context = rule.getContext();
  RuleShape shape{rule.getH(), rule.getHV(), rule.getKeyDim(),
                  rule.getValueDim(), rule.getRule() == Rule::Gated};
  std::string reason;
  Fields prefill = choosePrefill(target, shape, reason);
  int64_t tokens = rule.getQ().getType().getDimSize(0);
  if (ShapedType::isDynamic(tokens) || tokens <= 1 || rule.getCuSeqlens()) {
    choices.push_back(chooseDecode(target, rule));
    prefill.minTokens = 2;
  }
  // No sequence is longer than T.
  if (tokens == 0 || tokens == 1)
    return choices;
  bool anyLength = ShapedType::isDynamic(tokens);
  bool onlyLength = !anyLength && !rule.getCuSeqlens();
  MatrixChoice matrix;
  if (target.getMatrix() != MatrixUnit::None) {
    matrix = chooseMatrix(target, rule, shape, prefill);
    if (!matrix.fields)
      reason += matrix.reason;
    else if (!anyLength && tokens < matrix.fields->minTokens)
      matrix.fields.reset();
    else
      prefill.maxTokens = matrix.fields->minTokens - 1;
  }
  if (onlyLength && matrix.fields) {
    matrix.fields->minTokens = 0;
    return {{matrix.fields->get(context), matrix.reason}};
  }
  // A short sequence leaves a large part of its last pass empty, and what a
  // pass owes the state when the sequence ends grows with its tokens.
  constexpr int64_t kFewTokens = 63;
  bool few = anyLength || !onlyLength || tokens <= kFewTokens;
  bool many =
      (anyLength || tokens > kFewTokens) && prefill.maxTokens > kFewTokens;
  if (few && prefill.tokens > 2) {
    Fields less = prefill;
    less.tokens = 2;
    less.block = 64;
    if (many)
      less.maxTokens = kFewTokens;
    prefill.minTokens = kFewTokens + 1;
    choices.push_back(
        {less.get(context),
         "few tokens: passes of 2 leave less of the last one empty, and less "
         "to do after it, than passes of " +
             std::to_string(prefill.tokens) +
             (many || matrix.fields ? "" : matrix.reason)});
  } else {
    many = true;
  }
  if (many && prefill.minTokens <= prefill.maxTokens)
    choices.push_back({prefill.get(context), reason});
  if (matrix.fields)
    choices.push_back({matrix.fields->get(context), matrix.reason});
  return choices;
}

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

/// The first of the lengths that no schedule serves, if any.
std::optional<int64_t> findUnserved(Lengths lengths, ArrayRef<Choice> choices) {
  int64_t next = lengths.shortest;
  for (const Choice &choice : choices) {
    if (choice.schedule.getMinTokens() > next)
      break;
    if (choice.schedule.getMaxTokens() >= lengths.longest)
      return std::nullopt;
    next = std::max(next, choice.schedule.getMaxTokens() + 1);
  }
  return next;
}

/// A kernel that could do nothing is a mistake, one with gaps may be meant.
LogicalResult checkServed(DeltaRuleOp rule, ArrayRef<Choice> choices) {
  Lengths lengths(rule);
  std::optional<int64_t> unserved = findUnserved(lengths, choices);
  if (!unserved)
    return success();
  bool servesSome = llvm::any_of(choices, [&](const Choice &choice) {
    return choice.schedule.getMinTokens() <= lengths.longest &&
           choice.schedule.getMaxTokens() >= lengths.shortest;
  });
  if (servesSome) {
    rule.emitWarning("expected schedules for all lengths, got none for ")
        << *unserved << " tokens: outputs of such sequences are not written";
    return success();
  }
  if (lengths.shortest == lengths.longest)
    return rule.emitError("expected a schedule for ")
           << lengths.longest << " tokens, the only length, got none";
  return rule.emitError("expected a schedule for some length of at most ")
         << lengths.longest << " tokens, got none";
}

/// C28. Products of tiles on vectors would be slow to compile and to run, and
/// vectors in f32 would be another schedule than the one that was asked for.
LogicalResult checkMatrixUnit(DeltaRuleOp rule, ArrayRef<Choice> choices,
                              TargetAttr target) {
  for (const Choice &choice : choices) {
    MatrixUnit unit = choice.schedule.getMatrix();
    if (unit != MatrixUnit::None && unit != target.getMatrix())
      return rule.emitError("expected a target with matrix = ")
             << stringifyMatrixUnit(unit) << " for " << choice.schedule
             << ", got " << stringifyIsa(target.getIsa())
             << " with matrix = " << stringifyMatrixUnit(target.getMatrix())
             << "; compile such a schedule for that level alone";
  }
  return success();
}

struct SelectSchedule : deltanet::impl::SelectScheduleBase<SelectSchedule> {
  using SelectScheduleBase::SelectScheduleBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<SmallVector<Choice>> given = parseGiven(module);
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
  FailureOr<SmallVector<Choice>> parseGiven(ModuleOp module) {
    SmallVector<Choice> choices;
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
                       ArrayRef<Choice> given) {
    SmallVector<Choice> choices(given);
    if (given.empty()) {
      if (ArrayAttr own = rule.getSchedulesAttr()) {
        for (auto schedule : own.getAsRange<ScheduleAttr>())
          choices.push_back({schedule, "given by the rule"});
      } else {
        FailureOr<TargetAttr> target = getTarget(module);
        if (failed(target))
          return failure();
        choices = chooseByCost(rule, *target);
      }
    }
    ArrayAttr schedules = ArrayAttr::get(
        module.getContext(),
        llvm::map_to_vector(choices, [](const Choice &choice) -> Attribute {
          return choice.schedule;
        }));
    rule.setSchedulesAttr(schedules);
    if (failed(mlir::verify(rule)))
      return failure();
    // Schedules that are given need no target.
    auto target =
        module->getAttrOfType<TargetAttr>(DeltaNetDialect::kTargetAttr);
    if (target && failed(checkMatrixUnit(rule, choices, target)))
      return failure();
    if (failed(checkServed(rule, choices)))
      return failure();
    if (auto kernel =
            function->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr))
      function->setAttr(DeltaNetDialect::kKernelAttr,
                        withSchedules(kernel, schedules));
    // One file may be compiled for several levels.
    std::string level =
        target ? (" for " + stringifyIsa(target.getIsa())).str() : "";
    for (const Choice &choice : choices)
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
