//===- DeviceCheckTest.cpp - Validation of calls and variants for GPUs ----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeGpuKernel.h"
#include "FakeKernel.h"
extern "C" {
#include "abi/GpuVariant.h"
}

#include <cmath>
#include <functional>

namespace {

class DeviceCheckTest : public testing::Test {
protected:
  void expectCheck(dn_status status, const std::string &text) {
    EXPECT_EQ(dn_cuda_check(&gdn.kernel, &call.args, message, sizeof message),
              status);
    EXPECT_EQ(message, text);
  }

  FakeGpuKernel gdn{90, true};
  FakeCall call;
  char message[DN_MESSAGE_BYTES];
};

TEST_F(DeviceCheckTest, ReadsNoDeviceMemory) {
  // Addresses of a device: to touch one would end the test.
  uintptr_t next = 0x7f0000000000;
  auto take = [&](auto *&pointer) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(
        next += 1 << 20);
  };
  dn_args &args = call.args;
  take(args.q);
  take(args.k);
  take(args.v);
  take(args.g);
  take(args.beta);
  take(args.state_in);
  take(args.cu_seqlens);
  take(args.o);
  take(args.state_out);
  take(args.workspace);
  expectCheck(DN_OK, "");
}

TEST_F(DeviceCheckTest, FindsWhatTheCpuFinds) {
  // Each is set right again: one rule after the other speaks.
  dn_args &args = call.args;
  dn_args valid = args;
  auto refuses = [&](dn_status status, const char *text,
                     const std::function<void()> &spoil) {
    spoil();
    expectCheck(status, text);
    args = valid;
  };
  refuses(DN_ERROR_FLAGS, "flags: expected bits among 0x1, got 0x8",
          [&] { args.flags = 8; });
  refuses(DN_ERROR_SCALE, "scale: expected a finite number, got inf", [&] {
    args.flags = DN_FLAG_SCALE;
    args.scale = INFINITY;
  });
  refuses(DN_ERROR_COUNT, "tokens: expected 0 to 2^40, got -1",
          [&] { args.tokens = -1; });
  refuses(DN_ERROR_OPERAND, "beta: expected a pointer, got null",
          [&] { args.beta = nullptr; });
  refuses(DN_ERROR_STRIDE,
          "q_head_stride: expected at least 16 (one row), got 15",
          [&] { args.q_head_stride = 15; });
  refuses(DN_ERROR_WORKSPACE, "workspace_bytes: expected at least 512, got 511",
          [&] { args.workspace_bytes = 511; });
  refuses(DN_ERROR_OVERLAP,
          "o: expected memory of its own, got an overlap with v",
          [&] { args.o = const_cast<void *>(args.v); });
  refuses(DN_ERROR_ABI, "size: expected 232 to 4096 (sizeof(dn_args)), got 0",
          [&] { args.size = 0; });
  expectCheck(DN_OK, "");
}

TEST_F(DeviceCheckTest, CallersOfALaterMinor) {
  struct {
    dn_args args;
    uint64_t appended;
  } later = {call.args, 0};
  later.args.size = sizeof later;
  EXPECT_EQ(dn_cuda_check(&gdn.kernel, &later.args, message, sizeof message),
            DN_OK)
      << message;
}

TEST_F(DeviceCheckTest, CpusRefuseVariantsForGpus) {
  EXPECT_EQ(dn_check(&gdn.kernel, &call.args, message, sizeof message),
            DN_ERROR_ISA);
  EXPECT_STREQ(message,
               "kernel: expected a variant for CPUs, got one for sm_90a");
  EXPECT_EQ(dn_run(&gdn.kernel, &call.args, nullptr), DN_ERROR_ISA);
  dn_pool *pool = dn_pool_create(1);
  EXPECT_EQ(dn_run(&gdn.kernel, &call.args, pool), DN_ERROR_ISA);
  dn_pool_destroy(pool);
  EXPECT_EQ(dn_isa_check(gdn.kernel.isa, message, sizeof message),
            DN_ERROR_ISA);
  EXPECT_STREQ(message, "for GPUs");
  EXPECT_EQ(dn_isa_name(gdn.kernel.isa), nullptr);
}

TEST_F(DeviceCheckTest, GpusRefuseVariantsForCpus) {
  gdn.kernel.isa = DN_ISA_AMX;
  expectCheck(DN_ERROR_ISA,
              "kernel: expected a variant for GPUs, got level 4 of CPUs");
}

TEST_F(DeviceCheckTest, BrokenVariants) {
  auto refuses = [&](const std::function<void(FakeGpuKernel &)> &spoil,
                     const std::string &text) {
    FakeGpuKernel broken(90);
    EXPECT_EQ(dn_gpu_check(&broken.kernel, {nullptr, 0}), DN_OK);
    spoil(broken);
    EXPECT_EQ(
        dn_gpu_check(&broken.kernel, dn_message_begin(message, sizeof message)),
        DN_ERROR_ABI);
    EXPECT_EQ(message, text);
  };
  refuses([](auto &x) { x.kernel.abi_major = 2; },
          "kernel: expected ABI major 1, got 2");
  refuses([](auto &x) { x.kernel.cuda = nullptr; },
          "kernel: expected code for GPUs, got none");
  // A descriptor of minor 0 ends before the field.
  refuses([](auto &x) { x.kernel.size = offsetof(dn_kernel, cuda); },
          "kernel: expected code for GPUs, got none");
  refuses([](auto &x) { x.code.size -= 8; },
          "kernel: expected code for GPUs of at least 56 bytes, got 48");
  refuses([](auto &x) { x.code.chip = 80; },
          "kernel: expected level 65616, as its code is for sm_80, got 65626");
  refuses([](auto &x) { x.code.args_size = sizeof(dn_args) - 8; },
          "kernel: expected arguments of 232 to 4096 bytes, got 224");
  refuses([](auto &x) { x.code.args_size = 4097; },
          "kernel: expected arguments of 232 to 4096 bytes, got 4097");
  refuses([](auto &x) { x.code.ptx = nullptr; },
          "kernel: expected PTX that ends with a zero byte, got null");
  refuses([](auto &x) { x.code.ptx_bytes = 0; },
          "kernel: expected PTX that ends with a zero byte, got none there");
  refuses([](auto &x) { --x.code.ptx_bytes; },
          "kernel: expected PTX that ends with a zero byte, got none there");
  refuses([](auto &x) { x.kernel.stages = 0; },
          "kernel: expected at least one stage, got none");
  refuses([](auto &x) { x.code.stages = nullptr; },
          "kernel: expected at least one stage, got null");
  refuses([](auto &x) { x.stages[1].entry = nullptr; },
          "kernel: expected stage 1 to name its function, got none");
  refuses([](auto &x) { x.stages[1].entry = ""; },
          "kernel: expected stage 1 to name its function, got none");
  refuses([](auto &x) { x.stages[0].threads = 0; },
          "kernel: expected stage 0 to have 1 to 1024 threads, got 0");
  refuses([](auto &x) { x.stages[0].threads = 1025; },
          "kernel: expected stage 0 to have 1 to 1024 threads, got 1025");
}

} // namespace
