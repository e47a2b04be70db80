//===- Bits.cpp - Logic, shifts and fields of bits ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TypeChoice.h"
#include <algorithm>

using namespace mlir::deltanet::ptx;

namespace {

template <typename T> constexpr unsigned kBits = 8 * sizeof(T);

template <typename T> struct And {
  static T apply(T a, T b) { return a & b; }
};
template <typename T> struct Or {
  static T apply(T a, T b) { return a | b; }
};
template <typename T> struct Xor {
  static T apply(T a, T b) { return a ^ b; }
};
template <typename T> struct Not {
  static T apply(T a) { return ~a; }
};
template <typename T> struct LogicalNot {
  static T apply(T a) { return a == 0; }
};

// Shifts by more than the size give what shifts by the size would.
template <typename T> struct ShiftLeft {
  static T apply(T a, uint32_t by) {
    return by < kBits<T> ? T(a << (by & (kBits<T> - 1))) : T(0);
  }
};
template <typename T> struct ShiftRight {
  static T apply(T a, uint32_t by) {
    if constexpr (std::is_signed_v<T>)
      return a >> std::min(by, kBits<T> - 1);
    else
      return by < kBits<T> ? T(a >> (by & (kBits<T> - 1))) : T(0);
  }
};

template <bool left, bool wraps>
uint32_t funnelShift(uint32_t low, uint32_t high, uint32_t by) {
  by = wraps ? by & 31 : std::min(by, 32u);
  uint64_t both = uint64_t(high) << 32 | low;
  return left ? uint32_t(both << by >> 32) : uint32_t(both >> by);
}

/// Bits `position` on, `length` of them, extended by their sign if the type has
/// one. Both are bytes, and a field may reach beyond the value.
template <typename T> struct ExtractField {
  static T apply(T a, uint32_t position, uint32_t length) {
    position &= 0xFF;
    length &= 0xFF;
    T moved = ShiftRight<T>::apply(a, position);
    if (length >= kBits<T>)
      return moved;
    unsigned unused = (kBits<T> - length) & (kBits<T> - 1);
    T field = T(std::make_unsigned_t<T>(moved) << unused) >> unused;
    return length == 0 ? T(0) : field;
  }
};

template <typename T> struct InsertField {
  static T apply(T field, T into, uint32_t position, uint32_t length) {
    position &= 0xFF;
    length &= 0xFF;
    T ones =
        length < kBits<T> ? (T(1) << (length & (kBits<T> - 1))) - 1 : ~T(0);
    T mask = ShiftLeft<T>::apply(ones, position);
    return (into & ~mask) | (ShiftLeft<T>::apply(field, position) & mask);
  }
};

template <typename T> struct Reverse {
  static T apply(T a) {
    constexpr T everySecond = T(0x5555555555555555);
    constexpr T pairs = T(0x3333333333333333), nibbles = T(0x0F0F0F0F0F0F0F0F);
    a = (a >> 1 & everySecond) | (a & everySecond) << 1;
    a = (a >> 2 & pairs) | (a & pairs) << 2;
    a = (a >> 4 & nibbles) | (a & nibbles) << 4;
    if constexpr (sizeof(T) == 4)
      return __builtin_bswap32(a);
    else
      return __builtin_bswap64(a);
  }
};

template <typename T> struct Count {
  static uint32_t apply(T a) { return __builtin_popcountll(a); }
};
template <typename T> struct LeadingZeros {
  static uint32_t apply(T a) {
    return a ? __builtin_clzll(a) - (64 - kBits<T>) : kBits<T>;
  }
};

/// The place of the highest bit that is not the sign, or all ones.
template <typename T> struct FindHighest {
  static uint32_t apply(T a) {
    using Bits = std::make_unsigned_t<T>;
    Bits bits = a < 0 ? ~Bits(a) : Bits(a);
    return bits ? kBits<T> - 1 - LeadingZeros<Bits>::apply(bits) : ~0u;
  }
};
/// By how much a shift to the left brings it to the top.
template <typename T> struct FindShift {
  static uint32_t apply(T a) {
    uint32_t place = FindHighest<T>::apply(a);
    return place == ~0u ? place : kBits<T> - 1 - place;
  }
};

/// Each bit by the three of its place: `immediate` has the result for each
/// value of them.
struct Lookup {
  static Step run(Warp &warp, const Instruction &instruction, LaneMask mask) {
    const Lanes<uint32_t> a = load<uint32_t>(warp, instruction.sources[0]);
    const Lanes<uint32_t> b = load<uint32_t>(warp, instruction.sources[1]);
    const Lanes<uint32_t> c = load<uint32_t>(warp, instruction.sources[2]);
    Lanes<uint32_t> values = {};
    for (unsigned row = 0; row < 8; ++row) {
      if (!(instruction.immediate >> row & 1))
        continue;
      const uint32_t flipA = row & 4 ? 0 : ~0u, flipB = row & 2 ? 0 : ~0u,
                     flipC = row & 1 ? 0 : ~0u;
      for (unsigned lane = 0; lane < kLanes; ++lane)
        values[lane] |=
            (a[lane] ^ flipA) & (b[lane] ^ flipB) & (c[lane] ^ flipC);
    }
    store(warp, instruction.results[0], mask, values);
    return Step::Next;
  }
};

template <auto apply>
Step ofPredicates(Warp &warp, const Instruction &instruction, LaneMask mask) {
  LaneMask first = warp.predicateSource(instruction, 0);
  if constexpr (std::is_invocable_v<decltype(apply), LaneMask>)
    warp.write(instruction.results[0], mask, apply(first));
  else
    warp.write(instruction.results[0], mask,
               apply(first, warp.predicateSource(instruction, 1)));
  return Step::Next;
}

template <template <typename> class Operation> Execute ofWide(Type type) {
  return chooseAmong<Operation, Type::B32, Type::B64>(type);
}
template <template <typename> class Operation> Execute ofBits(Type type) {
  return chooseAmong<Operation, Type::B16, Type::B32, Type::B64>(type);
}
template <template <typename> class Operation> Execute ofNumbers(Type type) {
  return chooseAmong<Operation, Type::U32, Type::U64, Type::S32, Type::S64>(
      type);
}
template <template <typename> class Operation> Execute ofAny(Type type) {
  return chooseAmong<Operation, Type::B16, Type::B32, Type::B64, Type::U16,
                     Type::U32, Type::U64, Type::S16, Type::S32, Type::S64>(
      type);
}
template <template <typename> class Operation> Execute logical(Type type) {
  return type == Type::Pred ? ofPredicates<Operation<LaneMask>::apply>
                            : ofBits<Operation>(type);
}

/// What the operands of an instruction are: T of its type, N a number of 32
/// bits.
struct Family {
  llvm::StringLiteral mnemonic;
  llvm::StringLiteral result, sources;
  Execute (*ofType)(Type);
};

constexpr Family kFamilies[] = {
    {"and", "T", "TT", logical<And>},
    {"or", "T", "TT", logical<Or>},
    {"xor", "T", "TT", logical<Xor>},
    {"not", "T", "T", logical<Not>},
    {"cnot", "T", "T", ofBits<LogicalNot>},
    {"shl", "T", "TN", ofBits<ShiftLeft>},
    {"shr", "T", "TN", ofAny<ShiftRight>},
    {"bfe", "T", "TNN", ofNumbers<ExtractField>},
    {"bfi", "T", "TTNN", ofWide<InsertField>},
    {"brev", "T", "T", ofWide<Reverse>},
    {"popc", "N", "T", ofWide<Count>},
    {"clz", "N", "T", ofWide<LeadingZeros>},
    {"bfind", "N", "T", ofNumbers<FindHighest>},
};

void decodeFamily(Decoder &decoder, const Family &family) {
  bool findsShift = family.mnemonic == "bfind" && decoder.take("shiftamt");
  Type type = decoder.takeType();
  setExecuteIfKnown(decoder, findsShift ? ofNumbers<FindShift>(type)
                                        : family.ofType(type));
  decoder.addResult(family.result == "N" ? Type::U32 : type);
  for (char source : family.sources)
    decoder.addSource(source == 'N' ? Type::U32 : type);
}

void decodeFunnelShift(Decoder &decoder) {
  const Execute shifts[] = {elementwise<funnelShift<true, true>>(),
                            elementwise<funnelShift<true, false>>(),
                            elementwise<funnelShift<false, true>>(),
                            elementwise<funnelShift<false, false>>()};
  unsigned direction = decoder.takeOneOf({"l", "r"}, 2);
  unsigned mode = decoder.takeOneOf({"wrap", "clamp"}, 2);
  if (direction == 2 || mode == 2 || decoder.takeType() != Type::B32)
    return decoder.failUnknown();
  decoder.addResult(Type::B32);
  decoder.addSource(Type::B32);
  decoder.addSource(Type::B32);
  decoder.addSource(Type::U32);
  decoder.setExecute(shifts[2 * direction + mode]);
}

void decodeLookup(Decoder &decoder) {
  if (decoder.takeType() != Type::B32)
    return decoder.failUnknown();
  decoder.addResult(Type::B32);
  for (unsigned source = 0; source < 3; ++source)
    decoder.addSource(Type::B32);
  decoder.instruction->immediate = decoder.takeImmediate();
  if (decoder.instruction->immediate > 0xFF)
    return decoder.fail("expected a table of eight bits");
  decoder.setExecute(fastest<Lookup>());
}

} // namespace

void mlir::deltanet::ptx::decodeBits(Decoder &decoder) {
  for (const Family &family : kFamilies)
    if (decoder.is(family.mnemonic))
      return decodeFamily(decoder, family);
  if (decoder.is("shf"))
    decodeFunnelShift(decoder);
  else if (decoder.is("lop3"))
    decodeLookup(decoder);
  else
    decoder.failUnknown();
}
