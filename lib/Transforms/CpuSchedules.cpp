//===- CpuSchedules.cpp - What the cost model takes for a CPU -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// One token at a time, where the state lies.
ScheduleChoice chooseDecode(TargetAttr target, DeltaRuleOp rule) {
  ScheduleFields decode;
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

ScheduleFields choosePrefill(TargetAttr target, RuleShape shape,
                             std::string &reason) {
  ScheduleFields prefill;
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
  std::optional<ScheduleFields> fields;
  std::string reason;
};

MatrixChoice chooseMatrix(TargetAttr target, DeltaRuleOp rule, RuleShape shape,
                          const ScheduleFields &otherwise) {
  std::string unit = stringifyMatrixUnit(target.getMatrix()).str();
  Type io = rule.getQ().getType().getElementType();
  if (!io.isBF16())
    return {std::nullopt, "; " + unit + " is for bf16 activations"};
  if (shape.k % 32)
    return {std::nullopt, "; " + unit + " is for K in multiples of 32"};
  ScheduleFields matrix;
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

} // namespace

SmallVector<ScheduleChoice> mlir::deltanet::chooseSchedules(DeltaRuleOp rule,
                                                            TargetAttr target) {
  SmallVector<ScheduleChoice> choices;
  MLIRContext *context = rule.getContext();
  RuleShape shape{rule.getH(), rule.getHV(), rule.getKeyDim(),
                  rule.getValueDim(), rule.getRule() == Rule::Gated};
  std::string reason;
  ScheduleFields prefill = choosePrefill(target, shape, reason);
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
    ScheduleFields less = prefill;
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
