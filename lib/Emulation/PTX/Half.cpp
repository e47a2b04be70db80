//===- Half.cpp - Arithmetic of floats of 16 bits and of pairs ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "HalfFloats.h"

using namespace mlir::deltanet::ptx;

namespace {

// Products of two numbers are exact in double, and no sum overflows there.
struct Add {
  DELTANET_PTX_INLINE static double apply(double a, double b) {
    return addToOdd(a, b);
  }
};
struct Sub {
  DELTANET_PTX_INLINE static double apply(double a, double b) {
    return addToOdd(a, -b);
  }
};
struct Mul {
  DELTANET_PTX_INLINE static double apply(double a, double b) { return a * b; }
};
struct Fma {
  DELTANET_PTX_INLINE static double apply(double a, double b, double c) {
    double product = a * b;
    return addToOdd(product, c);
  }
};

/// The lesser number, of the zeros the negative one, or if only one is a
/// number, that one.
struct Min {
  DELTANET_PTX_INLINE static double apply(double a, double b) {
    double least = a < b || (a == b && __builtin_signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : least;
  }
};
struct Max {
  DELTANET_PTX_INLINE static double apply(double a, double b) {
    double greatest = a > b || (a == b && !__builtin_signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : greatest;
  }
};
template <typename Choice> struct OrNaN {
  DELTANET_PTX_INLINE static double apply(double a, double b) {
    return a != a ? a : b != b ? b : Choice::apply(a, b);
  }
};

enum class Range { Saturated, NotNegative, All };

DELTANET_PTX_INLINE uint16_t flushed(uint16_t bits) {
  return bits & F16::kInfinity ? bits : bits & 0x8000;
}

/// An operation of doubles as one of a kind of numbers.
template <typename Number, typename Operation, bool flushes, Range range>
struct Scalar {
  template <typename... Sources>
  DELTANET_PTX_INLINE static uint16_t apply(Sources... sources) {
    double value =
        Operation::apply(double(Number::toFloat(prepared(sources)))...);
    if constexpr (range == Range::NotNegative)
      value = value < 0 ? 0.0 : value;
    if constexpr (range == Range::Saturated)
      value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
    uint16_t bits = fromDouble<Number>(value);
    // A zero that is the result of rounding may still be negative.
    if constexpr (range == Range::NotNegative)
      bits = bits == 0x8000 ? uint16_t(0) : bits;
    return prepared(bits);
  }

private:
  DELTANET_PTX_INLINE static uint16_t prepared(uint16_t bits) {
    return flushes ? flushed(bits) : bits;
  }
};

/// Signs of 16 bits; NaNs are as good as any.
template <bool flushes> struct Negated {
  DELTANET_PTX_INLINE static uint16_t apply(uint16_t bits) {
    return (flushes ? flushed(bits) : bits) ^ 0x8000;
  }
};
template <bool flushes> struct Magnitude {
  DELTANET_PTX_INLINE static uint16_t apply(uint16_t bits) {
    return (flushes ? flushed(bits) : bits) & 0x7FFF;
  }
};

/// The same for both halves.
template <typename Operation, typename... Sources>
DELTANET_PTX_INLINE uint32_t ofPair(Sources... sources) {
  uint32_t upper = Operation::apply(uint16_t(sources >> 16)...);
  return upper << 16 | Operation::apply(uint16_t(sources)...);
}

template <typename Operation> uint16_t one(uint16_t a) {
  return Operation::apply(a);
}
template <typename Operation> uint16_t two(uint16_t a, uint16_t b) {
  return Operation::apply(a, b);
}
template <typename Operation>
uint16_t three(uint16_t a, uint16_t b, uint16_t c) {
  return Operation::apply(a, b, c);
}
template <typename Operation> uint32_t pairOne(uint32_t a) {
  return ofPair<Operation>(a);
}
template <typename Operation> uint32_t pairTwo(uint32_t a, uint32_t b) {
  return ofPair<Operation>(a, b);
}
template <typename Operation>
uint32_t pairThree(uint32_t a, uint32_t b, uint32_t c) {
  return ofPair<Operation>(a, b, c);
}

template <typename Operation, unsigned sources> Execute find(bool isPair) {
  if constexpr (sources == 1)
    return isPair ? elementwise<pairOne<Operation>>()
                  : elementwise<one<Operation>>();
  else if constexpr (sources == 2)
    return isPair ? elementwise<pairTwo<Operation>>()
                  : elementwise<two<Operation>>();
  else
    return isPair ? elementwise<pairThree<Operation>>()
                  : elementwise<three<Operation>>();
}

/// What the words say beside the operation.
struct Form {
  bool isBrain, isPair, flushes;
  Range range;
};

template <typename Operation, unsigned sources, Range range>
Execute findIn(const Form &form) {
  if (form.isBrain)
    return form.flushes ? nullptr
                        : find<Scalar<BF16, Operation, false, range>, sources>(
                              form.isPair);
  return form.flushes
             ? find<Scalar<F16, Operation, true, range>, sources>(form.isPair)
             : find<Scalar<F16, Operation, false, range>, sources>(form.isPair);
}

template <typename Operation, unsigned sources>
Execute arithmetic(const Form &form) {
  switch (form.range) {
  case Range::All:
    return findIn<Operation, sources, Range::All>(form);
  case Range::Saturated:
    return form.isBrain ? nullptr
                        : findIn<Operation, sources, Range::Saturated>(form);
  case Range::NotNegative:
    if constexpr (sources == 3)
      return findIn<Operation, sources, Range::NotNegative>(form);
    return nullptr;
  }
  return nullptr;
}

template <typename Operation> Execute choice(const Form &form) {
  return form.range == Range::All ? findIn<Operation, 2, Range::All>(form)
                                  : nullptr;
}

template <template <bool> class Operation> Execute sign(const Form &form) {
  if (form.range != Range::All || (form.isBrain && form.flushes))
    return nullptr;
  return form.flushes ? find<Operation<true>, 1>(form.isPair)
                      : find<Operation<false>, 1>(form.isPair);
}

struct Family {
  llvm::StringLiteral mnemonic;
  bool rounds, orNaN;
  unsigned sources;
  Execute (*ofForm)(const Form &);
};

constexpr Family kFamilies[] = {
    {"add", true, false, 2, arithmetic<Add, 2>},
    {"sub", true, false, 2, arithmetic<Sub, 2>},
    {"mul", true, false, 2, arithmetic<Mul, 2>},
    {"fma", true, false, 3, arithmetic<Fma, 3>},
    {"min", false, false, 2, choice<Min>},
    {"max", false, false, 2, choice<Max>},
    {"min", false, true, 2, choice<OrNaN<Min>>},
    {"max", false, true, 2, choice<OrNaN<Max>>},
    {"neg", false, false, 1, sign<Negated>},
    {"abs", false, false, 1, sign<Magnitude>},
};

} // namespace

void mlir::deltanet::ptx::decodeHalf(Decoder &decoder) {
  bool orNaN = decoder.take("NaN"), flushes = decoder.take("ftz");
  Range range = Range(decoder.takeOneOf({"sat", "relu"}, 2));
  Type type = decoder.takeType();
  Form form = {type == Type::BF16 || type == Type::BF16x2,
               type == Type::F16x2 || type == Type::BF16x2, flushes, range};
  for (const Family &family : kFamilies) {
    if (!decoder.is(family.mnemonic) || family.orNaN != orNaN)
      continue;
    bool isRounded = family.rounds && decoder.take("rn");
    if (family.sources == 3 && !isRounded)
      return decoder.fail("expected a rounding of 'fma', got none");
    setExecuteIfKnown(decoder, family.ofForm(form));
    decoder.addResult(type);
    for (unsigned source = 0; source < family.sources; ++source)
      decoder.addSource(type);
    return;
  }
  decoder.failUnknown();
}
