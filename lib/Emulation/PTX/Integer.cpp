//===- Integer.cpp - Arithmetic of integers -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TypeChoice.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir::deltanet::ptx;

namespace {

template <typename T> using Unsigned = std::make_unsigned_t<T>;

/// The type of twice as many bits.
template <typename T> struct Doubled;
template <> struct Doubled<uint16_t> {
  using Type = uint32_t;
};
template <> struct Doubled<int16_t> {
  using Type = int32_t;
};
template <> struct Doubled<uint32_t> {
  using Type = uint64_t;
};
template <> struct Doubled<int32_t> {
  using Type = int64_t;
};
template <> struct Doubled<uint64_t> {
  using Type = unsigned __int128;
};
template <> struct Doubled<int64_t> {
  using Type = __int128;
};
template <typename T> using Wide = typename Doubled<T>::Type;

template <typename T> T sum(T a, T b) {
  return T(Unsigned<T>(Unsigned<T>(a) + Unsigned<T>(b)));
}
template <typename T> T difference(T a, T b) {
  return T(Unsigned<T>(Unsigned<T>(a) - Unsigned<T>(b)));
}
template <typename T> T product(T a, T b) {
  return T(Unsigned<T>(uint64_t(a) * uint64_t(b)));
}
template <typename T> T upperProduct(T a, T b) {
  return T(Wide<T>(a) * Wide<T>(b) >> (8 * sizeof(T)));
}
template <typename T> Wide<T> wideProduct(T a, T b) {
  return Wide<T>(a) * Wide<T>(b);
}

template <typename T> struct Add {
  static T apply(T a, T b) { return sum(a, b); }
};
template <typename T> struct Sub {
  static T apply(T a, T b) { return difference(a, b); }
};
template <typename T> struct MulLo {
  static T apply(T a, T b) { return product(a, b); }
};
template <typename T> struct MulHi {
  static T apply(T a, T b) { return upperProduct(a, b); }
};
template <typename T> struct MulWide {
  static Wide<T> apply(T a, T b) { return wideProduct(a, b); }
};
template <typename T> struct MadLo {
  static T apply(T a, T b, T c) { return sum(product(a, b), c); }
};
template <typename T> struct MadHi {
  static T apply(T a, T b, T c) { return sum(upperProduct(a, b), c); }
};
template <typename T> struct MadWide {
  static Wide<T> apply(T a, T b, Wide<T> c) {
    return sum(wideProduct(a, b), c);
  }
};
template <typename T> struct Sad {
  static T apply(T a, T b, T c) {
    return sum(c, a < b ? difference(b, a) : difference(a, b));
  }
};

// PTX leaves division by zero to the machine. All bits are set, as if the
// quotient did not fit, and the rest is the dividend.
template <typename T> struct Div {
  static T apply(T a, T b) {
    if (b == 0)
      return T(~T(0));
    if (std::is_signed_v<T> && b == T(-1))
      return difference(T(0), a);
    return a / b;
  }
};
template <typename T> struct Rem {
  static T apply(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == T(-1))
      return 0;
    return a % b;
  }
};

template <typename T> struct Min {
  static T apply(T a, T b) { return a < b ? a : b; }
};
template <typename T> struct Max {
  static T apply(T a, T b) { return a < b ? b : a; }
};
template <typename T> struct Abs {
  static T apply(T a) { return a < 0 ? difference(T(0), a) : a; }
};
template <typename T> struct Neg {
  static T apply(T a) { return difference(T(0), a); }
};

int32_t clamped(int64_t value) {
  using Limits = std::numeric_limits<int32_t>;
  return value < Limits::min()   ? Limits::min()
         : value > Limits::max() ? Limits::max()
                                 : int32_t(value);
}
int32_t saturatingAdd(int32_t a, int32_t b) { return clamped(int64_t(a) + b); }
int32_t saturatingSub(int32_t a, int32_t b) { return clamped(int64_t(a) - b); }

template <template <typename> class Operation> Execute ofSigned(Type type) {
  return chooseAmong<Operation, Type::S16, Type::S32, Type::S64>(type);
}
template <template <typename> class Operation> Execute ofNarrow(Type type) {
  return chooseAmong<Operation, Type::U16, Type::S16, Type::U32, Type::S32>(
      type);
}
template <template <typename> class Operation> Execute ofAny(Type type) {
  return chooseAmong<Operation, Type::U16, Type::U32, Type::U64, Type::S16,
                     Type::S32, Type::S64>(type);
}

/// Which half of a product an instruction takes.
enum class Part { Lo, Hi, Wide, None };

struct Family {
  llvm::StringLiteral mnemonic;
  Part part;
  unsigned sources;
  Execute (*ofType)(Type);
};

constexpr Family kFamilies[] = {
    {"add", Part::None, 2, ofAny<Add>},
    {"sub", Part::None, 2, ofAny<Sub>},
    {"mul", Part::Lo, 2, ofAny<MulLo>},
    {"mul", Part::Hi, 2, ofAny<MulHi>},
    {"mul", Part::Wide, 2, ofNarrow<MulWide>},
    {"mad", Part::Lo, 3, ofAny<MadLo>},
    {"mad", Part::Hi, 3, ofAny<MadHi>},
    {"mad", Part::Wide, 3, ofNarrow<MadWide>},
    {"sad", Part::None, 3, ofAny<Sad>},
    {"div", Part::None, 2, ofAny<Div>},
    {"rem", Part::None, 2, ofAny<Rem>},
    {"min", Part::None, 2, ofAny<Min>},
    {"max", Part::None, 2, ofAny<Max>},
    {"abs", Part::None, 1, ofSigned<Abs>},
    {"neg", Part::None, 1, ofSigned<Neg>},
};

Type widened(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return Type::None;
  }
}

Execute findSaturating(const Decoder &decoder, Type type) {
  if (type != Type::S32)
    return nullptr;
  if (decoder.is("add"))
    return elementwise<saturatingAdd>();
  if (decoder.is("sub"))
    return elementwise<saturatingSub>();
  return nullptr;
}

} // namespace

void mlir::deltanet::ptx::decodeInteger(Decoder &decoder) {
  Part part = Part(decoder.takeOneOf({"lo", "hi", "wide"}, 3));
  bool saturates = decoder.take("sat");
  Type type = decoder.takeType();

  const Family *family = llvm::find_if(kFamilies, [&](const Family &candidate) {
    return decoder.is(candidate.mnemonic) && candidate.part == part;
  });
  if (family == std::end(kFamilies))
    return decoder.failUnknown();
  Execute execute =
      saturates ? findSaturating(decoder, type) : family->ofType(type);
  if (!execute)
    return decoder.failUnknown();

  Type wide = part == Part::Wide ? widened(type) : type;
  decoder.addResult(wide);
  for (unsigned source = 0; source < family->sources; ++source)
    decoder.addSource(source == 2 ? wide : type);
  decoder.setExecute(execute);
}
