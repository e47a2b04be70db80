//===- CompareTest.cpp - Comparisons and tests ----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RoundingOracle.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

/// %w is 1 where a comparison holds.
std::string setp(llvm::StringRef words) {
  return ("setp." + words + " %p0, %a, %b; selp.u32 %w, 1, 0, %p0;").str();
}

template <typename T> void checkIntegers(const std::string &type) {
  using Expected = uint32_t (*)(T, T);
  const std::pair<const char *, Expected> relations[] = {
      {"eq", +[](T a, T b) { return uint32_t(a == b); }},
      {"ne", +[](T a, T b) { return uint32_t(a != b); }},
      {"lt", +[](T a, T b) { return uint32_t(a < b); }},
      {"le", +[](T a, T b) { return uint32_t(a <= b); }},
      {"gt", +[](T a, T b) { return uint32_t(a > b); }},
      {"ge", +[](T a, T b) { return uint32_t(a >= b); }}};
  for (auto [relation, expected] : relations)
    check(setp(relation + ("." + type)), expected);
}

TEST(Compare, Integers) {
  checkIntegers<uint16_t>("u16");
  checkIntegers<int16_t>("s16");
  checkIntegers<uint32_t>("u32");
  checkIntegers<int32_t>("s32");
  checkIntegers<uint64_t>("u64");
  checkIntegers<int64_t>("s64");
  check(
      setp("eq.b32"), +[](uint32_t a, uint32_t b) { return uint32_t(a == b); });
  check(
      setp("lo.u32"), +[](uint32_t a, uint32_t b) { return uint32_t(a < b); });
  check(
      setp("ls.u32"), +[](uint32_t a, uint32_t b) { return uint32_t(a <= b); });
  check(
      setp("hi.u64"), +[](uint64_t a, uint64_t b) { return uint32_t(a > b); });
  check(
      setp("hs.u16"), +[](uint16_t a, uint16_t b) { return uint32_t(a >= b); });
}

template <typename T> void checkFloats(const std::string &type) {
  using Expected = uint32_t (*)(T, T);
  const std::pair<const char *, Expected> relations[] = {
      {"eq", +[](T a, T b) { return uint32_t(asDouble(a) == asDouble(b)); }},
      {"ne",
       +[](T a, T b) {
         return uint32_t(std::islessgreater(asDouble(a), asDouble(b)));
       }},
      {"lt", +[](T a, T b) { return uint32_t(asDouble(a) < asDouble(b)); }},
      {"le", +[](T a, T b) { return uint32_t(asDouble(a) <= asDouble(b)); }},
      {"gt", +[](T a, T b) { return uint32_t(asDouble(a) > asDouble(b)); }},
      {"ge", +[](T a, T b) { return uint32_t(asDouble(a) >= asDouble(b)); }},
      {"equ",
       +[](T a, T b) {
         return uint32_t(!std::islessgreater(asDouble(a), asDouble(b)));
       }},
      {"neu", +[](T a, T b) { return uint32_t(asDouble(a) != asDouble(b)); }},
      {"ltu",
       +[](T a, T b) { return uint32_t(!(asDouble(a) >= asDouble(b))); }},
      {"leu", +[](T a, T b) { return uint32_t(!(asDouble(a) > asDouble(b))); }},
      {"gtu",
       +[](T a, T b) { return uint32_t(!(asDouble(a) <= asDouble(b))); }},
      {"geu", +[](T a, T b) { return uint32_t(!(asDouble(a) < asDouble(b))); }},
      {"num",
       +[](T a, T b) {
         return uint32_t(!std::isunordered(asDouble(a), asDouble(b)));
       }},
      {"nan", +[](T a, T b) {
         return uint32_t(std::isunordered(asDouble(a), asDouble(b)));
       }}};
  for (auto [relation, expected] : relations)
    check(setp(relation + ("." + type)), expected);
}

TEST(Compare, Floats) {
  checkFloats<float>("f32");
  checkFloats<double>("f64");
  checkFloats<Half>("f16");
  checkFloats<Brain>("bf16");
}

TEST(Compare, FlushedFloats) {
  check(
      setp("lt.ftz.f32"), +[](float a, float b) {
        auto flush = [](float value) {
          return std::fpclassify(value) == FP_SUBNORMAL ? 0.0f : value;
        };
        return uint32_t(flush(a) < flush(b));
      });
}

TEST(Compare, OutcomeAndItsInverse) {
  check(
      "setp.lt.s32 %p0|%p1, %a, %b; selp.u32 %r0, 2, 0, %p0;"
      "selp.u32 %r1, 1, 0, %p1; add.u32 %w, %r0, %r1;",
      +[](int32_t a, int32_t b) { return a < b ? 2 : 1; });
}

TEST(Compare, CombinedWithAPredicate) {
  const std::string begin = "setp.gt.u32 %p2, %b, 60;";
  const std::string end = "selp.u32 %r0, 2, 0, %p0; selp.u32 %r1, 1, 0, %p1;"
                          "add.u32 %w, %r0, %r1;";
  check(
      begin + "setp.lt.and.u32 %p0|%p1, %a, 50, %p2;" + end,
      +[](uint32_t a, uint32_t b) {
        return 2 * (a < 50 && b > 60) + (a >= 50 && b > 60);
      });
  check(
      begin + "setp.lt.or.u32 %p0|%p1, %a, 50, !%p2;" + end,
      +[](uint32_t a, uint32_t b) {
        return 2 * (a < 50 || b <= 60) + (a >= 50 || b <= 60);
      });
  check(
      begin + "setp.lt.xor.u32 %p0|%p1, %a, 50, %p2;" + end,
      +[](uint32_t a, uint32_t b) {
        return 2 * ((a < 50) != (b > 60)) + ((a >= 50) != (b > 60));
      });
}

TEST(Compare, Set) {
  check(
      "set.lt.u32.f32 %w, %a, %b;",
      +[](float a, float b) { return a < b ? ~0u : 0u; });
  check(
      "set.ge.f32.s32 %w, %a, %b;",
      +[](int32_t a, int32_t b) { return a >= b ? 1.0f : 0.0f; });
  check(
      "setp.ne.u32 %p0, %b, 0; set.eq.and.s32.u32 %w, %a, %b, !%p0;",
      +[](uint32_t a, uint32_t b) { return a == b && b == 0 ? -1 : 0; });
}

TEST(Compare, SetOfHalves) {
  check(
      "set.gt.f16.s32 %h0, %a, %b; cvt.u32.u16 %w, %h0;",
      +[](int32_t a, int32_t b) { return a > b ? 0x3C00u : 0u; });
  check(
      "cvt.u16.u32 %h0, %a; set.nan.bf16.bf16 %h1, %h0, %h0; "
      "cvt.u32.u16 %w, %h1;",
      +[](uint32_t a) { return (a & 0x7FFF) > 0x7F80 ? 0x3F80u : 0u; });
}

TEST(Compare, Tests) {
  auto body = [](const char *words) {
    return std::string("testp.") + words + " %p0, %a; selp.u32 %w, 1, 0, %p0;";
  };
  check(
      body("finite.f32"), +[](float a) { return uint32_t(std::isfinite(a)); });
  check(
      body("infinite.f64"), +[](double a) { return uint32_t(std::isinf(a)); });
  check(body("number.f32"), +[](float a) { return uint32_t(!std::isnan(a)); });
  check(
      body("notanumber.f64"),
      +[](double a) { return uint32_t(std::isnan(a)); });
  check(
      body("normal.f32"), +[](float a) { return uint32_t(std::isnormal(a)); });
  check(
      body("subnormal.f32"),
      +[](float a) { return uint32_t(std::fpclassify(a) == FP_SUBNORMAL); });
}

TEST(Compare, UnknownForms) {
  for (const char *body :
       {"setp.lt.b32 %p0, %r0, %r1;", "setp.lo.s32 %p0, %r0, %r1;",
        "setp.equ.s32 %p0, %r0, %r1;", "setp.u32 %p0, %r0, %r1;",
        "setp.lt.ftz.f64 %p0, %l0, %l1;", "setp.lt.and.u32 %p0, %r0, %r1;",
        "setp.lt.u32 %p0, %r0, !%p1;", "set.lt.u16.u32 %h0, %r0, %r1;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
