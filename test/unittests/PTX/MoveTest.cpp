//===- MoveTest.cpp - Values moved, packed, selected and permuted ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "InstructionCheck.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

TEST(Move, Registers) {
  check("mov.u16 %w, %a;", +[](uint16_t a) { return a; });
  check("mov.b32 %w, %a;", +[](uint32_t a) { return a; });
  check("mov.f64 %w, %a;", +[](uint64_t a) { return a; });
  check("mov.f32 %w, 0f40490FDB;", +[](uint32_t) { return 0x40490FDBu; });
  check(
      "setp.lt.s32 %p0, %a, 5; mov.pred %p1, %p0; selp.u32 %w, 7, 9, %p1;",
      +[](int32_t a) { return a < 5 ? 7 : 9; });
}

TEST(Move, ConstantPredicates) {
  check(
      "mov.pred %p0, 0; mov.pred %p1, -1; setp.lt.u32 %p2, %a, 9;"
      "@%p2 mov.pred %p0, 1; selp.u32 %r0, 1, 0, %p0;"
      "selp.u32 %w, %r0, 5, %p1;",
      +[](uint32_t a) { return uint32_t(a < 9); });
}

TEST(Move, PackedWithTheFirstLowest) {
  check(
      "mov.b64 %w, {%a, %b};",
      +[](uint32_t a, uint32_t b) { return uint64_t(b) << 32 | a; });
  check(
      "mov.b32 %w, {%a, %b};",
      +[](uint16_t a, uint16_t b) { return uint32_t(b) << 16 | a; });
  check(
      "mov.b64 %w, {%a, %b, %c, %d};",
      +[](uint16_t a, uint16_t b, uint16_t c, uint16_t d) {
        return uint64_t(d) << 48 | uint64_t(c) << 32 | uint64_t(b) << 16 | a;
      });
}

TEST(Move, Unpacked) {
  check(
      "mov.b64 {%r0, %r1}, %a; sub.u32 %w, %r0, %r1;",
      +[](uint64_t a) { return uint32_t(a) - uint32_t(a >> 32); });
  check("mov.b32 {_, %w}, %a;", +[](uint32_t a) { return uint16_t(a >> 16); });
  check(
      "mov.b64 {%h0, %h1, %h2, %h3}, %a; sub.u16 %h0, %h0, %h1;"
      "sub.u16 %h2, %h2, %h3; mul.lo.u16 %w, %h0, %h2;",
      +[](uint64_t a) {
        uint32_t first = uint16_t(a) - uint16_t(a >> 16);
        uint32_t second = uint16_t(a >> 32) - uint16_t(a >> 48);
        return uint16_t(first * second);
      });
}

TEST(Move, Selected) {
  check(
      "setp.gt.u32 %p0, %c, 1; selp.b16 %w, %a, %b, %p0;",
      +[](uint16_t a, uint16_t b, uint32_t c) { return c > 1 ? a : b; });
  check(
      "setp.gt.u32 %p0, %c, 1; selp.f32 %w, %a, %b, %p0;",
      +[](uint32_t a, uint32_t b, uint32_t c) { return c > 1 ? a : b; });
  check(
      "setp.gt.u32 %p0, %c, 1; selp.s64 %w, %a, %b, %p0;",
      +[](uint64_t a, uint64_t b, uint32_t c) { return c > 1 ? a : b; });
}

uint8_t byteOf(uint32_t a, uint32_t b, unsigned number) {
  return (number < 4 ? a >> (8 * number) : b >> (8 * (number - 4))) & 0xFF;
}

TEST(Move, PermutedBytes) {
  check(
      "prmt.b32 %w, %a, %b, %c;", +[](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i) {
          unsigned number = c >> (4 * i) & 15;
          uint8_t byte = byteOf(a, b, number % 8);
          if (number >= 8)
            byte = byte >= 128 ? 255 : 0;
          result += uint32_t(byte) << (8 * i);
        }
        return result;
      });
  check(
      "prmt.b32.f4e %w, %a, %b, %c;", +[](uint32_t a, uint32_t b, uint32_t c) {
        return uint32_t((uint64_t(b) << 32 | a) >> (8 * (c % 4)));
      });
  check(
      "prmt.b32.rc8 %w, %a, %b, %c;", +[](uint32_t a, uint32_t b, uint32_t c) {
        return 0x01010101u * byteOf(a, b, c % 4);
      });
  check(
      "prmt.b32.rc16 %w, %a, %b, %c;", +[](uint32_t a, uint32_t, uint32_t c) {
        return 0x00010001u * (c % 2 ? a >> 16 : a & 0xFFFF);
      });
  check(
      "prmt.b32.b4e %w, %a, %b, %c;", +[](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i)
          result |= uint32_t(byteOf(a, b, (c % 4 + 8 - i) % 8)) << (8 * i);
        return result;
      });
  check(
      "prmt.b32.ecl %w, %a, %b, %c;", +[](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i)
          result |= uint32_t(byteOf(a, b, std::max(i, c % 4))) << (8 * i);
        return result;
      });
  check(
      "prmt.b32.ecr %w, %a, %b, %c;", +[](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i)
          result |= uint32_t(byteOf(a, b, std::min(i, c % 4))) << (8 * i);
        return result;
      });
}

TEST(Move, AddressesOfOtherSpaces) {
  check("cvta.to.global.u64 %w, %a;", +[](uint64_t a) { return a; });
  check(
      "cvta.shared.u64 %l0, %a; cvta.to.shared.u64 %w, %l0;",
      +[](uint64_t a) { return a; });
  check(
      "cvta.local.u64 %l0, %a; cvta.to.local.u64 %w, %l0;",
      +[](uint64_t a) { return a; });
  check(
      "cvta.shared.u64 %l0, %a; cvta.local.u64 %l1, %a;"
      "setp.ne.u64 %p0, %l0, %l1; selp.u32 %w, 1, 0, %p0;",
      +[](uint64_t) { return 1; });
}

TEST(Move, UnknownForms) {
  for (const char *body :
       {"mov.b64 %l0, {%r0, %r1, %r2};", "mov.b32 {%h0, %h1}, {%h2, %h3};",
        "mov.b64 %r0, %r1;", "cvta.to.u64 %l0, %l1;",
        "cvta.shared.u32 %r0, %r1;", "prmt.b64 %l0, %l1, %l2, %r0;",
        "selp.b32 %r0, %r1, %r2, %r3;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
