//===- Approximate.cpp - Functions that are promised up to an error -------===//
//
// Part of the Delta-Net project.
//
// The exact value is moved by an error that depends on the operand alone and
// may be anything within what the manual promises. A kernel that needs more
// than the promise fails here, even if today's GPUs are better.
//
//===----------------------------------------------------------------------===//

#include "FloatResult.h"
#include "HalfFloats.h"
#include "RoundedOperation.h"
#include <algorithm>
#include <cmath>

using namespace mlir::deltanet::ptx;

namespace {

/// The largest error that an instruction may make, whichever of these is most.
struct Promise {
  double ulps = 0, relative = 0, absolute = 0;
};

constexpr double kTenthPower = 1.0717734625362931; // 2^0.1
constexpr double kSqrt2 = 1.4142135623730951;
constexpr double kPi = 3.141592653589793;

constexpr Promise ulps(double bound) { return {bound, 0, 0}; }
constexpr Promise relative(double bound) { return {0, bound, 0}; }
constexpr Promise absolute(double bound) { return {0, 0, bound}; }

// What the PTX manual says of each instruction.
constexpr Promise kEx2 = ulps(2);
constexpr Promise kEx2Half = relative(0x1p-10 * kTenthPower); // 2^-9.9
constexpr Promise kEx2Brain = relative(0x1p-7);
// Absolute between 1/2 and 2, where the result is less than 1; else relative.
constexpr Promise kLg2 = {0, 0x1p-22, 0x1p-22};
constexpr Promise kRcp = ulps(1);
constexpr Promise kSqrt = relative(0x1p-23);
constexpr Promise kRsqrt = relative(0x1p-23 * kTenthPower); // 2^-22.9
constexpr Promise kTanh = relative(0x1p-11);
constexpr Promise kTanhHalf = absolute(0x1p-11 * 1.0090516); // 2^-10.987
constexpr Promise kTanhBrain = absolute(0x1p-8);
constexpr Promise kSineNear = absolute(0x1p-21 * kSqrt2);    // 2^-20.5, ±2π
constexpr Promise kSineFar = absolute(0x1p-15 * 1.23114441); // 2^-14.7, ±100π
constexpr Promise kDiv = ulps(2);

/// Numbers of 32 bits, as HalfFloats.h has those of 16.
struct F32 {
  using Bits = uint32_t;
  static constexpr int leastExponent = -126, fractionBits = 23;
  static float toFloat(uint32_t bits) { return bitCast<float>(bits); }
  static uint32_t fromExact(double value) {
    return bitCast<uint32_t>(withOneNaN(float(value)));
  }
};
struct Half : F16 {
  using Bits = uint16_t;
  static constexpr int leastExponent = -14, fractionBits = 10;
  static uint16_t fromExact(double value) { return fromDouble<F16>(value); }
};
struct Brain : BF16 {
  using Bits = uint16_t;
  static constexpr int leastExponent = -126, fractionBits = 7;
  static uint16_t fromExact(double value) { return fromDouble<BF16>(value); }
};

/// Bits that look random and depend on the operand only.
uint32_t scramble(uint32_t bits) {
  bits = (bits ^ bits >> 16) * 0x7FEB352D;
  bits = (bits ^ bits >> 15) * 0x846CA68B;
  return bits ^ bits >> 16;
}

/// The exponent of a normal double; that of others is less than any here.
int exponentOf(double value) {
  return int(bitCast<uint64_t>(value) >> 52 & 0x7FF) - 1023;
}
double powerOfTwo(int exponent) {
  return bitCast<double>(uint64_t(exponent + 1023) << 52);
}

template <typename Number>
double allowedError(const Promise &promise, double exact) {
  int exponent = std::max(exponentOf(exact), Number::leastExponent);
  double ulp = powerOfTwo(exponent - Number::fractionBits);
  return std::max({promise.ulps * ulp, promise.relative * std::fabs(exact),
                   promise.absolute});
}

/// The exact result, moved as far as the promise allows.
template <typename Number>
typename Number::Bits move(double exact, const Promise &promise,
                           uint32_t operand) {
  typename Number::Bits nearest = Number::fromExact(exact);
  if (!std::isfinite(Number::toFloat(nearest)))
    return nearest;
  double allowed = allowedError<Number>(promise, exact);
  double part = double(int32_t(scramble(operand))) * 0x1p-31;
  typename Number::Bits moved = Number::fromExact(exact + part * allowed);
  double result = Number::toFloat(moved);
  return std::fabs(result - exact) <= allowed ? moved : nearest;
}

struct Ex2 {
  static double exact(double a) { return std::exp2(a); }
};
struct Lg2 {
  static double exact(double a) { return std::log2(a); }
};
struct Rcp {
  static double exact(double a) { return 1 / a; }
};
struct Sqrt {
  static double exact(double a) { return std::sqrt(a); }
};
struct Rsqrt {
  static double exact(double a) { return 1 / std::sqrt(a); }
};
struct Tanh {
  static double exact(double a) { return std::tanh(a); }
};
struct Sin {
  static double exact(double a) { return std::sin(a); }
};
struct Cos {
  static double exact(double a) { return std::cos(a); }
};

/// A function of one number. Zeros, infinities and NaN have exact results.
template <typename Number, typename Function, const Promise &promise>
typename Number::Bits ofOne(typename Number::Bits bits) {
  double operand = Number::toFloat(bits);
  double exact = Function::exact(operand);
  if (operand == 0 || !std::isfinite(operand))
    return Number::fromExact(exact);
  return move<Number>(exact, promise, bits);
}

template <typename Function> uint32_t ofAngle(uint32_t bits) {
  bool isNear = std::fabs(bitCast<float>(bits)) <= 2 * kPi;
  return isNear ? ofOne<F32, Function, kSineNear>(bits)
                : ofOne<F32, Function, kSineFar>(bits);
}

uint32_t flushedBits(uint32_t bits) {
  return bitCast<uint32_t>(flushed(bitCast<float>(bits)));
}
template <auto function> uint32_t withFlush(uint32_t bits) {
  return flushedBits(function(flushedBits(bits)));
}

template <auto function> uint32_t ofPair(uint32_t bits) {
  return uint32_t(function(uint16_t(bits >> 16))) << 16 |
         function(uint16_t(bits));
}

template <bool isFull> float divide(float a, float b) {
  // The reciprocal of such a divisor is zero to .approx.
  if (!isFull && std::fabs(b) > 0x1p126f && std::isfinite(b))
    return withOneNaN(a * std::copysign(0.0f, b));
  double exact = double(a) / double(b);
  if (a == 0 || b == 0 || !std::isfinite(a) || !std::isfinite(b))
    return withOneNaN(float(exact));
  uint32_t operands = bitCast<uint32_t>(a) ^ scramble(bitCast<uint32_t>(b) + 1);
  return bitCast<float>(move<F32>(exact, kDiv, operands));
}

/// A function of f32 in its forms, or null.
template <auto function> Execute ofF32(Type type, bool flushes) {
  if (type != Type::F32)
    return nullptr;
  return flushes ? elementwise<withFlush<function>>() : elementwise<function>();
}

/// A function of numbers of 16 bits and of pairs of them, or null.
template <typename Function, const Promise &half, const Promise &brain>
Execute ofHalves(Type type) {
  switch (type) {
  case Type::F16:
    return elementwise<ofOne<Half, Function, half>>();
  case Type::F16x2:
    return elementwise<ofPair<ofOne<Half, Function, half>>>();
  case Type::BF16:
    return elementwise<ofOne<Brain, Function, brain>>();
  case Type::BF16x2:
    return elementwise<ofPair<ofOne<Brain, Function, brain>>>();
  default:
    return nullptr;
  }
}

Execute findEx2(Type type, bool flushes) {
  if (type == Type::F32)
    return ofF32<ofOne<F32, Ex2, kEx2>>(type, flushes);
  // Only that of bf16 is said to flush, and no subnormal of it has a result
  // other than 1.
  bool isBrain = type == Type::BF16 || type == Type::BF16x2;
  return flushes == isBrain ? ofHalves<Ex2, kEx2Half, kEx2Brain>(type)
                            : nullptr;
}

Execute findTanh(Type type, bool flushes) {
  if (flushes)
    return nullptr;
  if (type == Type::F32)
    return ofF32<ofOne<F32, Tanh, kTanh>>(type, false);
  return ofHalves<Tanh, kTanhHalf, kTanhBrain>(type);
}

struct Family {
  llvm::StringLiteral mnemonic;
  Execute (*ofType)(Type, bool flushes);
};

constexpr Family kFamilies[] = {
    {"ex2", findEx2},
    {"lg2", ofF32<ofOne<F32, Lg2, kLg2>>},
    {"rcp", ofF32<ofOne<F32, Rcp, kRcp>>},
    {"sqrt", ofF32<ofOne<F32, Sqrt, kSqrt>>},
    {"rsqrt", ofF32<ofOne<F32, Rsqrt, kRsqrt>>},
    {"tanh", findTanh},
    {"sin", ofF32<ofAngle<Sin>>},
    {"cos", ofF32<ofAngle<Cos>>},
};

template <typename T> T reciprocal(T a) { return 1 / a; }
template <typename T> T squareRoot(T a) {
  if constexpr (sizeof(T) == 4)
    return __builtin_sqrtf(a);
  else
    return __builtin_sqrt(a);
}

/// rcp and sqrt that round the exact result.
template <auto narrow, auto wide>
Execute findExact(Type type, bool flushes, Rounding rounding) {
  if (type == Type::F64 && !flushes)
    return rounded<Finished<wide, false, false>::apply>(rounding);
  if (type != Type::F32)
    return nullptr;
  return flushes ? rounded<Finished<narrow, true, false>::apply>(rounding)
                 : rounded<Finished<narrow, false, false>::apply>(rounding);
}

void decodeExact(Decoder &decoder, Rounding rounding) {
  bool flushes = decoder.take("ftz");
  Type type = decoder.takeType();
  Execute execute = nullptr;
  if (decoder.is("rcp"))
    execute = findExact<reciprocal<float>, reciprocal<double>>(type, flushes,
                                                               rounding);
  else if (decoder.is("sqrt"))
    execute = findExact<squareRoot<float>, squareRoot<double>>(type, flushes,
                                                               rounding);
  setExecuteIfKnown(decoder, execute);
  decoder.instruction->immediate = uint64_t(rounding);
  decoder.addResult(type);
  decoder.addSource(type);
}

template <bool isFull> Execute findDivision(bool flushes) {
  return flushes ? elementwise<Finished<divide<isFull>, true, false>::apply>()
                 : elementwise<divide<isFull>>();
}

void decodeDivision(Decoder &decoder) {
  bool isFull = decoder.take("full");
  bool isApproximate = decoder.take("approx");
  bool flushes = decoder.take("ftz");
  Type type = decoder.takeType();
  if (isFull == isApproximate || type != Type::F32)
    return decoder.failUnknown();
  decoder.addResult(type);
  decoder.addSource(type);
  decoder.addSource(type);
  decoder.setExecute(isFull ? findDivision<true>(flushes)
                            : findDivision<false>(flushes));
}

} // namespace

void mlir::deltanet::ptx::decodeApproximate(Decoder &decoder) {
  if (decoder.is("div"))
    return decodeDivision(decoder);
  unsigned rounding = decoder.takeOneOf({"rn", "rz", "rm", "rp"}, 4);
  if (rounding != 4)
    return decodeExact(decoder, Rounding(rounding));
  if (!decoder.take("approx"))
    return decoder.failUnknown();
  bool flushes = decoder.take("ftz");
  Type type = decoder.takeType();
  for (const Family &family : kFamilies) {
    if (!decoder.is(family.mnemonic))
      continue;
    setExecuteIfKnown(decoder, family.ofType(type, flushes));
    decoder.addResult(type);
    decoder.addSource(type);
    return;
  }
  decoder.failUnknown();
}
