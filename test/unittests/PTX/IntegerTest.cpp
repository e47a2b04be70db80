//===- IntegerTest.cpp - Arithmetic of integers ---------------------------===//
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
using s16 = int16_t;
using s32 = int32_t;
using s64 = int64_t;
using wide = __int128;
using uwide = unsigned __int128;

TEST(Integer, SumsAndDifferencesWrap) {
  check("add.u16 %w, %a, %b;", +[](u16 a, u16 b) { return u16(a + b); });
  check("add.s16 %w, %a, %b;", +[](s16 a, s16 b) { return s16(a + b); });
  check("add.u32 %w, %a, %b;", +[](u32 a, u32 b) { return a + b; });
  check("add.s32 %w, %a, -7;", +[](u32 a) { return a - 7; });
  check("add.s64 %w, %a, %b;", +[](u64 a, u64 b) { return a + b; });
  check("sub.u16 %w, %a, %b;", +[](u16 a, u16 b) { return u16(a - b); });
  check("sub.s32 %w, %a, %b;", +[](u32 a, u32 b) { return a - b; });
  check("sub.u64 %w, %a, %b;", +[](u64 a, u64 b) { return a - b; });
}

s32 clamp32(s64 value) {
  return s32(std::min<s64>(std::max<s64>(value, INT32_MIN), INT32_MAX));
}

TEST(Integer, SaturatedSums) {
  check(
      "add.sat.s32 %w, %a, %b;",
      +[](s32 a, s32 b) { return clamp32(s64(a) + b); });
  check(
      "sub.sat.s32 %w, %a, %b;",
      +[](s32 a, s32 b) { return clamp32(s64(a) - b); });
}

TEST(Integer, PartsOfProducts) {
  check(
      "mul.lo.u16 %w, %a, %b;", +[](u16 a, u16 b) { return u16(u32(a) * b); });
  check(
      "mul.hi.s16 %w, %a, %b;",
      +[](s16 a, s16 b) { return s16(s32(a) * b >> 16); });
  check("mul.lo.s32 %w, %a, %b;", +[](u32 a, u32 b) { return a * b; });
  check(
      "mul.hi.u32 %w, %a, %b;",
      +[](u32 a, u32 b) { return u32(u64(a) * b >> 32); });
  check(
      "mul.hi.s32 %w, %a, %b;",
      +[](s32 a, s32 b) { return s32(s64(a) * b >> 32); });
  check("mul.lo.s64 %w, %a, %b;", +[](u64 a, u64 b) { return a * b; });
  check(
      "mul.hi.u64 %w, %a, %b;",
      +[](u64 a, u64 b) { return u64(uwide(a) * b >> 64); });
  check(
      "mul.hi.s64 %w, %a, %b;",
      +[](s64 a, s64 b) { return s64(wide(a) * b >> 64); });
  check("mul.wide.u16 %w, %a, %b;", +[](u16 a, u16 b) { return u32(a) * b; });
  check("mul.wide.s16 %w, %a, %b;", +[](s16 a, s16 b) { return s32(a) * b; });
  check("mul.wide.u32 %w, %a, %b;", +[](u32 a, u32 b) { return u64(a) * b; });
  check("mul.wide.s32 %w, %a, %b;", +[](s32 a, s32 b) { return s64(a) * b; });
  check("mul.wide.s32 %w, %a, -4;", +[](s32 a) { return s64(a) * -4; });
}

TEST(Integer, ProductsAndSums) {
  check(
      "mad.lo.s32 %w, %a, %b, %c;",
      +[](u32 a, u32 b, u32 c) { return a * b + c; });
  check(
      "mad.hi.u32 %w, %a, %b, %c;",
      +[](u32 a, u32 b, u32 c) { return u32(u64(a) * b >> 32) + c; });
  check(
      "mad.hi.s64 %w, %a, %b, %c;",
      +[](s64 a, s64 b, u64 c) { return u64(wide(a) * b >> 64) + c; });
  check(
      "mad.wide.u32 %w, %a, %b, %c;",
      +[](u32 a, u32 b, u64 c) { return u64(a) * b + c; });
  check(
      "mad.wide.s32 %w, %a, %b, %c;",
      +[](s32 a, s32 b, u64 c) { return u64(s64(a) * b) + c; });
  check(
      "mad.wide.s16 %w, %a, %b, %c;",
      +[](s16 a, s16 b, u32 c) { return u32(s32(a) * b) + c; });
  check(
      "sad.s32 %w, %a, %b, %c;", +[](s32 a, s32 b, u32 c) {
        return c + u32(a < b ? s64(b) - a : s64(a) - b);
      });
  check(
      "sad.u16 %w, %a, %b, %c;",
      +[](u16 a, u16 b, u16 c) { return u16(c + (a < b ? b - a : a - b)); });
}

TEST(Integer, QuotientsAndRests) {
  check(
      "or.b32 %r0, %b, 1; div.u32 %w, %a, %r0;",
      +[](u32 a, u32 b) { return a / (b | 1); });
  check(
      "or.b32 %r0, %b, 1; div.s32 %w, %a, %r0;",
      +[](s32 a, s32 b) { return s32(s64(a) / (b | 1)); });
  check(
      "or.b32 %r0, %b, 1; rem.s32 %w, %a, %r0;",
      +[](s32 a, s32 b) { return s32(s64(a) % (b | 1)); });
  check(
      "or.b64 %l0, %b, 1; div.s64 %w, %a, %l0;",
      +[](s64 a, s64 b) { return s64(wide(a) / (b | 1)); });
  check(
      "or.b64 %l0, %b, 1; rem.u64 %w, %a, %l0;",
      +[](u64 a, u64 b) { return a % (b | 1); });
  check(
      "or.b16 %h0, %b, 1; rem.s16 %w, %a, %h0;",
      +[](s16 a, s16 b) { return s16(a % s16(b | 1)); });
  // Not a trap, whatever it gives.
  check("div.s32 %w, %a, 0; mov.u32 %w, 5;", +[](s32) { return 5; });
}

TEST(Integer, Choices) {
  check("min.u16 %w, %a, %b;", +[](u16 a, u16 b) { return std::min(a, b); });
  check("min.s32 %w, %a, %b;", +[](s32 a, s32 b) { return std::min(a, b); });
  check("min.u64 %w, %a, %b;", +[](u64 a, u64 b) { return std::min(a, b); });
  check("max.s16 %w, %a, %b;", +[](s16 a, s16 b) { return std::max(a, b); });
  check("max.u32 %w, %a, %b;", +[](u32 a, u32 b) { return std::max(a, b); });
  check("max.s64 %w, %a, %b;", +[](s64 a, s64 b) { return std::max(a, b); });
}

TEST(Integer, Signs) {
  check("abs.s16 %w, %a;", +[](s16 a) { return s16(a < 0 ? -a : a); });
  check("abs.s32 %w, %a;", +[](s32 a) { return a < 0 ? 0 - u32(a) : u32(a); });
  check("neg.s32 %w, %a;", +[](u32 a) { return 0 - a; });
  check("neg.s64 %w, %a;", +[](u64 a) { return 0 - a; });
}

TEST(Integer, OnlyActiveThreadsAreWritten) {
  check(
      "mov.u32 %w, 1; setp.lt.u32 %p0, %a, 100; @%p0 add.u32 %w, %a, %b;",
      +[](u32 a, u32 b) { return a < 100 ? a + b : 1; });
}

TEST(Integer, UnknownForms) {
  for (const char *body :
       {"add.cc.u32 %r0, %r1, %r2;", "addc.u32 %r0, %r1, %r2;",
        "add.sat.u32 %r0, %r1, %r2;", "mul.u32 %r0, %r1, %r2;",
        "mul.wide.u64 %l0, %l1, %l2;", "abs.u32 %r0, %r1;",
        "add.b32 %r0, %r1, %r2;", "add.lo.u32 %r0, %r1, %r2;",
        "mad24.lo.u32 %r0, %r1, %r2, %r3;", "add.u8 %h0, %h1, %h2;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
