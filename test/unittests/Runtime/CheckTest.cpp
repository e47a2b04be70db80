//===- CheckTest.cpp - dn_check on valid and hostile arguments ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeKernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace {

std::string lastMessage;

dn_status check(const FakeCall &call) {
  char message[DN_MESSAGE_BYTES] = "not cleared";
  dn_status status =
      dn_check(&call.kernel, &call.args, message, sizeof message);
  lastMessage = message;
  return status;
}

#define EXPECT_VALID(call) EXPECT_EQ(check(call), DN_OK) << lastMessage

/// Makes the call one of a kernel that does not take `operand`.
void dropOperand(FakeCall &call, uint32_t operand) {
  call.kernel.operands &= ~operand;
  if (operand == DN_OPERAND_CU_SEQLENS) {
    call.args.cu_seqlens = nullptr;
    call.args.sequences = 1;
  }
}

const int64_t huge = std::numeric_limits<int64_t>::max();

struct Hostile {
  const char *name;
  dn_status status;
  const char *fragment; ///< of the message
  void (*breakCall)(FakeCall &call);
};

std::ostream &operator<<(std::ostream &os, const Hostile &hostile) {
  return os << hostile.name;
}

const Hostile hostiles[] = {
    // Structs.
    {"ArgsSizeZero", DN_ERROR_ABI, "size: expected 232 to 4096",
     [](FakeCall &c) { c.args.size = 0; }},
    {"ArgsSizeOneShort", DN_ERROR_ABI, "got 231",
     [](FakeCall &c) { c.args.size -= 1; }},
    {"ArgsSizeGarbage", DN_ERROR_ABI, "got 18446744073709551615",
     [](FakeCall &c) { c.args.size = ~uint64_t(0); }},
    {"KernelOtherMajor", DN_ERROR_ABI, "expected ABI major 1, got 2",
     [](FakeCall &c) { c.kernel.abi_major = 2; }},
    {"KernelTruncated", DN_ERROR_ABI, "kernel: expected a descriptor of",
     [](FakeCall &c) { c.kernel.size = 40; }},
    {"KernelUnknownOperand", DN_ERROR_ABI, "operands among 0xf, got 0x8f",
     [](FakeCall &c) { c.kernel.operands |= 0x80; }},
    {"KernelUnknownType", DN_ERROR_ABI, "known element types, got io 99",
     [](FakeCall &c) { c.kernel.io_type = 99; }},
    {"KernelFloatIndices", DN_ERROR_ABI, "index 1",
     [](FakeCall &c) { c.kernel.index_type = DN_TYPE_F32; }},
    {"UnknownFlag", DN_ERROR_FLAGS, "flags: expected bits among 0x1, got 0x2",
     [](FakeCall &c) { c.args.flags = 2; }},
    {"ScaleNaN", DN_ERROR_SCALE, "scale: expected a finite number, got nan",
     [](FakeCall &c) {
       c.args.flags = DN_FLAG_SCALE;
       c.args.scale = NAN;
     }},
    {"ScaleInfinite", DN_ERROR_SCALE, "got -inf",
     [](FakeCall &c) {
       c.args.flags = DN_FLAG_SCALE;
       c.args.scale = -INFINITY;
     }},

    // Counts.
    {"TokensNegative", DN_ERROR_COUNT, "tokens: expected 0 to 2^40, got -1",
     [](FakeCall &c) { c.args.tokens = -1; }},
    {"TokensNotStatic", DN_ERROR_COUNT, "tokens: expected 1, for which",
     [](FakeCall &c) { c.kernel.static_tokens = 1; }},
    {"SequencesNegative", DN_ERROR_COUNT, "sequences: expected 0",
     [](FakeCall &c) { c.args.sequences = -5; }},
    {"TokensTooMany", DN_ERROR_COUNT,
     "tokens: expected 0 to 2^40, got 1099511627777",
     [](FakeCall &c) { c.args.tokens = (int64_t(1) << 40) + 1; }},
    {"SequencesTooMany", DN_ERROR_COUNT,
     "sequences: expected 0 to 2^32, got 4294967297",
     [](FakeCall &c) { c.args.sequences = (int64_t(1) << 32) + 1; }},
    {"SequencesWrap", DN_ERROR_COUNT, "got 9223372036854775807",
     [](FakeCall &c) { c.args.sequences = huge; }},
    {"SequencesWithoutSeqlens", DN_ERROR_COUNT, "expected 1 for a kernel",
     [](FakeCall &c) {
       dropOperand(c, DN_OPERAND_CU_SEQLENS);
       c.args.sequences = 2;
     }},

    // Pointers.
    {"QNull", DN_ERROR_OPERAND, "q: expected a pointer, got null",
     [](FakeCall &c) { c.args.q = nullptr; }},
    {"KNull", DN_ERROR_OPERAND, "k: expected a pointer",
     [](FakeCall &c) { c.args.k = nullptr; }},
    {"VNull", DN_ERROR_OPERAND, "v: expected a pointer",
     [](FakeCall &c) { c.args.v = nullptr; }},
    {"GNull", DN_ERROR_OPERAND, "g: expected a pointer",
     [](FakeCall &c) { c.args.g = nullptr; }},
    {"BetaNull", DN_ERROR_OPERAND, "beta: expected a pointer",
     [](FakeCall &c) { c.args.beta = nullptr; }},
    {"StateInNull", DN_ERROR_OPERAND, "state_in: expected a pointer",
     [](FakeCall &c) { c.args.state_in = nullptr; }},
    {"StateOutNull", DN_ERROR_OPERAND, "state_out: expected a pointer",
     [](FakeCall &c) { c.args.state_out = nullptr; }},
    {"ONull", DN_ERROR_OPERAND, "o: expected a pointer",
     [](FakeCall &c) { c.args.o = nullptr; }},
    {"SeqlensNull", DN_ERROR_OPERAND, "cu_seqlens: expected a pointer",
     [](FakeCall &c) { c.args.cu_seqlens = nullptr; }},
    {"GNotTaken", DN_ERROR_OPERAND, "g: expected null",
     [](FakeCall &c) { dropOperand(c, DN_OPERAND_G); }},
    {"StateInNotTaken", DN_ERROR_OPERAND, "state_in: expected null",
     [](FakeCall &c) { dropOperand(c, DN_OPERAND_STATE_IN); }},
    {"StateOutNotTaken", DN_ERROR_OPERAND, "state_out: expected null",
     [](FakeCall &c) { dropOperand(c, DN_OPERAND_STATE_OUT); }},
    {"SeqlensNotTaken", DN_ERROR_OPERAND, "cu_seqlens: expected null",
     [](FakeCall &c) {
       dropOperand(c, DN_OPERAND_CU_SEQLENS);
       c.args.cu_seqlens = c.cuSeqlens.data();
     }},
    {"QMisaligned", DN_ERROR_ALIGNMENT, "q: expected an address aligned to 2",
     [](FakeCall &c) { c.args.q = (const char *)c.args.q + 1; }},
    {"GMisaligned", DN_ERROR_ALIGNMENT, "g: expected an address aligned to 4",
     [](FakeCall &c) {
       c.args.g = (const float *)((const char *)c.args.g + 2);
     }},
    {"SeqlensMisaligned", DN_ERROR_ALIGNMENT,
     "cu_seqlens: expected an address aligned to 8",
     [](FakeCall &c) {
       c.kernel.index_type = DN_TYPE_I64;
       c.args.cu_seqlens =
           (const void *)(((uintptr_t)c.args.cu_seqlens & ~uintptr_t(7)) + 4);
     }},

    // Strides.
    {"QTokenStrideNegative", DN_ERROR_STRIDE,
     "q_token_stride: expected at least 16 (one row), got -32",
     [](FakeCall &c) { c.args.q_token_stride = -32; }},
    {"QHeadStrideZero", DN_ERROR_STRIDE, "q_head_stride: expected at least 16",
     [](FakeCall &c) { c.args.q_head_stride = 0; }},
    {"VHeadStrideShort", DN_ERROR_STRIDE,
     "v_head_stride: expected at least 32 (one row), got 31",
     [](FakeCall &c) { c.args.v_head_stride = 31; }},
    {"OTokenStrideShort", DN_ERROR_STRIDE,
     "o: expected rows of 32 elements that do not overlap, got token stride "
     "100 "
     "and head stride 32",
     [](FakeCall &c) { c.args.o_token_stride = 100; }},
    {"GTokenStrideShort", DN_ERROR_STRIDE,
     "g_token_stride: expected at least 4 (one row), got 3",
     [](FakeCall &c) { c.args.g_token_stride = 3; }},
    {"UnusedStrideNegative", DN_ERROR_STRIDE,
     "k_token_stride: expected at least 0, got -1",
     [](FakeCall &c) {
       c.args.tokens = 1;
       c.cuSeqlens = {0, 1, 1};
       c.args.cu_seqlens = c.cuSeqlens.data();
       c.args.k_token_stride = -1;
     }},
    {"StateHeadStrideShort", DN_ERROR_STRIDE,
     "state_in_head_stride: expected at least 512",
     [](FakeCall &c) { c.args.state_in_head_stride = 511; }},
    {"StateSequenceStrideInterleaves", DN_ERROR_STRIDE,
     "state_out: expected rows of 512 elements",
     [](FakeCall &c) { c.args.state_out_sequence_stride = 600; }},

    // Extents.
    {"TokensOverflow", DN_ERROR_EXTENT, "q: expected to end inside",
     [](FakeCall &c) {
       c.args.tokens = int64_t(1) << 40;
       c.args.q_token_stride = huge / 4;
     }},
    {"StrideOverflow", DN_ERROR_EXTENT, "v: expected to end inside",
     [](FakeCall &c) { c.args.v_token_stride = huge / 4; }},
    {"HeadStrideOverflow", DN_ERROR_EXTENT, "k: expected to end inside",
     [](FakeCall &c) { c.args.k_head_stride = huge; }},
    {"AddressWraps", DN_ERROR_EXTENT, "beta: expected to end inside",
     [](FakeCall &c) { c.args.beta = (const float *)~uintptr_t(63); }},
    {"SequencesOverflow", DN_ERROR_EXTENT, "state_in: expected to end inside",
     [](FakeCall &c) {
       c.args.sequences = int64_t(1) << 32;
       c.args.state_in_sequence_stride = huge / 4;
     }},

    // cu_seqlens.
    {"Case30_SeqlensStart", DN_ERROR_SEQLENS,
     "cu_seqlens[0]: expected 0, got 1",
     [](FakeCall &c) { c.cuSeqlens[0] = 1; }},
    {"Case30_SeqlensNotMonotone", DN_ERROR_SEQLENS,
     "cu_seqlens[2]: expected 5 to 8 (monotone, at most tokens), got 4",
     [](FakeCall &c) {
       c.cuSeqlens[1] = 5;
       c.cuSeqlens[2] = 4;
     }},
    {"Case30_SeqlensEnd", DN_ERROR_SEQLENS,
     "cu_seqlens[2]: expected 3 to 8 (monotone, at most tokens), got 9",
     [](FakeCall &c) { c.cuSeqlens[2] = 9; }},
    {"SeqlensNegative", DN_ERROR_SEQLENS, "cu_seqlens[1]: expected 0 to 8",
     [](FakeCall &c) { c.cuSeqlens[1] = -1; }},

    // Workspace.
    {"WorkspaceNull", DN_ERROR_WORKSPACE,
     "workspace: expected 512 bytes, got null",
     [](FakeCall &c) { c.args.workspace = nullptr; }},
    {"WorkspaceShort", DN_ERROR_WORKSPACE,
     "workspace_bytes: expected at least 512, got 511",
     [](FakeCall &c) { c.args.workspace_bytes = 511; }},
    {"WorkspaceMisaligned", DN_ERROR_WORKSPACE,
     "workspace: expected an address aligned to 64",
     [](FakeCall &c) { c.args.workspace = (char *)c.args.workspace + 32; }},

    // Overlap.
    {"OIsV", DN_ERROR_OVERLAP,
     "o: expected memory of its own, got an overlap with v",
     [](FakeCall &c) { c.args.o = const_cast<void *>(c.args.v); }},
    {"OLastElement", DN_ERROR_OVERLAP, "o: expected memory of its own",
     [](FakeCall &c) { c.args.v = c.o.data() + c.o.size() - 1; }},
    {"StateOutPartlyIn", DN_ERROR_OVERLAP,
     "state_out: expected memory of its own, got an overlap with state_in",
     [](FakeCall &c) { c.args.state_in = c.stateOut.data() + 512; }},
    {"StateOutOtherStrides", DN_ERROR_OVERLAP, "an overlap with state_in",
     [](FakeCall &c) {
       c.args.state_in = c.args.state_out;
       c.args.state_in_sequence_stride += 16;
     }},
    {"StateOutInO", DN_ERROR_OVERLAP, "state_out: expected memory of its own",
     [](FakeCall &c) { c.args.o = c.stateOut.data() + 8; }},
    {"WorkspaceInState", DN_ERROR_OVERLAP,
     "workspace: expected memory of its own, got an overlap with state_in",
     [](FakeCall &c) {
       c.args.workspace =
           (void *)(((uintptr_t)c.stateIn.data() + 63) & ~uintptr_t(63));
     }},
    {"SeqlensInO", DN_ERROR_OVERLAP, "an overlap with cu_seqlens",
     [](FakeCall &c) {
       memcpy(c.o.data(), c.cuSeqlens.data(), 3 * sizeof(int32_t));
       c.args.cu_seqlens = c.o.data();
     }},
};

class HostileTest : public testing::TestWithParam<Hostile> {};

TEST_P(HostileTest, IsRefusedWithText) {
  FakeCall call;
  ASSERT_EQ(check(call), DN_OK) << lastMessage;
  GetParam().breakCall(call);
  EXPECT_EQ(check(call), GetParam().status) << lastMessage;
  EXPECT_NE(lastMessage.find(GetParam().fragment), std::string::npos)
      << lastMessage;
  // The same verdict without a place for the text, or with a tiny one.
  EXPECT_EQ(dn_check(&call.kernel, &call.args, nullptr, 0), GetParam().status);
  char tiny[4] = "xyz";
  EXPECT_EQ(dn_check(&call.kernel, &call.args, tiny, sizeof tiny),
            GetParam().status);
  EXPECT_EQ(strlen(tiny), 3u);
}

INSTANTIATE_TEST_SUITE_P(Check, HostileTest, testing::ValuesIn(hostiles),
                         [](const testing::TestParamInfo<Hostile> &info) {
                           return info.param.name;
                         });

TEST(CheckTest, NullStructs) {
  FakeCall call;
  char message[DN_MESSAGE_BYTES];
  EXPECT_EQ(dn_check(nullptr, &call.args, message, sizeof message),
            DN_ERROR_ABI);
  EXPECT_STREQ(message, "kernel: expected one, got null");
  EXPECT_EQ(dn_check(&call.kernel, nullptr, message, sizeof message),
            DN_ERROR_ABI);
  EXPECT_STREQ(message, "args: expected some, got null");
}

TEST(CheckTest, LaterFieldsMustBeZero) {
  FakeCall call;
  struct {
    dn_args args;
    uint64_t appended;
  } later = {call.args, 0};
  later.args.size = sizeof later;
  char message[DN_MESSAGE_BYTES];
  EXPECT_EQ(dn_check(&call.kernel, &later.args, message, sizeof message), DN_OK)
      << message;
  later.appended = uint64_t(1) << 40;
  EXPECT_EQ(dn_check(&call.kernel, &later.args, message, sizeof message),
            DN_ERROR_ABI);
  EXPECT_STREQ(message, "args: expected zero behind byte 232, got a field of "
                        "a later ABI at byte 237");
}

TEST(CheckTest, StateMayBeUpdatedInPlace) {
  FakeCall call;
  call.args.state_in = call.args.state_out;
  EXPECT_VALID(call);
}

TEST(CheckTest, BothMemoryOrders) {
  FakeCall call; // [H,T,K] instead of [T,H,K]
  call.args.q_token_stride = 16;
  call.args.q_head_stride = 16 * 8;
  call.args.o_token_stride = 32;
  call.args.o_head_stride = 32 * 8;
  call.args.state_in_sequence_stride = 512;
  call.args.state_in_head_stride = 512 * 2;
  EXPECT_VALID(call);
}

TEST(CheckTest, Case33_ViewsOfPackedProjection) {
  // One row a token: q | k | v, and the output goes to the same buffer.
  FakeCall call;
  const int64_t width = 2 * 16 + 2 * 16 + 4 * 32 + 4 * 32;
  std::vector<uint16_t> packed(8 * width);
  call.args.q = &packed[0];
  call.args.k = &packed[32];
  call.args.v = &packed[64];
  call.args.o = &packed[192];
  call.args.q_token_stride = call.args.k_token_stride = width;
  call.args.v_token_stride = call.args.o_token_stride = width;
  EXPECT_VALID(call);

  call.args.o = &packed[191];
  EXPECT_EQ(check(call), DN_ERROR_OVERLAP);
}

TEST(CheckTest, Case28_EmptySequences) {
  FakeCall call;
  std::vector<int32_t> cu = {0, 0, 5, 5, 8};
  std::vector<float> in(4 * 4 * 512), out(4 * 4 * 512);
  call.args.cu_seqlens = cu.data();
  call.args.sequences = 4;
  call.args.state_in = in.data();
  call.args.state_out = out.data();
  EXPECT_VALID(call);
}

TEST(CheckTest, Case30_TailBehindLastSequence) {
  FakeCall call;
  call.cuSeqlens = {0, 3, 6};
  call.args.cu_seqlens = call.cuSeqlens.data();
  EXPECT_VALID(call);
}

TEST(CheckTest, LongIndices) {
  FakeCall call;
  std::vector<int64_t> cu = {0, 3, 8};
  call.kernel.index_type = DN_TYPE_I64;
  call.args.cu_seqlens = cu.data();
  EXPECT_VALID(call);
  cu[2] = int64_t(1) << 32; // 0 if read as i32
  EXPECT_EQ(check(call), DN_ERROR_SEQLENS);
}

TEST(CheckTest, EmptyCallsMayHaveNullTensors) {
  FakeCall call;
  int32_t zero = 0;
  dn_args args = {};
  args.size = sizeof args;
  args.cu_seqlens = &zero;
  call.args = args;
  EXPECT_VALID(call);
}

TEST(CheckTest, NoTokensLeaveTheState) {
  FakeCall call;
  call.cuSeqlens = {0, 0, 0};
  call.args.cu_seqlens = call.cuSeqlens.data();
  call.args.tokens = 0;
  call.args.q = call.args.k = call.args.v = nullptr;
  EXPECT_VALID(call);
  call.args.state_in = nullptr;
  EXPECT_EQ(check(call), DN_ERROR_OPERAND);
}

TEST(CheckTest, Case37_StridesBeyondInt32) {
  FakeCall call;
  call.args.q_token_stride = (int64_t(1) << 31) + 64;
  // 32 GB that hold none of the other operands; q is not read.
  call.args.q = reinterpret_cast<const void *>(uintptr_t(1) << 56);
  EXPECT_VALID(call);
}

TEST(CheckTest, ScaleIsOnlyReadWithItsFlag) {
  FakeCall call;
  call.args.scale = NAN;
  EXPECT_VALID(call);
  call.args.scale = 0.5f;
  call.args.flags = DN_FLAG_SCALE;
  EXPECT_VALID(call);
}

TEST(StatusTest, EveryStatusHasAText) {
  for (int i = DN_OK; i <= DN_ERROR_MEMORY; ++i)
    EXPECT_STRNE(dn_status_string(dn_status(i)), "unknown status") << i;
  EXPECT_STREQ(dn_status_string(dn_status(999)), "unknown status");
}

} // namespace
