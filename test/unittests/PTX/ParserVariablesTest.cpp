//===- ParserVariablesTest.cpp - Where variables of PTX text lie ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

static ModuleSyntax parse(const std::string &text) {
  llvm::Expected<ModuleSyntax> module = parseModule(
      ".version 9.0\n.target sm_90a, debug\n.address_size 64\n" + text,
      "test.ptx");
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
  ModuleSyntax empty;
  empty.kernels.resize(2);
  return empty;
}

/// "name offset+bytes" of all variables.
static std::string places(const KernelSyntax &kernel) {
  std::string shown;
  for (const VariableSyntax &variable : kernel.variables)
    shown += (shown.empty() ? "" : ", ") + variable.name + " " +
             std::to_string(variable.offset) + "+" +
             std::to_string(variable.bytes);
  return shown;
}

TEST(ParserVariables, Head) {
  ModuleSyntax module = parse(R"(
    .visible .entry first(.param .u64 p) .maxntid 128, 2 .minnctapersm 2
      .pragma "nounroll"; .maxnreg 64 .noreturn { ret; }
    .weak .entry second .reqntid 32, 4, 2 { ret; })");
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.version, 90u);
  ASSERT_EQ(module.kernels.size(), 2u);
  using Threads = std::array<uint32_t, 3>;
  const KernelInfo &first = module.kernels[0].info;
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.maxThreads, (Threads{128, 2, 1}));
  EXPECT_EQ(first.requiredThreads, (Threads{0, 0, 0}));
  EXPECT_EQ(module.kernels[0].location.line, 5u);
  const KernelInfo &second = module.kernels[1].info;
  EXPECT_EQ(second.requiredThreads, (Threads{32, 4, 2}));
  EXPECT_EQ(second.parameterBytes, 0u);
}

TEST(ParserVariables, Parameters) {
  KernelSyntax kernel = parse(R"(.entry k(
    .param .u8 a,
    .param .u64 .ptr .global .align 16 b,
    .param .align 16 .b8 c[20],
    .param .u64 .ptr d,
    .param .align 2 .b8 e[3],
    .param .v4 .f32 f
  ) { ret; })")
                            .kernels[0];
  EXPECT_EQ(places(kernel), "a 0+1, b 8+8, c 16+20, d 40+8, e 48+3, f 64+16");
  EXPECT_EQ(kernel.info.parameterBytes, 80u);
  ASSERT_EQ(kernel.info.parameters.size(), 6u);
  EXPECT_EQ(kernel.info.parameters[2].name, "c");
  EXPECT_EQ(kernel.info.parameters[2].offset, 16u);
  EXPECT_EQ(kernel.info.parameters[2].bytes, 20u);
  EXPECT_EQ(kernel.findVariable("e")->space, Space::Param);
  EXPECT_EQ(kernel.findVariable("g"), nullptr);
}

TEST(ParserVariables, SharedAndLocal) {
  ModuleSyntax module = parse(R"(
    .extern .shared .align 16 .b8 dynamic[];
    .extern .shared .align 32 .b8 other[];
    .shared .align 4 .b8 unused[100];
    .visible .shared .align 4 .b8 x[6];
    .entry k() {
      .reg .b32 r;
      .local .align 16 .b8 depot[20];
      .shared .f64 y[2][3];
      .local .b32 l;
      mov.u32 r, dynamic;
      mov.u32 r, x;
      ld.shared.u32 r, [other];
      ret;
    }
    .entry without() { .shared .b8 y; ret; })");
  const KernelSyntax &kernel = module.kernels[0];
  EXPECT_EQ(places(kernel), "dynamic 64+0, other 64+0, x 0+6, depot 0+20, "
                            "y 8+48, l 20+4");
  EXPECT_EQ(kernel.info.staticSharedBytes, 64u);
  EXPECT_EQ(kernel.localBytes, 24u);
  EXPECT_TRUE(kernel.info.takesDynamicShared);
  EXPECT_TRUE(kernel.findVariable("dynamic")->isDynamic);
  EXPECT_FALSE(kernel.findVariable("x")->isDynamic);

  EXPECT_EQ(places(module.kernels[1]), "y 0+1");
  EXPECT_EQ(module.kernels[1].info.staticSharedBytes, 1u);
  EXPECT_FALSE(module.kernels[1].info.takesDynamicShared);
}

TEST(ParserVariables, WhatDebuggersReadIsSkipped) {
  ModuleSyntax module = parse(R"(
    .file 1 "/a/b.cu", 123, 456
    .file 2 "c.cu"
    .entry k() {
      .loc 1 7 0
      .pragma "nounroll", "x";
      bar.sync 0; // bar.sync 1;
      .loc 2 9 9, function_name $L__info_string0+8, inlined_at 1 11 2
      /* bar.sync 2;
       */ ret;
    }
    .section .debug_str { $L__info_string0: .b8 95,-1 .b32 .debug_abbrev }
    .section .debug_loc { })");
  ASSERT_EQ(module.kernels[0].code.size(), 2u);
  EXPECT_EQ(module.kernels[0].code[0].text, "bar.sync 0");
  EXPECT_EQ(module.kernels[0].code[1].location.line, 13u);
  EXPECT_EQ(module.kernels[0].code[1].location.column, 11u);
}
