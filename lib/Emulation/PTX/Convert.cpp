//===- Convert.cpp - Conversions between types ----------------------------===//
//
// Part of the Delta-Net project.
//
// Frequent conversions are loops that become vectors. All others go by way of
// an integer of 64 bits or a double, which hold every source exactly.
//
//===----------------------------------------------------------------------===//

#include "FloatEncoding.h"
#include "FloatResult.h"
#include "HalfFloats.h"
#include <cmath>
#include <limits>

using namespace mlir::deltanet::ptx;

namespace {

/// What the words say beside the types; `immediate` holds it.
struct Form {
  Rounding rounding = Rounding::Nearest;
  bool isRounded = false;  ///< .rn and the like
  bool isIntegral = false; ///< .rni and the like
  bool flushes = false, saturates = false, clampsNegative = false;

  uint64_t packed() const {
    return uint64_t(rounding) | isRounded << 3 | isIntegral << 4 |
           flushes << 5 | saturates << 6 | clampsNegative << 7;
  }
  static Form unpack(uint64_t bits) {
    return {Rounding(bits & 7),  bool(bits >> 3 & 1), bool(bits >> 4 & 1),
            bool(bits >> 5 & 1), bool(bits >> 6 & 1), bool(bits >> 7 & 1)};
  }
};

double toIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// Integers as sources and results.
template <typename T> struct Integer {
  using Value = T;
  static T read(uint64_t bits, const Form &) { return T(bits); }

  template <typename Source, typename From>
  static uint64_t write(From value, const Form &form) {
    if constexpr (std::is_floating_point_v<From>)
      return fromFloat<Source>(toIntegral(value, form.rounding));
    else
      return uint64_t(form.saturates ? clamped(value) : T(value));
  }

private:
  using Limits = std::numeric_limits<T>;

  template <typename From> static T clamped(From value) {
    return T(std::clamp<__int128>(value, Limits::min(), Limits::max()));
  }

  template <typename Source> static uint64_t fromFloat(double value) {
    // Of NaN, see "Integer Notes" at cvt.
    constexpr bool givesZero = sizeof(T) < 8 && Source::bits < 64;
    if (value != value)
      return givesZero ? 0 : uint64_t(1) << (8 * sizeof(T) - 1);
    // The number after the largest, which double holds.
    constexpr double end = 2.0 * double(T(1) << (8 * sizeof(T) - 2)) *
                           (std::is_signed_v<T> ? 1 : 2);
    if (value >= end)
      return uint64_t(Limits::max());
    if (value <= double(Limits::min()))
      return uint64_t(Limits::min());
    return uint64_t(T(value));
  }
};

/// Floats of a format, read by way of a smaller function.
template <int exponentBits, int fractionBits, double (*toDouble)(uint64_t)>
struct Float {
  static constexpr int bits = 1 + exponentBits + fractionBits;
  static constexpr FloatFormat format = {exponentBits, fractionBits};

  static double read(uint64_t value, const Form &form) {
    return toDouble(flushed(value, form));
  }

  template <typename Source, typename From>
  static uint64_t write(From value, const Form &form) {
    if constexpr (std::is_floating_point_v<From>) {
      return fromFloat(value, form);
    } else {
      bool isNegative = value < 0;
      uint64_t magnitude = isNegative ? -uint64_t(value) : uint64_t(value);
      uint64_t result = encode(format, form.rounding, isNegative, magnitude, 0);
      return form.saturates ? fromFloat(toDouble(result), form) : result;
    }
  }

private:
  static uint64_t flushed(uint64_t value, const Form &form) {
    bool isFlushed = bits == 32 && form.flushes && !(value & format.infinity());
    return isFlushed ? value & format.sign() : value;
  }

  static uint64_t fromFloat(double value, const Form &form) {
    if (form.isIntegral)
      value = toIntegral(value, form.rounding);
    if (form.saturates)
      value = value > 0 ? std::min(value, 1.0) : 0.0;
    if (form.clampsNegative)
      value = value <= 0 ? 0.0 : value;
    return flushed(encode(format, form.rounding, value), form);
  }
};

double halfToDouble(uint64_t bits) { return F16::toFloat(uint16_t(bits)); }
double brainToDouble(uint64_t bits) { return BF16::toFloat(uint16_t(bits)); }
double floatToDouble(uint64_t bits) { return bitCast<float>(uint32_t(bits)); }
double sameDouble(uint64_t bits) { return bitCast<double>(bits); }

using HalfNumber = Float<5, 10, halfToDouble>;
using BrainNumber = Float<8, 7, brainToDouble>;
using FloatNumber = Float<8, 23, floatToDouble>;
using DoubleNumber = Float<11, 52, sameDouble>;

/// A result may be wider than its type: integers are extended by their sign.
void storeRaw(Warp &warp, Register reg, LaneMask mask,
              const Lanes<uint64_t> &values) {
  if (reg.file == RegisterFile::Bits64)
    return warp.write(reg, mask, values);
  Lanes<uint32_t> narrow;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    narrow[lane] = uint32_t(values[lane]);
  store(warp, reg, mask, narrow);
}

template <typename From, typename To>
Step convert(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const Form form = Form::unpack(instruction.immediate);
  Lanes<uint64_t> values = {};
  forEachLane(mask, [&](unsigned lane) {
    uint64_t bits = warp.value(instruction.sources[0], lane);
    values[lane] = To::template write<From>(From::read(bits, form), form);
  });
  storeRaw(warp, instruction.results[0], mask, values);
  return Step::Next;
}

template <typename From> Execute findTo(Type to) {
  switch (to) {
  case Type::U8:
    return convert<From, Integer<uint8_t>>;
  case Type::S8:
    return convert<From, Integer<int8_t>>;
  case Type::U16:
    return convert<From, Integer<uint16_t>>;
  case Type::S16:
    return convert<From, Integer<int16_t>>;
  case Type::U32:
    return convert<From, Integer<uint32_t>>;
  case Type::S32:
    return convert<From, Integer<int32_t>>;
  case Type::U64:
    return convert<From, Integer<uint64_t>>;
  case Type::S64:
    return convert<From, Integer<int64_t>>;
  case Type::F16:
    return convert<From, HalfNumber>;
  case Type::BF16:
    return convert<From, BrainNumber>;
  case Type::F32:
    return convert<From, FloatNumber>;
  case Type::F64:
    return convert<From, DoubleNumber>;
  default:
    return nullptr;
  }
}

Execute findAny(Type from, Type to) {
  switch (from) {
  case Type::U8:
    return findTo<Integer<uint8_t>>(to);
  case Type::S8:
    return findTo<Integer<int8_t>>(to);
  case Type::U16:
    return findTo<Integer<uint16_t>>(to);
  case Type::S16:
    return findTo<Integer<int16_t>>(to);
  case Type::U32:
    return findTo<Integer<uint32_t>>(to);
  case Type::S32:
    return findTo<Integer<int32_t>>(to);
  case Type::U64:
    return findTo<Integer<uint64_t>>(to);
  case Type::S64:
    return findTo<Integer<int64_t>>(to);
  case Type::F16:
    return findTo<HalfNumber>(to);
  case Type::BF16:
    return findTo<BrainNumber>(to);
  case Type::F32:
    return findTo<FloatNumber>(to);
  case Type::F64:
    return findTo<DoubleNumber>(to);
  default:
    return nullptr;
  }
}

template <typename From, typename To> To cast(From value) { return To(value); }
template <typename Number> uint16_t narrow(float value) {
  return Number::fromFloat(value);
}
template <typename Number> float widen(uint16_t bits) {
  return withOneNaN(Number::toFloat(bits));
}
template <typename Number> uint32_t narrowPair(float upper, float lower) {
  return uint32_t(Number::fromFloat(upper)) << 16 | Number::fromFloat(lower);
}
int32_t truncate(float value) {
  int32_t inside = int32_t(value > -0x1p31f && value < 0x1p31f ? value : 0.0f);
  int32_t outside = value >= 0x1p31f    ? std::numeric_limits<int32_t>::max()
                    : value <= -0x1p31f ? std::numeric_limits<int32_t>::min()
                                        : 0;
  return inside | outside;
}

/// Conversions that kernels make in their loops.
struct Frequent {
  Type to, from;
  Form form;
  Execute execute;
};

Execute findFrequent(Type to, Type from, const Form &form) {
  constexpr Form plain = {}, nearest = {Rounding::Nearest, true},
                 toZero = {Rounding::Zero, false, true};
  static const Frequent conversions[] = {
      {Type::F16, Type::F32, nearest, elementwise<narrow<F16>>()},
      {Type::BF16, Type::F32, nearest, elementwise<narrow<BF16>>()},
      {Type::F32, Type::F16, plain, elementwise<widen<F16>>()},
      {Type::F32, Type::BF16, plain, elementwise<widen<BF16>>()},
      {Type::F32, Type::S32, nearest, elementwise<cast<int32_t, float>>()},
      {Type::F32, Type::U32, nearest, elementwise<cast<uint32_t, float>>()},
      {Type::S32, Type::F32, toZero, elementwise<truncate>()},
      {Type::S64, Type::S32, plain, elementwise<cast<int32_t, int64_t>>()},
      {Type::U64, Type::U32, plain, elementwise<cast<uint32_t, uint64_t>>()},
      {Type::U32, Type::U64, plain, elementwise<cast<uint64_t, uint32_t>>()},
      {Type::U32, Type::U16, plain, elementwise<cast<uint16_t, uint32_t>>()},
      {Type::U16, Type::U32, plain, elementwise<cast<uint32_t, uint16_t>>()},
  };
  for (const Frequent &conversion : conversions)
    if (conversion.to == to && conversion.from == from &&
        conversion.form.packed() == form.packed())
      return conversion.execute;
  return nullptr;
}

/// Two floats as the halves of one register, the first as the upper one.
template <typename To>
Step convertPair(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const Form form = Form::unpack(instruction.immediate);
  Lanes<uint32_t> values = {};
  forEachLane(mask, [&](unsigned lane) {
    for (Register source : instruction.sources) {
      double value = FloatNumber::read(warp.value(source, lane), form);
      values[lane] = values[lane] << 16 |
                     uint32_t(To::template write<FloatNumber>(value, form));
    }
  });
  store(warp, instruction.results[0], mask, values);
  return Step::Next;
}

/// A float with the last 13 bits zero.
Step convertToTF32(Warp &warp, const Instruction &instruction, LaneMask mask) {
  constexpr FloatFormat format = {8, 10};
  const Form form = Form::unpack(instruction.immediate);
  const Lanes<float> sources = load<float>(warp, instruction.sources[0]);
  Lanes<uint32_t> values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t bits = uint32_t(encode(format, form.rounding, sources[lane]));
    values[lane] = sources[lane] == sources[lane] ? bits << 13 : kNaN;
  }
  store(warp, instruction.results[0], mask, values);
  return Step::Next;
}

/// Whether cvt has this form of a conversion.
bool isKnown(Type to, Type from, const Form &form) {
  bool narrows =
      bitsOf(to) < bitsOf(from) || (bitsOf(to) == bitsOf(from) && to != from);
  bool isRounded = isFloat(to) && (!isFloat(from) || narrows);
  bool isIntegral = isFloat(from) && !isFloat(to);
  bool mayBeIntegral = isIntegral || (isFloat(from) && to == from);
  bool isHalf = to == Type::F16 || to == Type::BF16;
  return form.rounding != Rounding::Away && form.isRounded == isRounded &&
         (mayBeIntegral ? form.isIntegral || !isIntegral : !form.isIntegral) &&
         (!form.flushes || to == Type::F32 || from == Type::F32) &&
         (!form.clampsNegative || (isHalf && from == Type::F32));
}

Form takeForm(Decoder &decoder) {
  Form form;
  unsigned rounding = decoder.takeOneOf({"rn", "rz", "rm", "rp", "rna"}, 5);
  form.isRounded = rounding != 5;
  if (!form.isRounded)
    rounding = decoder.takeOneOf({"rni", "rzi", "rmi", "rpi"}, 5);
  form.isIntegral = !form.isRounded && rounding != 5;
  form.rounding = rounding == 5 ? Rounding::Nearest : Rounding(rounding);
  form.flushes = decoder.take("ftz");
  form.saturates = decoder.take("sat");
  form.clampsNegative = decoder.take("relu");
  return form;
}

void decodePair(Decoder &decoder, Type to, Type from, const Form &form) {
  bool isBrain = to == Type::BF16x2;
  bool isNearest = form.isRounded && form.rounding == Rounding::Nearest;
  bool isTowardZero = form.isRounded && form.rounding == Rounding::Zero;
  if (from != Type::F32 || form.flushes || form.saturates ||
      !(isNearest || isTowardZero))
    return decoder.failUnknown();
  decoder.addResult(to);
  decoder.addSource(from);
  decoder.addSource(from);
  if (isNearest && !form.clampsNegative)
    decoder.setExecute(isBrain ? elementwise<narrowPair<BF16>>()
                               : elementwise<narrowPair<F16>>());
  else
    decoder.setExecute(isBrain ? convertPair<BrainNumber>
                               : convertPair<HalfNumber>);
}

void decodeTF32(Decoder &decoder, Type from, const Form &form) {
  bool isDirect = form.rounding == Rounding::Nearest ||
                  form.rounding == Rounding::Zero ||
                  form.rounding == Rounding::Away;
  if (from != Type::F32 || !form.isRounded || !isDirect || form.flushes ||
      form.saturates || form.clampsNegative)
    return decoder.failUnknown();
  decoder.addResult(Type::TF32);
  decoder.addSource(from);
  decoder.setExecute(convertToTF32);
}

RegisterFile ownFile(Type type) {
  return bitsOf(type) == 64 ? RegisterFile::Bits64 : RegisterFile::Bits32;
}

} // namespace

void mlir::deltanet::ptx::decodeConvert(Decoder &decoder) {
  Form form = takeForm(decoder);
  Type from = decoder.takeType();
  Type to = decoder.takeType();
  decoder.instruction->immediate = form.packed();
  if (to == Type::F16x2 || to == Type::BF16x2)
    return decodePair(decoder, to, from, form);
  if (to == Type::TF32)
    return decodeTF32(decoder, from, form);
  Execute execute = findAny(from, to);
  if (!execute || !isKnown(to, from, form))
    return decoder.failUnknown();
  decoder.addWideResult(to);
  decoder.addWideSource(from);
  bool isPlain = decoder.instruction->results[0].file == ownFile(to) &&
                 decoder.instruction->sources[0].file == ownFile(from);
  Execute frequent = isPlain ? findFrequent(to, from, form) : nullptr;
  decoder.setExecute(frequent ? frequent : execute);
}
