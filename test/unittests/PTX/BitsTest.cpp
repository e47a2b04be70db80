//===- BitsTest.cpp - Logic, shifts and fields of bits --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "InstructionCheck.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

TEST(Bits, Logic) {
  check("and.b16 %w, %a, %b;", +[](u16 a, u16 b) { return u16(a & b); });
  check("or.b32 %w, %a, %b;", +[](u32 a, u32 b) { return a | b; });
  check("xor.b64 %w, %a, %b;", +[](u64 a, u64 b) { return a ^ b; });
  check("not.b16 %w, %a;", +[](u16 a) { return u16(~a); });
  check("not.b64 %w, %a;", +[](u64 a) { return ~a; });
  check("cnot.b32 %w, %a;", +[](u32 a) { return a ? 0 : 1; });
}

TEST(Bits, LogicOfPredicates) {
  const char *prologue = "setp.lt.u32 %p0, %a, 40; setp.lt.u32 %p1, %b, 40;";
  auto body = [&](const char *operation) {
    return std::string(prologue) + operation + "selp.u32 %w, 1, 0, %p2;";
  };
  check(
      body("and.pred %p2, %p0, %p1;"),
      +[](u32 a, u32 b) { return u32(a < 40 && b < 40); });
  check(
      body("or.pred %p2, %p0, %p1;"),
      +[](u32 a, u32 b) { return u32(a < 40 || b < 40); });
  check(
      body("xor.pred %p2, %p0, %p1;"),
      +[](u32 a, u32 b) { return u32((a < 40) != (b < 40)); });
  check(body("not.pred %p2, %p0;"), +[](u32 a, u32) { return u32(a >= 40); });
}

TEST(Bits, ShiftsByMoreThanTheSize) {
  check(
      "shl.b16 %w, %a, %b;",
      +[](u16 a, u32 b) { return u16(b > 15 ? 0 : a << b); });
  check(
      "shl.b32 %w, %a, %b;", +[](u32 a, u32 b) { return b > 31 ? 0 : a << b; });
  check(
      "shl.b64 %w, %a, %b;", +[](u64 a, u32 b) { return b > 63 ? 0 : a << b; });
  check(
      "shr.u16 %w, %a, %b;",
      +[](u16 a, u32 b) { return u16(b > 15 ? 0 : a >> b); });
  check(
      "shr.s16 %w, %a, %b;",
      +[](int16_t a, u32 b) { return int16_t(a >> (b > 15 ? 15 : b)); });
  check(
      "shr.b32 %w, %a, %b;", +[](u32 a, u32 b) { return b > 31 ? 0 : a >> b; });
  check(
      "shr.s32 %w, %a, %b;",
      +[](int32_t a, u32 b) { return a >> (b > 31 ? 31 : b); });
  check(
      "shr.u64 %w, %a, %b;", +[](u64 a, u32 b) { return b > 63 ? 0 : a >> b; });
  check(
      "shr.s64 %w, %a, %b;",
      +[](int64_t a, u32 b) { return a >> (b > 63 ? 63 : b); });
}

/// d = bits of b:a shifted to the left or right, bit by bit.
u32 funnel(u32 a, u32 b, u32 by, bool left) {
  u32 result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    unsigned from = left ? 32 + i - by : i + by;
    u32 bit = from < 32 ? a >> from & 1 : from < 64 ? b >> (from - 32) & 1 : 0;
    result |= bit << i;
  }
  return result;
}

TEST(Bits, FunnelShifts) {
  check(
      "shf.l.wrap.b32 %w, %a, %b, %c;",
      +[](u32 a, u32 b, u32 c) { return funnel(a, b, c % 32, true); });
  check(
      "shf.l.clamp.b32 %w, %a, %b, %c;", +[](u32 a, u32 b, u32 c) {
        return funnel(a, b, std::min(c, 32u), true);
      });
  check(
      "shf.r.wrap.b32 %w, %a, %b, %c;",
      +[](u32 a, u32 b, u32 c) { return funnel(a, b, c % 32, false); });
  check(
      "shf.r.clamp.b32 %w, %a, %b, %c;", +[](u32 a, u32 b, u32 c) {
        return funnel(a, b, std::min(c, 32u), false);
      });
}

/// The loops of the manual.
template <typename T, bool isSigned> T extract(T a, u32 b, u32 c) {
  const unsigned last = 8 * sizeof(T) - 1, position = b & 255, length = c & 255;
  bool sign = isSigned && length != 0 &&
              (a >> std::min(position + length - 1, last) & 1);
  T result = 0;
  for (unsigned i = 0; i <= last; ++i) {
    bool isInside = i < length && position + i <= last;
    result |= T(isInside ? a >> (position + i) & 1 : T(sign)) << i;
  }
  return result;
}
template <typename T> T insert(T a, T b, u32 c, u32 d) {
  const unsigned last = 8 * sizeof(T) - 1, position = c & 255, length = d & 255;
  for (unsigned i = 0; i < length && position + i <= last; ++i) {
    T place = T(1) << (position + i);
    b = a >> i & 1 ? b | place : b & ~place;
  }
  return b;
}

TEST(Bits, Fields) {
  check("bfe.u32 %w, %a, %b, %c;", extract<u32, false>);
  check("bfe.s32 %w, %a, %b, %c;", extract<u32, true>);
  check("bfe.u64 %w, %a, %b, %c;", extract<u64, false>);
  check("bfe.s64 %w, %a, %b, %c;", extract<u64, true>);
  check("bfi.b32 %w, %a, %b, %c, %d;", insert<u32>);
  check("bfi.b64 %w, %a, %b, %c, %d;", insert<u64>);
}

template <typename T> T reverse(T a) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i)
    result = result << 1 | (a >> i & 1);
  return result;
}
template <typename T> u32 leadingZeros(T a) {
  u32 count = 0;
  for (unsigned i = 8 * sizeof(T); i-- > 0 && !(a >> i & 1);)
    ++count;
  return count;
}
template <typename T> u32 ones(T a) {
  u32 count = 0;
  for (; a; a >>= 1)
    count += a & 1;
  return count;
}
template <typename T, bool isSigned> u32 highest(T a) {
  if (isSigned && a >> (8 * sizeof(T) - 1))
    a = ~a;
  return a ? 8 * sizeof(T) - 1 - leadingZeros(a) : ~u32(0);
}

TEST(Bits, CountsAndPlaces) {
  check("brev.b32 %w, %a;", reverse<u32>);
  check("brev.b64 %w, %a;", reverse<u64>);
  check("popc.b32 %w, %a;", ones<u32>);
  check("popc.b64 %w, %a;", ones<u64>);
  check("clz.b32 %w, %a;", leadingZeros<u32>);
  check("clz.b64 %w, %a;", leadingZeros<u64>);
  check("bfind.u32 %w, %a;", highest<u32, false>);
  check("bfind.s32 %w, %a;", highest<u32, true>);
  check("bfind.u64 %w, %a;", highest<u64, false>);
  check("bfind.s64 %w, %a;", highest<u64, true>);
  check(
      "bfind.shiftamt.u32 %w, %a;",
      +[](u32 a) { return a ? leadingZeros(a) : ~u32(0); });
}

TEST(Bits, Tables) {
  check(
      "lop3.b32 %w, %a, %b, %c, 0x80;",
      +[](u32 a, u32 b, u32 c) { return a & b & c; });
  check(
      "lop3.b32 %w, %a, %b, %c, 0x1A;",
      +[](u32 a, u32 b, u32 c) { return ((a & b) | c) ^ a; });
  check(
      "lop3.b32 %w, %a, %b, %c, 0xCA;",
      +[](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); });
  check(
      "lop3.b32 %w, %a, %b, %c, 0x01;",
      +[](u32 a, u32 b, u32 c) { return ~(a | b | c); });
}

TEST(Bits, UnknownForms) {
  for (const char *body :
       {"and.u64 %r0, %r1, %r2;", "and.s32 %r0, %r1, %r2;",
        "shf.l.b32 %r0, %r1, %r2, %r3;", "brev.u16 %h0, %h1;",
        "lop3.b32 %r0, %r1, %r2, %r3, 256;",
        "lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 1, %p1;",
        "bfe.b32 %r0, %r1, 1, 2;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
