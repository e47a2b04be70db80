//===- ParserErrorsTest.cpp - PTX text that is refused --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::deltanet::ptx;

static const std::string kHead =
    ".version 8.3\n.target sm_80\n.address_size 64\n";

/// What is wrong with a module, or nothing.
static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<ModuleSyntax> module = parseModule(text, "f");
  return module ? "" : llvm::toString(module.takeError());
}

/// Of a kernel with registers r and p, whose body begins in line 5.
static std::string errorOfBody(const std::string &body) {
  return errorOf(kHead + ".entry k() { .reg .b32 r; .reg .pred p;\n" + body);
}

TEST(ParserErrors, Modules) {
  const std::pair<std::string, const char *> cases[] = {
      {"", "f:1:1: expected '.version', got end of file"},
      {".version 8", "f:1:10: expected a version, got '8'"},
      {".version 8.3 .target compute_80",
       "f:1:22: expected a target such as sm_80, got 'compute_80'"},
      {".version 8.3 .target sm_80, map_f64_to_f32",
       "f:1:29: expected 'debug', got 'map_f64_to_f32'"},
      {".version 8.3 .target sm_80 .address_size 32",
       "f:1:42: expected 64, got '32'"},
      {".version 8.3\n.target sm_80\n.entry k() {}",
       "f:3:1: expected '.address_size', got '.entry'"},
      {kHead + ".func f() {}",
       "f:4:1: expected a kernel or a .shared variable, got '.func'"},
      {kHead + ".visible .global .b32 x;",
       "f:4:10: expected '.entry' or '.shared', got '.global'"},
      {kHead + ".const .b32 x;",
       "f:4:1: expected a kernel or a .shared variable, got '.const'"},
      {kHead + ".extern .func f;", "f:4:9: expected '.shared', got '.func'"},
      {kHead + ".extern .shared .b32 x[4];", "f:4:24: expected ']', got '4'"},
      {kHead + ".shared .b32 x[];",
       "f:4:16: expected an integer from 1 to 262144, got ']'"},
      {kHead + ".shared .b32 x[4]; .shared .b32 x[4];",
       "f:4:33: expected a new name, got 'x'"},
      {kHead + ".shared .pred x;",
       "f:4:9: expected the type of a variable, got '.pred'"},
      {kHead + ".shared .align 3 .b8 x;",
       "f:4:16: expected a power of two, got '3'"},
      {kHead + ".shared .b32 x = 5;", "f:4:16: expected ';', got '='"},
      {kHead + ".entry k() {} .entry k() {}",
       "f:4:22: expected a new name, got 'k'"},
      {kHead + ".entry k() .explicitcluster {}",
       "f:4:12: expected a directive of a kernel, got '.explicitcluster'"},
      {kHead + ".entry k() .reqntid 0 {}",
       "f:4:21: expected an integer from 1 to 4294967295, got '0'"},
      {kHead + ".entry k() .maxntid 1, 1, 1, 1 {}",
       "f:4:30: expected at most 3 extents, got '1'"},
      {kHead + ".entry k(.param .b32 x, .param .b32 x) {}",
       "f:4:37: expected a new name, got 'x'"},
      {kHead + ".entry k(.param .b8 x[40000]) {}",
       "f:4:23: expected an integer from 1 to 32764, got '40000'"},
      {kHead + ".entry k(.reg .b32 x) {}",
       "f:4:10: expected '.param', got '.reg'"},
      {kHead + ".section .text {}",
       "f:4:10: expected a section for debuggers, got '.text'"},
      {kHead + "/* comment", "f:4:1: expected '*/', got end of file"},
      {kHead + ".file 1 \"x\n\"", "f:4:9: expected '\"', got end of line"},
      {kHead + ".file 1 \"x", "f:4:9: expected '\"', got end of file"},
      {kHead + "#", "f:4:1: expected a token, got '#'"},
      {kHead + std::string(1, '\0'), "f:4:1: expected a token, got '\\x00'"},
      {kHead + "\xff", "f:4:1: expected a token, got '\\xFF'"},
  };
  for (const auto &[text, error] : cases)
    EXPECT_EQ(errorOf(text), error) << text;
}

TEST(ParserErrors, Bodies) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "f:5:1: expected a statement, got end of file"},
      {"ret; ;}", "f:5:6: expected a statement, got ';'"},
      {"ret", "f:5:4: expected an operand, got end of file"},
      {"ret }", "f:5:5: expected an operand, got '}'"},
      {"mov.u32 r, r }", "f:5:14: expected ',' or ';', got '}'"},
      {"mov.u32 r r;", "f:5:11: expected ',' or ';', got 'r'"},
      {"mov.u32 r, ;", "f:5:12: expected an operand, got ';'"},
      {"%r1 r;", "f:5:1: expected an instruction, got '%r1'"},
      {"@r bra L;", "f:5:2: expected a predicate, got 'r'"},
      {"@p L: ret;", "f:5:5: expected an operand, got ':'"},
      {"mov.u32 r, %r9;", "f:5:12: expected a known register, got '%r9'"},
      {"mov.u32 r, %tid.q;", "f:5:16: expected a component of %tid, got '.q'"},
      {"mov.u32 r, %laneid.x;",
       "f:5:19: expected a component of %laneid, got '.x'"},
      {"mov.u32 r, x;}", "f:5:12: expected a known name, got 'x'"},
      {"bra L; { L: } }", "f:5:5: expected a known name, got 'L'"},
      {"{ .reg .b32 q; } mov.u32 r, q; }",
       "f:5:29: expected a known name, got 'q'"},
      {"{ .shared .b32 q; } mov.u32 r, q; }",
       "f:5:32: expected a known name, got 'q'"},
      {"{ .shared .b32 q; } { .shared .b32 q; }",
       "f:5:36: expected a new name, got 'q'"},
      {"bra p; mov.u32 r, !r;", "f:5:20: expected a predicate, got 'r'"},
      {"L: L: ret;}", "f:5:4: expected a new name, got 'L'"},
      {".reg .b32 r;", "f:5:11: expected a new name, got 'r'"},
      {".reg .b32 a<3>, a1;", "f:5:17: expected a new name, got 'a1'"},
      {".reg .b32 a1, a<3>;", "f:5:15: expected a new name, got 'a'"},
      {".reg .b128 q;", "f:5:6: expected the type of a register, got '.b128'"},
      {".reg .b32 a<4000000000>;",
       "f:5:13: expected an integer from 1 to 1048576, got '4000000000'"},
      {".reg .b32 a<700000>; .reg .b32 b<700000>;",
       "f:5:32: expected at most 1048576 registers, got more"},
      {".shared .b8 x[1048576]; .shared .b8 y; }",
       "f:5:37: expected at most 1048576 bytes of variables, got more"},
      {".shared .b8 x[99999999999999999999];",
       "f:5:15: expected an integer from 1 to 1048576, got "
       "'99999999999999999999'"},
      {".local .b64 x[1024][1024];",
       "f:5:21: expected an integer from 1 to 128, got '1024'"},
      {".param .b32 x;", "f:5:1: expected a statement, got '.param'"},
      {"L: .branchtargets A, B;",
       "f:5:4: expected a statement, got '.branchtargets'"},
      {"call (r), f, (r);", "f:5:6: expected an operand, got '('"},
      {"mov.u32 r, {r;", "f:5:14: expected ',' or '}', got ';'"},
      {"mov.u32 r, {{r}};", "f:5:13: expected an operand, got '{'"},
      {"mov.u32 r, {L};", "f:5:13: expected a known name, got 'L'"},
      {"ld.u32 r, [r*4];", "f:5:13: expected a token, got '*'"},
      {"ld.u32 r, [r+r];", "f:5:14: expected an integer, got 'r'"},
      {"ld.u32 r, [r, r];", "f:5:15: expected '{', got 'r'"},
      {"ld.u32 r, [%tid.x];",
       "f:5:12: expected a register, a variable or an integer, got '%tid'"},
      {"mov.u32 r, 0f3F80000;", "f:5:12: expected an integer, got '0f3F80000'"},
      {"mov.u32 r, 08;", "f:5:12: expected an integer, got '08'"},
      {"mov.u32 r, 0x;", "f:5:12: expected an integer, got '0x'"},
      {"mov.u32 r, 0x10000000000000000;",
       "f:5:12: expected an integer, got '0x10000000000000000'"},
      {"mov.u32 r, 0b12;", "f:5:12: expected an integer, got '0b12'"},
      {".loc 1 2 3, inlined 1", "f:5:13: expected function_name or "
                                "inlined_at, got 'inlined'"},
      {".loc 1 2 ret;",
       "f:5:10: expected an integer from 0 to 18446744073709551615, got 'ret'"},
  };
  for (auto [body, error] : cases)
    EXPECT_EQ(errorOfBody(body), error) << body;
}

/// `part` as often as it takes for some MB.
static std::string repeat(llvm::StringRef part) {
  std::string text;
  while (text.size() < (4 << 20))
    text += part;
  return text;
}

TEST(ParserErrors, HugeTextsAreRefusedSoon) {
  const std::pair<std::string, const char *> cases[] = {
      {repeat("{"), "f:5:63: expected at most 64 blocks in each other"},
      {repeat("ret;\n"), "f:262149:1: expected at most 262144 instructions"},
      {"mov.b32 {" + repeat("_,"), "expected at most 1048576 operands"},
      {repeat(".shared .b8 x; {"), "expected a new name, got 'x'"},
      {"mov.b32 " + repeat("1"), "expected an integer, got '111"},
      {"mov.b32 1." + repeat("1"), "expected an integer, got '1.1"},
      {".reg .b32 " + repeat("a") + "<1000000>;",
       "expected at most 128 characters of a register's name"},
      {repeat("L"), "expected an operand, got end of file"},
      {"ret " + repeat("["), "f:5:6: expected an operand, got '['"},
      {repeat("{ bra L; } "), "expected at most 262144 instructions"},
      {"bra L; " + repeat("{ } ") + "}",
       "f:5:5: expected a known name, got 'L'"},
      {repeat("/* "), "f:5:1: expected '*/', got end of file"},
  };
  for (const auto &[body, error] : cases) {
    std::string message = errorOfBody(body);
    EXPECT_NE(message.find(error), std::string::npos)
        << body.substr(0, 20) << ": " << message.substr(0, 200);
    EXPECT_LT(message.size(), 200u);
  }
  std::string variables;
  for (unsigned i = 0; i < 5000; ++i)
    variables += ".shared .b8 x" + std::to_string(i) + ";\n";
  EXPECT_EQ(errorOf(kHead + variables),
            "f:4100:13: expected at most 4096 variables, got more");
}

/// A module with something of everything.
static const std::string kWhole = kHead + R"(
.file 1 "a.cu"
.extern .shared .align 16 .b8 s[];
.visible .entry k(.param .u64 .ptr .global .align 4 a, .param .b8 b[6])
.maxntid 128, 1 .minnctapersm 2
{
  .reg .pred %p<4>; .reg .b32 %r<8>, q; .reg .b64 %rd<3>;
  .shared .align 8 .b8 t[64]; // comment
  .loc 1 2 3, function_name $L__n+4, inlined_at 1 2 3
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
$L__BB0_1: /* here */
  @!%p1 bra $L__BB0_2;
  shfl.sync.bfly.b32 %r2|%p2, %r1, 0x1f, -1, 0f3F800000;
  { .reg .b32 q; L: ld.shared.v2.b32 {q, _}, [t+8]; @%p1 bra L; }
  cp.async.tensor.2d.shared::cta [%r1+-4], [%rd1, {%r1, %r2}], 1.5;
  bra $L__BB0_1;
$L__BB0_2:
}
.section .debug_str { .b8 0 }
)";

TEST(ParserErrors, TextsThatEndEarlyAreRefused) {
  ASSERT_EQ(errorOf(kWhole), "");
  size_t begin = kWhole.find(".visible"), end = kWhole.find("}\n.section");
  for (size_t size = 0; size < kWhole.size(); ++size) {
    std::string error = errorOf(llvm::StringRef(kWhole).take_front(size));
    if (size > begin && size <= end)
      EXPECT_EQ(error.substr(0, 2), "f:") << size;
  }
}

TEST(ParserErrors, DamagedTextsDoNoHarm) {
  std::mt19937 random(1);
  const llvm::StringRef pieces = "{}[]()<>,;:|+-!@=.%_\"/*\n 09afx$\\";
  unsigned refused = 0;
  constexpr unsigned texts = 5000;
  for (unsigned i = 0; i < texts; ++i) {
    std::string text = kWhole;
    for (unsigned change = 0; change <= i % 4; ++change) {
      size_t place = random() % text.size();
      if (random() % 3 == 0)
        text.erase(place, random() % 8);
      else if (random() % 2)
        text.insert(place, 1, pieces[random() % pieces.size()]);
      else
        text[place] = char(random());
    }
    refused += !errorOf(text).empty();
  }
  EXPECT_GT(refused, texts / 2);
  EXPECT_LT(refused, texts);
}
