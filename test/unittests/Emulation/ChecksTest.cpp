//===- ChecksTest.cpp - What is found in emulated functions ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AssembledCode.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::deltanet::emulation;

using Texts = std::vector<std::string>;

namespace {
class ChecksTest : public AssembledCodeTest {};
} // namespace

TEST_F(ChecksTest, passesArgumentsAndReturnsRax) {
  CallResult result = run("movl $0, %eax\n"
                          "leaq (%rax,%rdi), %rax\n"
                          "imulq $10, %rax, %rax; addq %rsi, %rax\n"
                          "imulq $10, %rax, %rax; addq %rdx, %rax\n"
                          "imulq $10, %rax, %rax; addq %rcx, %rax\n"
                          "imulq $10, %rax, %rax; addq %r8, %rax\n"
                          "imulq $10, %rax, %rax; addq %r9, %rax\n"
                          "imulq $10, %rax, %rax; addq 8(%rsp), %rax\n"
                          "imulq $10, %rax, %rax; addq 16(%rsp), %rax\n",
                          {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(textsOf(result), Texts());
  EXPECT_TRUE(result.returned);
  EXPECT_EQ(result.value, 12345678u);
}

TEST_F(ChecksTest, cleanAccessesAreSilent) {
  int32_t *in = array<int32_t>("in", {1, 2, 3, 4, 5}, Permission::Read);
  int32_t *out = array<int32_t>("out", {0, 0, 0, 0, 0});
  CallResult result = run("movl 16(%rdi), %eax; movl %eax, (%rsi)\n"
                          "movl (%rdi), %eax; movl %eax, 16(%rsi)\n"
                          "pushq %rbx; popq %rbx\n",
                          {argument(in), argument(out)});
  EXPECT_EQ(textsOf(result), Texts());
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[4], 1);
  EXPECT_EQ(result.stackBytes, 8u);
}

TEST_F(ChecksTest, readOverTheEnd) {
  char *in =
      machine->memory().allocate("in", 100, Permission::Read, 64, Flush::Left);
  CallResult result = run("movups 92(%rdi), %xmm0", {argument(in)});
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: movups 92(%rdi), %xmm0: out of bounds: read of 16 "
                  "bytes, to 8 bytes after 'in'"});
  EXPECT_EQ(result.findings[0].kind, FindingKind::OutOfBounds);
}

TEST_F(ChecksTest, readOverTheEndAndThePage) {
  char *in = array<char>("in", std::vector<char>(100), Permission::Read);
  CallResult result = run("movups 92(%rdi), %xmm0", {argument(in)});
  // An access to two pages is two accesses.
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: movups 92(%rdi), %xmm0: out of bounds: read of 8 "
                  "bytes, 0 bytes after 'in'"});
}

TEST_F(ChecksTest, writeAfterTheEndIntoTheGuardPage) {
  char *out = array<char>("out", std::vector<char>(64));
  CallResult result = run("movl $1, 64(%rdi)", {argument(out)});
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: movl $1, 64(%rdi): out of bounds: write of 4 "
                  "bytes, 0 bytes after 'out'"});
}

TEST_F(ChecksTest, writeAfterTheEndWithinThePage) {
  char *out = machine->memory().allocate("out", 100, Permission::ReadWrite, 64,
                                         Flush::Left);
  CallResult result = run("movl $1, 104(%rdi)", {argument(out)});
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: movl $1, 104(%rdi): out of bounds: write of 4 "
                  "bytes, 4 bytes after 'out'"});
  EXPECT_EQ(out[104], 0);
}

TEST_F(ChecksTest, readBeforeTheBegin) {
  for (Flush flush : {Flush::Left, Flush::Right}) {
    char *in =
        machine->memory().allocate("in", 100, Permission::Read, 64, flush);
    CallResult result = run("movq -8(%rdi), %rax", {argument(in)});
    EXPECT_EQ(textsOf(result),
              Texts{"code+0x0: movq -8(%rdi), %rax: out of bounds: read of 8 "
                    "bytes, 8 bytes before 'in'"});
    machine->memory().release(in);
  }
}

TEST_F(ChecksTest, accessOverTheBegin) {
  char *in = array<char>("in", std::vector<char>(100), Permission::Read);
  CallResult result = run("movq -4(%rdi), %rax", {argument(in)});
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: movq -4(%rdi), %rax: out of bounds: read of 8 "
                  "bytes, from 4 bytes before 'in'"});
}

TEST_F(ChecksTest, accessFarFromBuffers) {
  EXPECT_EQ(textsOf(run("movq 16, %rax")),
            Texts{"code+0x0: movq 16, %rax: out of bounds: read of 8 bytes, at "
                  "address 0x10, near no buffer"});
}

TEST_F(ChecksTest, repeatedStringInstructionBeyondTheEnd) {
  char *in = array<char>("in", std::vector<char>(32, 7), Permission::Read);
  char *out = machine->memory().allocate("out", 24, Permission::ReadWrite, 64,
                                         Flush::Left);
  CallResult result = run("movq %rdi, %rcx; movq %rsi, %rdi; movq %rcx, %rsi\n"
                          "movl $32, %ecx; rep movsb",
                          {argument(in), argument(out)});
  EXPECT_EQ(
      textsOf(result),
      Texts{"code+0xe: rep movsb (%rsi), %es:(%rdi): out of bounds: write "
            "of 1 bytes, 0 bytes after 'out'"});
}

TEST_F(ChecksTest, writeIntoReadOnlyBuffer) {
  int32_t *in = array<int32_t>("in", {5}, Permission::Read);
  CallResult result = run("addl $1, (%rdi)", {argument(in)});
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: addl $1, (%rdi): read-only: write of 4 bytes, at "
                  "byte 0 of 'in'"});
  EXPECT_EQ(result.findings[0].kind, FindingKind::ReadOnly);
  EXPECT_EQ(in[0], 5);
}

TEST_F(ChecksTest, writeIntoCode) {
  CallResult result = run("leaq (%rip), %rax; movb $0, (%rax)");
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x7: movb $0, (%rax): read-only: write of 1 bytes, at "
                  "byte 7 of 'code'"});
}

TEST_F(ChecksTest, readOfUninitialisedBytes) {
  char *scratch = array<char>("scratch", std::vector<char>(64));
  machine->memory().markUninitialised(scratch, 64);
  // Only what was written may be read; the loop reads twice, found once.
  CallResult result = run("movl $1, (%rdi); movl (%rdi), %eax\n"
                          "movl $2, %ecx\n"
                          "1: movq (%rdi), %rax; decl %ecx; jnz 1b",
                          {argument(scratch)});
  EXPECT_EQ(
      textsOf(result),
      Texts{"code+0xd: movq (%rdi), %rax: uninitialised: read of 8 bytes, "
            "at byte 0 of 'scratch'"});
  EXPECT_EQ(result.findings[0].kind, FindingKind::Uninitialised);
  // Written by the first call, so initialised for the second.
  EXPECT_EQ(textsOf(run("movl (%rdi), %eax", {argument(scratch)})), Texts());
  machine->memory().markInitialised(scratch + 8, 8);
  EXPECT_EQ(textsOf(run("movq 8(%rdi), %rax", {argument(scratch)})), Texts());
}

TEST_F(ChecksTest, modifyingUninitialisedBytesReadsThem) {
  int32_t *scratch = array<int32_t>("scratch", {0});
  machine->memory().markUninitialised(scratch, 4);
  EXPECT_EQ(textsOf(run("addl $1, (%rdi)", {argument(scratch)})),
            Texts{"code+0x0: addl $1, (%rdi): uninitialised: read of 4 bytes, "
                  "at byte 0 of 'scratch'"});
}

TEST_F(ChecksTest, readOfUninitialisedStack) {
  EXPECT_EQ(textsOf(run("movq -16(%rsp), %rax")),
            Texts{"code+0x0: movq -16(%rsp), %rax: uninitialised: read of 8 "
                  "bytes, at byte 1048552 of 'the stack'"});
}

TEST_F(ChecksTest, readBeyondStackArguments) {
  EXPECT_EQ(textsOf(run("movq 8(%rsp), %rax")),
            Texts{"code+0x0: movq 8(%rsp), %rax: out of bounds: read of 8 "
                  "bytes, 0 bytes after 'the stack'"});
}

TEST_F(ChecksTest, calleeSavedRegisters) {
  for (const char *name : {"rbx", "rbp", "r12", "r13", "r14", "r15"}) {
    std::string reg = std::string("%") + name;
    EXPECT_EQ(textsOf(run("pushq " + reg + "; movl $0, %eax; movq %rax, " +
                          reg + "; popq " + reg)),
              Texts());
    EXPECT_EQ(textsOf(run("xorl %eax, %eax; movq %rax, " + reg)),
              Texts{std::string("code+0x0: callee-saved: ") + name +
                    " is not restored"});
  }
}

TEST_F(ChecksTest, stackPointer) {
  EXPECT_EQ(textsOf(run("popq %rax; addq $-8, %rsp; pushq %rax; ret $16")),
            Texts{"code+0x0: callee-saved: rsp is not restored"});
}

TEST_F(ChecksTest, directionFlag) {
  EXPECT_EQ(textsOf(run("std; cld")), Texts());
  EXPECT_EQ(textsOf(run("std")),
            Texts{"code+0x0: callee-saved: the direction flag is set"});
}

TEST_F(ChecksTest, controlBitsOfMxcsr) {
  const char *flushToZero = "stmxcsr -4(%rsp); orl $0x8040, -4(%rsp)\n"
                            "ldmxcsr -4(%rsp)\n";
  const char *restore = "andl $0xffff7fbf, -4(%rsp); ldmxcsr -4(%rsp)\n";
  EXPECT_EQ(textsOf(run(std::string(flushToZero) + restore)), Texts());
  EXPECT_EQ(textsOf(run(flushToZero)),
            Texts{"code+0x0: callee-saved: expected MXCSR 0x1f80, got 0x9fc0"});
  // Sticky flags are no one's.
  EXPECT_EQ(textsOf(run("movl $3, %eax; cvtsi2ss %eax, %xmm0\n"
                        "sqrtss %xmm0, %xmm0")),
            Texts());
}

TEST_F(ChecksTest, tilesLeftConfigured) {
  std::vector<uint8_t> config(64);
  config[0] = 1;
  config[16] = 64;
  config[48] = 16;
  uint8_t *memory = array<uint8_t>("config", config, Permission::Read);
  EXPECT_EQ(textsOf(run("ldtilecfg (%rdi); tilerelease", {argument(memory)})),
            Texts());
  CallResult result = run("ldtilecfg (%rdi)", {argument(memory)});
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: tiles are left configured: expected TILERELEASE"});
  EXPECT_EQ(result.findings[0].kind, FindingKind::TilesConfigured);
}

TEST_F(ChecksTest, stackDepth) {
  CallOptions options;
  options.stackLimit = 64;
  EXPECT_EQ(textsOf(run("movq %rax, -64(%rsp)", {}, options)), Texts());
  CallResult result = run("movq %rax, -72(%rsp)", {}, options);
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: stack: expected at most 64 bytes, got 72"});
  EXPECT_EQ(result.stackBytes, 72u);
}

TEST_F(ChecksTest, instructionLimit) {
  CallOptions options;
  options.instructionLimit = 1000;
  const char *loop = "movl $333, %ecx; 1: nop; decl %ecx; jnz 1b";
  EXPECT_EQ(textsOf(run(loop, {}, options)),
            Texts{"code+0xa: retq: expected at most 1000 instructions, got "
                  "more"});
  options.instructionLimit = 1001;
  CallResult result = run(loop, {}, options);
  EXPECT_EQ(textsOf(result), Texts());
  EXPECT_EQ(result.counts.total, 1001u);
}

TEST_F(ChecksTest, illegalInstruction) {
  CallResult result = run("ud2");
  EXPECT_EQ(textsOf(result),
            Texts{"code+0x0: ud2: illegal instruction: expected one that the "
                  "CPU model has"});
  EXPECT_EQ(result.findings[0].kind, FindingKind::IllegalInstruction);
}

TEST_F(ChecksTest, misalignedAccess) {
  char *out = array<char>("out", std::vector<char>(64));
  EXPECT_EQ(textsOf(run("movaps %xmm0, 8(%rdi)", {argument(out)})),
            Texts{"code+0x0: movaps %xmm0, 8(%rdi): general protection: a "
                  "misaligned or privileged access"});
}

TEST_F(ChecksTest, division) {
  EXPECT_EQ(textsOf(run("xorl %eax, %eax; xorl %edx, %edx; divl %eax")),
            Texts{"code+0x4: divl %eax: exception 0 of the processor, error "
                  "code 0"});
}

TEST_F(ChecksTest, jumpToNowhere) {
  EXPECT_EQ(textsOf(run("xorl %eax, %eax; jmpq *%rax")),
            Texts{"0x0: no instruction: jump to 0x0, where there is no code"});
}

TEST_F(ChecksTest, callOfALibrary) {
  // As a compiler calls: aligned, and with the function's address in rdi.
  auto *function = static_cast<int (*)(int)>(&std::abs);
  CallResult result = run("subq $8, %rsp; callq *%rdi; addq $8, %rsp",
                          {reinterpret_cast<uint64_t>(function)});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_FALSE(result.returned);
  EXPECT_TRUE(llvm::StringRef(result.findings[0].what)
                  .ends_with("(abs), where there is no code, returning to "
                             "code+0x6"))
      << result.findings[0].what;
}

TEST_F(ChecksTest, jumpIntoData) {
  char *data = array<char>("data", std::vector<char>(64));
  CallResult result = run("jmpq *%rdi", {argument(data)});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].place, "data+0x0");
}

TEST_F(ChecksTest, aMachineGoesOnAfterFindings) {
  EXPECT_EQ(run("ud2").findings.size(), 1u);
  EXPECT_EQ(run("movq 0, %rax").findings.size(), 1u);
  CallResult result = run("movl $7, %eax");
  EXPECT_EQ(textsOf(result), Texts());
  EXPECT_EQ(result.value, 7u);
}

TEST_F(ChecksTest, releasedBuffersAreOutOfBounds) {
  int32_t *in = array<int32_t>("in", {5}, Permission::Read);
  EXPECT_EQ(textsOf(run("movl (%rdi), %eax", {argument(in)})), Texts());
  machine->memory().release(in);
  CallResult result = run("movl (%rdi), %eax", {argument(in)});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::OutOfBounds);
}

TEST_F(ChecksTest, sharedMemoryIsKnownToTheByte) {
  alignas(64) char block[64] = {};
  machine->memory().share("middle", block + 16, 16, Permission::ReadWrite);
  EXPECT_EQ(textsOf(run("movb $3, 15(%rdi)", {argument(block + 16)})), Texts());
  EXPECT_EQ(block[31], 3);
  EXPECT_EQ(textsOf(run("movb $3, 16(%rdi)", {argument(block + 16)})),
            Texts{"code+0x0: movb $3, 16(%rdi): out of bounds: write of 1 "
                  "bytes, 0 bytes after 'middle'"});
  EXPECT_EQ(block[32], 0);
  machine->memory().release(block + 16);
}

TEST_F(ChecksTest, oneMachineAtATime) {
  auto second = Machine::create();
  ASSERT_FALSE(bool(second));
  EXPECT_EQ(llvm::toString(second.takeError()),
            "emulator: expected one machine at a time, got a second");
}
