//===- EarlierAbiTest.cpp - Libraries of an earlier ABI minor -------------===//
//
// Part of the Delta-Net project.
//
// This test and its copy of the runtime are compiled against a kernel_abi.h of
// the next minor, in which every struct has grown; the library is of this one.
//
//===----------------------------------------------------------------------===//
#include "RampCall.h"
#include "deltanet-c/cuda.h"

namespace {

TEST(EarlierAbiTest, LoadsAndRuns) {
  dn_loaded_library loaded;
  char message[DN_MESSAGE_BYTES];
  ASSERT_EQ(dn_library_open(KERNELS_EARLIER, &loaded, message, sizeof message),
            DN_OK)
      << message;
  EXPECT_EQ(loaded.library->abi_minor + 1, DN_ABI_MINOR);
  EXPECT_LT(loaded.library->size, sizeof(dn_library));
  EXPECT_LT(loaded.library->kernels[0]->size, sizeof(dn_kernel_set));
  EXPECT_LT(loaded.library->kernels[0]->variants[0]->size, sizeof(dn_kernel));
  expectRampRuns(loaded.library);
  dn_library_close(&loaded);
}

TEST(EarlierAbiTest, ArgumentsOfAnEarlierCallerAreAccepted) {
  dn_loaded_library loaded;
  ASSERT_EQ(dn_library_open(KERNELS_EARLIER, &loaded, nullptr, 0), DN_OK);
  const dn_kernel *kernel = loaded.library->kernels[0]->variants[1];
  dn_args args = {};
  args.size = sizeof args - sizeof args.appended;
  args.appended = ~uint64_t(0); // not the caller's
  args.sequences = 1;
  char message[DN_MESSAGE_BYTES];
  EXPECT_EQ(dn_check(kernel, &args, message, sizeof message), DN_OK) << message;
  args.size -= 1;
  EXPECT_EQ(dn_check(kernel, &args, message, sizeof message), DN_ERROR_ABI);
  dn_library_close(&loaded);
}

TEST(EarlierAbiTest, ArgumentsThatAKernelForGpusDoesNotTakeAreRefused) {
  dn_loaded_library loaded;
  ASSERT_EQ(dn_library_open(KERNELS_EARLIER, &loaded, nullptr, 0), DN_OK);
  const dn_kernel *kernel = loaded.library->kernels[0]->variants[0];
  ASSERT_EQ(kernel->cuda->args_size, sizeof(dn_args) - sizeof(uint64_t));
  dn_args args = {};
  args.size = sizeof args;
  args.sequences = 1;
  char message[DN_MESSAGE_BYTES];
  EXPECT_EQ(dn_cuda_check(kernel, &args, message, sizeof message), DN_OK)
      << message;
  args.appended = 1;
  EXPECT_EQ(dn_cuda_check(kernel, &args, message, sizeof message),
            DN_ERROR_ABI);
  EXPECT_STREQ(message, "args: expected zero behind byte 232, where the "
                        "kernel's end, got a field of a later ABI at byte 232");
  // Others are not the caller's.
  args.size -= sizeof args.appended;
  EXPECT_EQ(dn_cuda_check(kernel, &args, message, sizeof message), DN_OK)
      << message;
  dn_library_close(&loaded);
}

} // namespace
