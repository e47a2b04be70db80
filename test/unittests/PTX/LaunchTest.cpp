//===- LaunchTest.cpp - Launches that a kernel or a GPU refuses -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/Launch.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

static const char kModule[] = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry places(.param .u64 o, .param .u32 n) .maxntid 256
{
  .reg .b32 %r<20>;
  .reg .b64 %rd<4>;
  .shared .b8 fixed[64];
  ld.param.u64 %rd0, [o];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %tid.y;
  mov.u32 %r2, %tid.z;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %ntid.y;
  mov.u32 %r5, %ctaid.x;
  mov.u32 %r6, %ctaid.y;
  mov.u32 %r7, %ctaid.z;
  mov.u32 %r8, %nctaid.x;
  mov.u32 %r9, %nctaid.y;
  mad.lo.u32 %r10, %r7, %r9, %r6;
  mad.lo.u32 %r10, %r10, %r8, %r5;
  mov.u32 %r11, %ntid.z;
  mul.lo.u32 %r12, %r3, %r4;
  mul.lo.u32 %r13, %r12, %r11;
  mul.lo.u32 %r10, %r10, %r13;
  mad.lo.u32 %r14, %r2, %r4, %r1;
  mad.lo.u32 %r14, %r14, %r3, %r0;
  add.u32 %r10, %r10, %r14;
  mad.wide.u32 %rd1, %r10, 4, %rd0;
  mov.u32 %r15, dynamic;
  st.shared.v4.b32 [dynamic], {%r0, %r0, %r0, %r0};
  mov.u32 %r16, %laneid;
  mov.u32 %r17, %warpid;
  mad.lo.u32 %r18, %r17, 32, %r16;
  sub.u32 %r18, %r18, %r14;
  add.u32 %r18, %r18, %r10;
  st.global.u32 [%rd1], %r18;
  ret;
}
)";

namespace {
struct Launch : testing::Test {
  Launch()
      : program(llvm::cantFail(Program::parse(kModule, "places.ptx"))),
        o(memory.allocate("o", 4096)) {}

  std::string errorOf(const LaunchShape &shape, llvm::StringRef kernel,
                      unsigned parameters = 2, unsigned bytes = 4) {
    uint32_t n = 0;
    std::vector<llvm::ArrayRef<char>> values{
        {reinterpret_cast<char *>(&o), sizeof o},
        {reinterpret_cast<char *>(&n), bytes}};
    values.resize(parameters);
    LaunchOptions options;
    options.checks = false; // every thread writes the same 16 bytes
    auto result = launch(program, kernel, shape, values, memory, options);
    if (!result)
      return llvm::toString(result.takeError());
    return result->findings.empty() ? "" : result->findings[0].text();
  }
  std::string errorOf(const LaunchShape &shape) {
    return errorOf(shape, "places");
  }

  Program program;
  DeviceMemory memory;
  uint64_t o;
};
} // namespace

TEST_F(Launch, KnowsWhatAKernelAsksFor) {
  const KernelInfo *info = program.find("places");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->parameterBytes, 12u);
  EXPECT_EQ(info->parameters[1].name, "n");
  EXPECT_EQ(info->parameters[1].offset, 8u);
  EXPECT_EQ(info->staticSharedBytes, 64u);
  EXPECT_TRUE(info->takesDynamicShared);
  EXPECT_EQ(info->maxThreads[0], 256u);
  EXPECT_EQ(program.target(), "sm_80");
  EXPECT_EQ(program.version(), 80u);
  EXPECT_FALSE(program.find("other"));
}

TEST_F(Launch, EveryThreadKnowsItsPlace) {
  EXPECT_EQ(errorOf({{2, 3, 2}, {4, 3, 5}, 16}), "");
  std::vector<uint32_t> places(12 * 60);
  ASSERT_TRUE(memory.read(o, {reinterpret_cast<char *>(places.data()),
                              places.size() * sizeof places[0]}));
  for (unsigned i = 0; i < places.size(); ++i)
    EXPECT_EQ(places[i], i);
}

TEST_F(Launch, DynamicSharedMemoryHasItsBounds) {
  EXPECT_EQ(errorOf({{1, 1, 1}, {1, 1, 1}, 12}),
            "places.ptx:33: st.shared.v4.b32 [dynamic], {%r0, %r0, %r0, %r0}: "
            "out of bounds: write of 16 bytes, in 'dynamic' at byte 0 (block "
            "0,0,0, warp 0, lane 0)");
}

TEST_F(Launch, ShapesAreThoseOfAGpu) {
  EXPECT_EQ(errorOf({{0, 1, 1}, {1, 1, 1}, 16}),
            "expected a grid from 1x1x1 to 2147483647x65535x65535, got 0x1x1");
  EXPECT_EQ(errorOf({{1, 65536, 1}, {1, 1, 1}, 16}),
            "expected a grid from 1x1x1 to 2147483647x65535x65535, got "
            "1x65536x1");
  EXPECT_EQ(errorOf({{1, 1, 1}, {1, 1, 65}, 16}),
            "expected a block from 1x1x1 to 1024x1024x64, got 1x1x65");
  EXPECT_EQ(errorOf({{1, 1, 1}, {64, 32, 1}, 16}),
            "expected at most 1024 threads a block, got 2048");
  EXPECT_EQ(errorOf({{1, 1, 1}, {257, 1, 1}, 16}),
            "expected at most the 256 threads a block that 'places' declares, "
            "got 257");
  EXPECT_EQ(errorOf({{1, 1, 1}, {1, 1, 1}, 163 << 10}),
            "expected at most 166912 bytes of shared memory on sm_80, got 64 "
            "static and 166912 dynamic ones");
}

TEST_F(Launch, ParametersAreThoseOfTheKernel) {
  LaunchShape one{{1, 1, 1}, {1, 1, 1}, 16};
  EXPECT_EQ(errorOf(one, "other"),
            "expected a kernel of places.ptx, got 'other'");
  EXPECT_EQ(errorOf(one, "places", 1),
            "expected 2 parameters for 'places', got 1");
  EXPECT_EQ(errorOf(one, "places", 2, 2),
            "expected 4 bytes for parameter 1 of 'places', got 2");
}
