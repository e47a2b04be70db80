//===- DeltaRuleVerifier.cpp - Constraints C1 to C13 and C26 --------------===//
//
// Part of the Delta-Net project.
//
// The numbers are those of docs/spec.md and of the operation's documentation.
//
//===----------------------------------------------------------------------===//

#include "RuleLimits.h"
#include "deltanet/IR/DeltaNet.h"
#include <cmath>

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Checks one delta_rule; every check names its constraint.
class Verifier {
public:
  explicit Verifier(DeltaRuleOp op) : op(op) {}

  LogicalResult run() {
    return success(succeeded(queriesAndKeys()) && succeeded(values()) &&
                   succeeded(heads()) && succeeded(gates()) &&
                   succeeded(states()) && succeeded(sequences()) &&
                   succeeded(results()) && succeeded(numbers()) &&
                   succeeded(schedules()) && succeeded(attributes()));
  }

private:
  InFlightDiagnostic error() { return op.emitOpError(); }

  /// `got` is a tensor of exactly these dimensions, without an encoding.
  LogicalResult expectTensor(StringRef name, StringRef letters, Value value,
                             ArrayRef<int64_t> shape, Type element) {
    auto expected = RankedTensorType::get(shape, element);
    if (value.getType() == expected)
      return success();
    return error() << "expected " << name << " as a tensor " << letters
                   << " like " << expected << ", got " << value.getType();
  }

  LogicalResult expectStatic(StringRef name, int64_t size) {
    if (!ShapedType::isDynamic(size))
      return success();
    return error() << "expected a static " << name << ", got a dynamic one";
  }

  LogicalResult queriesAndKeys() { // C1
    RankedTensorType q = op.getQ().getType(), k = op.getK().getType();
    if (q.getRank() != 3 || q.getEncoding())
      return error() << "expected q as a tensor [T,H,K], got " << q;
    if (k != q)
      return error() << "expected k of the type of q (" << q << "), got " << k;
    return success();
  }

  LogicalResult values() { // C2, C3
    RankedTensorType q = op.getQ().getType(), v = op.getV().getType();
    Type element = q.getElementType();
    if (!isIoType(element))
      return error() << "expected elements of bf16, f16 or f32, got "
                     << element;
    tokens = q.getDimSize(0);
    if (!ShapedType::isDynamic(tokens) && !isTokenCount(tokens))
      return error() << "expected a static T from 1 to " << kMaxTokens
                     << ", got " << tokens;
    if (v.getRank() != 3)
      return error() << "expected v as a tensor [T,HV,V], got " << v;
    return expectTensor("v", "[T,HV,V]", op.getV(),
                        {tokens, v.getDimSize(1), v.getDimSize(2)}, element);
  }

  LogicalResult heads() { // C4, C5
    for (auto [name, size] : {std::pair{"H", op.getH()}, {"HV", op.getHV()}}) {
      if (failed(expectStatic(name, size)))
        return failure();
      if (!isHeadCount(size))
        return error() << "expected " << name << " from 1 to " << kMaxHeads
                       << ", got " << size;
    }
    for (auto [name, size] :
         {std::pair{"K", op.getKeyDim()}, {"V", op.getValueDim()}}) {
      if (failed(expectStatic(name, size)))
        return failure();
      if (!isChannelCount(size))
        return error() << "expected " << name
                       << " as a multiple of 16 from 16 to 256, got " << size;
    }
    if (op.getHV() % op.getH())
      return error() << "expected HV as a multiple of H (" << op.getH()
                     << "), got " << op.getHV();
    return success();
  }

  LogicalResult gates() { // C6, C7
    Type f32 = Float32Type::get(op.getContext());
    bool gated = op.getRule() == Rule::Gated;
    if (gated != static_cast<bool>(op.getG()))
      return error() << "expected " << (gated ? "a" : "no")
                     << " g operand with rule " << stringifyRule(op.getRule())
                     << ", got " << (gated ? "none" : "one");
    if (op.getG() && failed(expectTensor("g", "[T,HV]", op.getG(),
                                         {tokens, op.getHV()}, f32)))
      return failure();
    return expectTensor("beta", "[T,HV]", op.getBeta(), {tokens, op.getHV()},
                        f32);
  }

  LogicalResult states() { // C8
    bool vk = op.getStateLayout() == StateLayout::VK;
    int64_t rows = vk ? op.getValueDim() : op.getKeyDim();
    int64_t columns = vk ? op.getKeyDim() : op.getValueDim();
    StringRef letters = vk ? "[N,HV,V,K]" : "[N,HV,K,V]";
    for (auto [name, value] : {std::pair{"state", op.getState()},
                               {"the final state", op.getFinalState()}}) {
      if (!value)
        continue;
      auto type = cast<RankedTensorType>(value.getType());
      int64_t size =
          type.getRank() == 4 ? type.getDimSize(0) : ShapedType::kDynamic;
      if (failed(expectTensor(name, letters, value,
                              {size, op.getHV(), rows, columns},
                              Float32Type::get(op.getContext()))))
        return failure();
      if (ShapedType::isDynamic(size))
        continue;
      if (!ShapedType::isDynamic(sequenceCount) && sequenceCount != size)
        return error() << "expected " << name << " of N = " << sequenceCount
                       << ", got " << size;
      sequenceCount = size;
    }
    return success();
  }

  LogicalResult sequences() { // C9
    Value cu = op.getCuSeqlens();
    if (!cu) {
      if (ShapedType::isDynamic(sequenceCount) || sequenceCount == 1)
        return success();
      return error() << "expected states of N = 1 without cu_seqlens, got N = "
                     << sequenceCount;
    }
    auto type = cast<RankedTensorType>(cu.getType());
    Type element = type.getElementType();
    if (type.getRank() != 1 || type.getEncoding() ||
        (!element.isSignlessInteger(32) && !element.isSignlessInteger(64)))
      return error() << "expected cu_seqlens as a tensor [N+1] of i32 or i64, "
                        "got "
                     << type;
    int64_t size = type.getDimSize(0);
    if (ShapedType::isDynamic(size))
      return success();
    if (size < 1)
      return error() << "expected cu_seqlens of at least 1 element, got 0";
    if (!ShapedType::isDynamic(sequenceCount) && size - 1 != sequenceCount)
      return error() << "expected cu_seqlens of N+1 elements for N = "
                     << sequenceCount << ", got " << size;
    return success();
  }

  LogicalResult results() { // C10, C13
    if (op.getO().getType() != op.getV().getType())
      return error() << "expected o of the type of v (" << op.getV().getType()
                     << "), got " << op.getO().getType();
    if (op.getOInit() && op.getOInit().getType() != op.getO().getType())
      return error() << "expected the o destination of type "
                     << op.getO().getType() << ", got "
                     << op.getOInit().getType();
    if (!op.getOInit() && !op.getStateInit())
      return success();
    if (!op.getOInit())
      return error() << "expected one destination for each result, got none "
                        "for o";
    bool hasState = static_cast<bool>(op.getFinalState());
    if (hasState != static_cast<bool>(op.getStateInit()))
      return error() << "expected one destination for each result, got "
                     << (hasState ? "none" : "one") << " for the final state";
    if (hasState && op.getStateInit().getType() != op.getFinalState().getType())
      return error() << "expected the state destination of type "
                     << op.getFinalState().getType() << ", got "
                     << op.getStateInit().getType();
    return success();
  }

  LogicalResult numbers() { // C11
    if (auto eps = op.getL2normEpsAttr())
      if (!isEps(eps.getValue()))
        return error() << "expected a finite l2norm_eps >= 0, got " << eps;
    if (auto scale = op.getScaleAttr())
      if (!scale.getValue().isFinite())
        return error() << "expected a finite scale, got " << scale;
    return success();
  }

  LogicalResult schedules() { // C12
    auto all = op.getSchedulesAttr();
    if (!all)
      return success();
    if (all.empty())
      return error() << "expected at least one schedule, got none";
    int64_t next = 0;
    for (auto schedule : all.getAsRange<ScheduleAttr>()) {
      if (next == ScheduleAttr::kUnbounded)
        return error()
               << "expected no schedule after one without max_tokens, got "
               << schedule;
      if (schedule.getMinTokens() < next)
        return error() << "expected schedules of ascending, disjoint lengths, "
                          "got min_tokens = "
                       << schedule.getMinTokens()
                       << " after max_tokens = " << next - 1;
      next = schedule.getMaxTokens() == ScheduleAttr::kUnbounded
                 ? ScheduleAttr::kUnbounded
                 : schedule.getMaxTokens() + 1;
      for (auto [name, size] : {std::pair{"columns", schedule.getColumns()},
                                {"value_slice", schedule.getValueSlice()}})
        if (size && op.getValueDim() % size)
          return error() << "expected " << name << " to divide V ("
                         << op.getValueDim() << "), got " << size;
    }
    return success();
  }

  /// A misspelt attribute would silently compute something else.
  LogicalResult attributes() { // C26
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (!attribute.getName().strref().contains('.'))
        return error() << "expected l2norm_eps, scale, schedules or an "
                          "attribute with a dialect's prefix, got '"
                       << attribute.getName().strref() << "'";
    return success();
  }

  DeltaRuleOp op;
  int64_t tokens = ShapedType::kDynamic;
  int64_t sequenceCount = ShapedType::kDynamic;
};

} // namespace

LogicalResult DeltaRuleOp::verify() { return Verifier(*this).run(); }

float DeltaRuleOp::getScaleValue() {
  if (auto scale = getScaleAttr())
    return scale.getValue().convertToFloat();
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(getKeyDim())));
}
