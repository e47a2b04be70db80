//===- ParserTest.cpp - What PTX text means -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;
using Kind = OperandSyntax::Kind;

static const std::string kHead =
    ".version 8.3\n.target sm_80\n.address_size 64\n";

/// Registers and variables that the tests of instructions use.
static const std::string kNames = ".reg .pred %p<3>; .reg .b32 %r<4>;\n"
                                  ".reg .b64 %rd<4>; .shared .b32 x[8];\n";

static ModuleSyntax parse(const std::string &text) {
  llvm::Expected<ModuleSyntax> module = parseModule(text, "test.ptx");
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError()) << "\n" << text;
  ModuleSyntax empty;
  empty.kernels.resize(1);
  return empty;
}

static KernelSyntax parseBody(const std::string &body) {
  return parse(kHead + ".entry k()\n{\n" + body + "\n}\n").kernels[0];
}

/// All of an operand, in short.
static std::string show(const OperandSyntax &operand) {
  static const char *const kinds[] = {
      "register", "special", "variable", "label", "integer",
      "float",    "sink",    "vector",   "pair",  "address"};
  std::string shown = kinds[unsigned(operand.kind)];
  if (operand.negated)
    shown += " not";
  if (operand.kind == Kind::Register)
    shown += " " + std::to_string(operand.reg.bits) + ":" +
             std::to_string(operand.reg.index);
  if (operand.kind == Kind::Special || operand.kind == Kind::Variable)
    shown += " " + operand.name;
  if (operand.kind == Kind::Integer || operand.kind == Kind::Label ||
      operand.kind == Kind::Address)
    shown += " " + std::to_string(int64_t(operand.value));
  if (operand.kind == Kind::Float)
    shown +=
        std::to_string(operand.floatBits) + " " + std::to_string(operand.value);
  if (!operand.elements.empty()) {
    const char *separator = " (";
    for (const OperandSyntax &element : operand.elements) {
      shown += separator + show(element);
      separator = ", ";
    }
    shown += ")";
  }
  return shown;
}

TEST(Parser, Operands) {
  const std::pair<const char *, const char *> cases[] = {
      {"%r3", "register 32:3"},
      {"!%p1", "register not 1:1"},
      {"%tid.x", "special %tid.x"},
      {"%laneid", "special %laneid"},
      {"%lanemask_lt", "special %lanemask_lt"},
      {"%nctaid.z", "special %nctaid.z"},
      {"x", "variable x"},
      {"12", "integer 12"},
      {"-5", "integer -5"},
      {"0x1F", "integer 31"},
      {"017", "integer 15"},
      {"0", "integer 0"},
      {"0b101", "integer 5"},
      {"7U", "integer 7"},
      {"0xFFU", "integer 255"},
      {"0xffffffffffffffff", "integer -1"},
      {"0f3F800000", "float32 1065353216"},
      {"0d3FF0000000000000", "float64 4607182418800017408"},
      {"1.0", "float64 4607182418800017408"},
      {"10.0e-1", "float64 4607182418800017408"},
      {"_", "sink"},
      {"{%r1, _, 3}", "vector (register 32:1, sink, integer 3)"},
      {"%p1|%p2", "pair (register 1:1, register 1:2)"},
      {"_|%p2", "pair (sink, register 1:2)"},
      {"[%rd1]", "address 0 (register 64:1)"},
      {"[%rd1+16]", "address 16 (register 64:1)"},
      {"[%r1+-4]", "address -4 (register 32:1)"},
      {"[%r1-4]", "address -4 (register 32:1)"},
      {"[x+8]", "address 8 (variable x)"},
      {"[1024]", "address 1024"},
      {"[%rd1, {%r1, %r2}]",
       "address 0 (register 64:1, vector (register 32:1, register 32:2))"},
  };
  for (auto [text, shown] : cases) {
    KernelSyntax kernel = parseBody(kNames + "mov.b32 " + text + "; ret;");
    ASSERT_EQ(kernel.code.size(), 2u) << text;
    ASSERT_EQ(kernel.code[0].operands.size(), 1u) << text;
    EXPECT_EQ(show(kernel.code[0].operands[0]), shown) << text;
    EXPECT_EQ(kernel.code[0].operands[0].text, text);
  }
}

TEST(Parser, Instruction) {
  KernelSyntax kernel = parseBody(
      kNames + "  @!%p2 ld.shared::cta.L2::128B.v2.b32 \t{%r1,/* */ %r2},\n"
               "  [x + 4] ;ret;");
  const InstructionSyntax &instruction = kernel.code[0];
  EXPECT_EQ(instruction.text,
            "ld.shared::cta.L2::128B.v2.b32 {%r1, %r2}, [x + 4]");
  EXPECT_EQ(instruction.location.line, 8u);
  EXPECT_EQ(instruction.location.column, 9u);
  EXPECT_EQ(show(*instruction.guard), "register not 1:2");
  EXPECT_EQ(instruction.guard->text, "!%p2");
  EXPECT_EQ(instruction.operands[1].location.line, 9u);
  EXPECT_EQ(instruction.operands[1].location.column, 3u);
  std::vector<std::string> words(instruction.words.begin(),
                                 instruction.words.end());
  EXPECT_EQ(words, (std::vector<std::string>{"ld", "shared::cta", "L2::128B",
                                             "v2", "b32"}));
  EXPECT_FALSE(kernel.code[1].guard);
}

TEST(Parser, RegistersOfEachFile) {
  KernelSyntax kernel = parseBody(
      ".reg .pred %p, %q; .reg .b16 %rs<3>; .reg .f32 %f<2>, %g;\n"
      ".reg .u8 %c; .reg .f64 %d<4>; mov.b32 %g, %c, %rs2, %d3, %q; ret;");
  EXPECT_EQ(kernel.registers, (std::array<uint32_t, 3>{2, 7, 4}));
  const char *const shown[] = {"register 32:5", "register 8:6", "register 16:2",
                               "register 64:3", "register 1:1"};
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(show(kernel.code[0].operands[i]), shown[i]);
}

TEST(Parser, BlocksHideNamesAround) {
  KernelSyntax kernel = parseBody(R"(
    .reg .b32 t;
  L: mov.b32 t, 0;
    { .reg .b32 t;
      bra L;
      mov.b32 t, 1;
      L: mov.b32 t, 2;
    }
    { bra L; }
    bra M;
  M: mov.b32 t, 3;
    ret;)");
  const char *const shown[] = {"register 32:0", "label 3", "register 32:1",
                               "register 32:1", "label 0", "label 6",
                               "register 32:0"};
  for (unsigned i = 0; i < 7; ++i)
    EXPECT_EQ(show(kernel.code[i].operands[0]), shown[i]) << i;
}

TEST(Parser, EndOfABodyReturns) {
  const std::pair<const char *, size_t> cases[] = {{"", 1},
                                                   {"ret;", 1},
                                                   {"exit;", 1},
                                                   {"bar.sync 0;", 2},
                                                   {".reg .pred p; @p ret;", 2},
                                                   {"bra L; ret; L:", 3}};
  for (auto [body, size] : cases) {
    KernelSyntax kernel = parseBody(body);
    EXPECT_EQ(kernel.code.size(), size) << body;
    EXPECT_TRUE(kernel.code.back().text == "ret" ||
                kernel.code.back().text == "exit")
        << body;
  }
  KernelSyntax kernel = parseBody("bra L;\nL:");
  EXPECT_EQ(show(kernel.code[0].operands[0]), "label 1");
  EXPECT_EQ(kernel.code[1].location.line, 8u);
}
