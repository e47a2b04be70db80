//===- Float.cpp - Arithmetic of f32 and f64 ------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FloatResult.h"
#include "RoundedOperation.h"

using namespace mlir::deltanet::ptx;

namespace {

template <typename T> struct Add {
  static T apply(T a, T b) { return a + b; }
};
template <typename T> struct Sub {
  static T apply(T a, T b) { return a - b; }
};
template <typename T> struct Mul {
  static T apply(T a, T b) { return a * b; }
};
template <typename T> struct Div {
  static T apply(T a, T b) { return a / b; }
};
template <typename T> struct Fma {
  static T apply(T a, T b, T c) {
    if constexpr (sizeof(T) == 4)
      return __builtin_fmaf(a, b, c);
    else
      return __builtin_fma(a, b, c);
  }
};

/// The lesser number, of the zeros the negative one, or if only one is a
/// number, that one.
template <typename T> struct Min {
  static T apply(T a, T b) {
    T least = a < b || (a == b && __builtin_signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : least;
  }
};
template <typename T> struct Max {
  static T apply(T a, T b) {
    T greatest = a > b || (a == b && !__builtin_signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : greatest;
  }
};
template <typename T> struct MinOrNaN {
  static T apply(T a, T b) {
    return a != a ? a : b != b ? b : Min<T>::apply(a, b);
  }
};
template <typename T> struct MaxOrNaN {
  static T apply(T a, T b) {
    return a != a ? a : b != b ? b : Max<T>::apply(a, b);
  }
};

template <typename T> struct Neg {
  static T apply(T a) { return -a; }
};
template <typename T> struct Abs {
  static T apply(T a) {
    if constexpr (sizeof(T) == 4)
      return __builtin_fabsf(a);
    else
      return __builtin_fabs(a);
  }
};
/// The sign of the first.
template <typename T> struct CopySign {
  static T apply(T a, T b) {
    if constexpr (sizeof(T) == 4)
      return __builtin_copysignf(b, a);
    else
      return __builtin_copysign(b, a);
  }
};

struct Form {
  Type type;
  Rounding rounding;
  bool flushes, saturates;
};

/// Arithmetic of either type.
template <template <typename> class Operation>
Execute arithmetic(const Form &form) {
  constexpr auto narrow = Operation<float>::apply;
  if (form.type == Type::F64)
    return form.flushes || form.saturates
               ? nullptr
               : rounded<
                     Finished<Operation<double>::apply, false, false>::apply>(
                     form.rounding);
  if (form.saturates)
    return form.flushes
               ? rounded<Finished<narrow, true, true>::apply>(form.rounding)
               : rounded<Finished<narrow, false, true>::apply>(form.rounding);
  return form.flushes
             ? rounded<Finished<narrow, true, false>::apply>(form.rounding)
             : rounded<Finished<narrow, false, false>::apply>(form.rounding);
}

/// Operations that round nothing.
template <template <typename> class Operation>
Execute choice(const Form &form) {
  constexpr auto narrow = Operation<float>::apply;
  if (form.saturates || (form.type == Type::F64 && form.flushes))
    return nullptr;
  if (form.type == Type::F64)
    return elementwise<Operation<double>::apply>();
  return form.flushes ? elementwise<Finished<narrow, true, false>::apply>()
                      : elementwise<Finished<narrow, false, false>::apply>();
}

DELTANET_PTX_INLINE float flushedNegated(float a) { return -flushed(a); }
DELTANET_PTX_INLINE float flushedMagnitude(float a) {
  return __builtin_fabsf(flushed(a));
}

/// Operations on the sign, which leave a NaN what it is.
template <template <typename> class Operation, auto whenFlushed>
Execute sign(const Form &form) {
  if (form.saturates || (form.type == Type::F64 && form.flushes))
    return nullptr;
  if (form.type == Type::F64)
    return elementwise<Operation<double>::apply>();
  return form.flushes ? elementwise<whenFlushed>()
                      : elementwise<Operation<float>::apply>();
}
Execute copySign(const Form &form) {
  if (form.saturates || form.flushes)
    return nullptr;
  return form.type == Type::F64 ? elementwise<CopySign<double>::apply>()
                                : elementwise<CopySign<float>::apply>();
}

enum class Rounds { Never, MayBeSaid, MustBeSaid };

struct Family {
  llvm::StringLiteral mnemonic;
  Rounds rounds;
  bool orNaN;
  unsigned sources;
  Execute (*ofForm)(const Form &);
};

constexpr Family kFamilies[] = {
    {"add", Rounds::MayBeSaid, false, 2, arithmetic<Add>},
    {"sub", Rounds::MayBeSaid, false, 2, arithmetic<Sub>},
    {"mul", Rounds::MayBeSaid, false, 2, arithmetic<Mul>},
    {"fma", Rounds::MustBeSaid, false, 3, arithmetic<Fma>},
    {"mad", Rounds::MustBeSaid, false, 3, arithmetic<Fma>},
    {"div", Rounds::MustBeSaid, false, 2, arithmetic<Div>},
    {"min", Rounds::Never, false, 2, choice<Min>},
    {"max", Rounds::Never, false, 2, choice<Max>},
    {"min", Rounds::Never, true, 2, choice<MinOrNaN>},
    {"max", Rounds::Never, true, 2, choice<MaxOrNaN>},
    {"neg", Rounds::Never, false, 1, sign<Neg, flushedNegated>},
    {"abs", Rounds::Never, false, 1, sign<Abs, flushedMagnitude>},
    {"copysign", Rounds::Never, false, 2, copySign},
};

void decodeFamily(Decoder &decoder, const Family &family) {
  unsigned rounding = family.rounds == Rounds::Never
                          ? 4
                          : decoder.takeOneOf({"rn", "rz", "rm", "rp"}, 4);
  if (family.rounds == Rounds::MustBeSaid && rounding == 4)
    return decoder.fail("expected a rounding of '" + family.mnemonic +
                        "', got none");
  Form form = {};
  form.rounding = rounding == 4 ? Rounding::Nearest : Rounding(rounding);
  form.flushes = decoder.take("ftz");
  form.saturates = decoder.take("sat");
  form.type = decoder.takeType();
  // A choice of f64 that is NaN, and a quotient that is saturated, are no PTX.
  bool isKnown = !(family.mnemonic == "div" && form.saturates) &&
                 !(family.orNaN && form.type == Type::F64);
  setExecuteIfKnown(decoder, isKnown ? family.ofForm(form) : nullptr);
  decoder.instruction->immediate = uint64_t(form.rounding);
  decoder.addResult(form.type);
  for (unsigned source = 0; source < family.sources; ++source)
    decoder.addSource(form.type);
}

} // namespace

void mlir::deltanet::ptx::decodeFloat(Decoder &decoder) {
  bool orNaN = decoder.take("NaN");
  for (const Family &family : kFamilies)
    if (decoder.is(family.mnemonic) && family.orNaN == orNaN)
      return decodeFamily(decoder, family);
  decoder.failUnknown();
}
