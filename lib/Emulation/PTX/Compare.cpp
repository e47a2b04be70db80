//===- Compare.cpp - Comparisons and tests --------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FloatResult.h"
#include "HalfFloats.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cmath>

using namespace mlir::deltanet::ptx;
using llvm::StringRef;

namespace {

/// Those of floats that end in u are true of NaN, too.
enum class Relation {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};
constexpr unsigned kIntegerRelations = 6, kFloatRelations = 14;

template <Relation relation, typename T>
DELTANET_PTX_INLINE bool holds(T a, T b) {
  const bool unordered = a != a || b != b;
  switch (relation) {
  case Relation::Eq:
    return a == b;
  case Relation::Ne:
    return a != b && !unordered;
  case Relation::Lt:
    return a < b;
  case Relation::Le:
    return a <= b;
  case Relation::Gt:
    return a > b;
  case Relation::Ge:
    return a >= b;
  case Relation::Equ:
    return a == b || unordered;
  case Relation::Neu:
    return a != b;
  case Relation::Ltu:
    return a < b || unordered;
  case Relation::Leu:
    return a <= b || unordered;
  case Relation::Gtu:
    return a > b || unordered;
  case Relation::Geu:
    return a >= b || unordered;
  case Relation::Num:
    return !unordered;
  case Relation::Nan:
    return unordered;
  }
}

/// Operands as they are in registers, and as they are compared.
template <typename T> struct Plain {
  using Stored = T;
  static T value(T stored) { return stored; }
};
struct Flushed {
  using Stored = float;
  static float value(float stored) { return flushed(stored); }
};
template <typename Number> struct Widened {
  using Stored = uint16_t;
  static float value(uint16_t stored) { return Number::toFloat(stored); }
};

/// What is done with the outcome; `immediate` holds it.
enum class Combination { None, And, Or, Xor };
struct Use {
  Combination combination;
  bool isPredicate;  ///< setp, not set
  uint32_t whenTrue; ///< of set

  uint64_t packed() const {
    return uint64_t(combination) | isPredicate << 2 | uint64_t(whenTrue) << 32;
  }
  static Use unpack(uint64_t bits) {
    return {Combination(bits & 3), bool(bits >> 2 & 1), uint32_t(bits >> 32)};
  }
};

LaneMask combined(Combination combination, LaneMask outcome, LaneMask other) {
  switch (combination) {
  case Combination::And:
    return outcome & other;
  case Combination::Or:
    return outcome | other;
  case Combination::Xor:
    return outcome ^ other;
  default:
    return outcome;
  }
}

void use(Warp &warp, const Instruction &instruction, LaneMask mask,
         LaneMask outcome) {
  const Use own = Use::unpack(instruction.immediate);
  LaneMask other = own.combination == Combination::None
                       ? 0
                       : warp.predicateSource(instruction, 2);
  LaneMask result = combined(own.combination, outcome, other);
  if (own.isPredicate) {
    LaneMask inverse = combined(own.combination, ~outcome, other);
    warp.write(instruction.results[0], mask, result);
    warp.write(instruction.results[1], mask, inverse);
    return;
  }
  Lanes<uint32_t> values;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    values[lane] = result >> lane & 1 ? own.whenTrue : 0;
  store(warp, instruction.results[0], mask, values);
}

template <typename Operand, Relation relation> struct Comparison {
  DELTANET_PTX_INLINE static Step
  run(Warp &warp, const Instruction &instruction, LaneMask mask) {
    using Stored = typename Operand::Stored;
    const auto first = load<Stored>(warp, instruction.sources[0]);
    const auto second = load<Stored>(warp, instruction.sources[1]);
    LaneMask outcome = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      outcome |= LaneMask(holds<relation>(Operand::value(first[lane]),
                                          Operand::value(second[lane])))
                 << lane;
    use(warp, instruction, mask, outcome);
    return Step::Next;
  }
};

template <typename Operand, size_t... relation>
Execute pick(unsigned number, std::index_sequence<relation...>) {
  const Execute all[] = {fastest<Comparison<Operand, Relation(relation)>>()...};
  return number < sizeof...(relation) ? all[number] : nullptr;
}
template <typename T> Execute ofInteger(unsigned relation) {
  return pick<Plain<T>>(relation,
                        std::make_index_sequence<kIntegerRelations>());
}
template <typename Operand> Execute ofFloat(unsigned relation) {
  return pick<Operand>(relation, std::make_index_sequence<kFloatRelations>());
}

Execute findComparison(Type type, unsigned relation, bool flushes) {
  if (flushes)
    return type == Type::F32 ? ofFloat<Flushed>(relation) : nullptr;
  switch (type) {
  case Type::U16:
    return ofInteger<uint16_t>(relation);
  case Type::S16:
    return ofInteger<int16_t>(relation);
  case Type::U32:
    return ofInteger<uint32_t>(relation);
  case Type::S32:
    return ofInteger<int32_t>(relation);
  case Type::U64:
    return ofInteger<uint64_t>(relation);
  case Type::S64:
    return ofInteger<int64_t>(relation);
  case Type::F16:
    return ofFloat<Widened<F16>>(relation);
  case Type::BF16:
    return ofFloat<Widened<BF16>>(relation);
  case Type::F32:
    return ofFloat<Plain<float>>(relation);
  case Type::F64:
    return ofFloat<Plain<double>>(relation);
  default:
    return nullptr;
  }
}

/// Types without a meaning are only equal or not.
Execute findUntyped(Type type, unsigned relation) {
  if (relation > unsigned(Relation::Ne))
    return nullptr;
  switch (type) {
  case Type::B16:
    return ofInteger<uint16_t>(relation);
  case Type::B32:
    return ofInteger<uint32_t>(relation);
  case Type::B64:
    return ofInteger<uint64_t>(relation);
  default:
    return nullptr;
  }
}

bool isUnsigned(Type type) {
  return type == Type::U16 || type == Type::U32 || type == Type::U64;
}

/// What set gives where the comparison holds, or 0 for another type.
uint32_t whenTrue(Type type) {
  switch (type) {
  case Type::F16:
    return F16::fromFloat(1);
  case Type::BF16:
    return BF16::fromFloat(1);
  case Type::F32:
    return bitCast<uint32_t>(1.0f);
  case Type::U32:
  case Type::S32:
    return ~uint32_t(0);
  default:
    return 0;
  }
}

void decodeComparison(Decoder &decoder) {
  static const StringRef relations[] = {"eq",  "ne",  "lt",  "le",  "gt",
                                        "ge",  "equ", "neu", "ltu", "leu",
                                        "gtu", "geu", "num", "nan"};
  static const StringRef unsignedRelations[] = {"lo", "ls", "hi", "hs"};
  unsigned relation = decoder.takeOneOf(relations, kFloatRelations);
  bool isForUnsigned = relation == kFloatRelations;
  if (isForUnsigned)
    relation = unsigned(Relation::Lt) +
               decoder.takeOneOf(unsignedRelations, kFloatRelations);
  Use use = {};
  use.combination =
      Combination((decoder.takeOneOf({"and", "or", "xor"}, 3) + 1) % 4);
  use.isPredicate = decoder.is("setp");
  bool flushes = decoder.take("ftz");
  Type type = decoder.takeType();
  Execute execute = findComparison(type, relation, flushes);
  if (!execute && !flushes)
    execute = findUntyped(type, relation);
  if (isForUnsigned && !isUnsigned(type))
    execute = nullptr;

  if (use.isPredicate) {
    decoder.addResultAndPredicate(Type::Pred);
  } else {
    Type result = decoder.takeType();
    use.whenTrue = whenTrue(result);
    if (!use.whenTrue)
      execute = nullptr;
    decoder.addResult(result);
  }
  setExecuteIfKnown(decoder, execute);
  decoder.addSource(type);
  decoder.addSource(type);
  if (use.combination != Combination::None)
    decoder.addSource(Type::Pred);
  decoder.instruction->immediate = use.packed();
}

enum class Test { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

template <typename T> bool passes(Test test, T value) {
  switch (test) {
  case Test::Finite:
    return std::isfinite(value);
  case Test::Infinite:
    return std::isinf(value);
  case Test::Number:
    return !std::isnan(value);
  case Test::NotANumber:
    return std::isnan(value);
  case Test::Normal:
    return std::isnormal(value);
  case Test::Subnormal:
    return std::fpclassify(value) == FP_SUBNORMAL;
  }
  return false;
}

template <typename T>
Step test(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const Lanes<T> values = load<T>(warp, instruction.sources[0]);
  LaneMask outcome = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    outcome |= LaneMask(passes(Test(instruction.immediate), values[lane]))
               << lane;
  warp.write(instruction.results[0], mask, outcome);
  return Step::Next;
}

void decodeTest(Decoder &decoder) {
  unsigned kind = decoder.takeOneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}, 6);
  Type type = decoder.takeType();
  if (kind == 6 || (type != Type::F32 && type != Type::F64))
    return decoder.failUnknown();
  decoder.instruction->immediate = kind;
  decoder.addResult(Type::Pred);
  decoder.addSource(type);
  decoder.setExecute(type == Type::F32 ? test<float> : test<double>);
}

} // namespace

void mlir::deltanet::ptx::decodeCompare(Decoder &decoder) {
  if (decoder.is("testp"))
    decodeTest(decoder);
  else
    decodeComparison(decoder);
}
