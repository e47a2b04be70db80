//===- RampCall.h - Runs the kernel of Inputs/KernelLibrary.c -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_RUNTIME_RAMPCALL_H
#define DELTANET_UNITTESTS_RUNTIME_RAMPCALL_H

#include "deltanet-c/runtime.h"

#include <gtest/gtest.h>

#include <vector>

/// Selects, checks and runs the kernel "ramp" of a loaded library.
inline void expectRampRuns(const dn_library *library) {
  const dn_kernel_set *set = dn_library_find(library, "ramp");
  ASSERT_NE(set, nullptr);
  dn_selection chosen;
  ASSERT_EQ(dn_select(set, &chosen), DN_OK) << chosen.reason;
  EXPECT_STREQ(chosen.reason, "generic chosen");

  std::vector<float> q(5 * 16), k(5 * 16), v(5 * 16), beta(5), o(5 * 16, -1.f);
  dn_args args = {};
  args.size = sizeof args;
  args.q = q.data();
  args.k = k.data();
  args.v = v.data();
  args.beta = beta.data();
  args.o = o.data();
  args.tokens = 5;
  args.sequences = 1;
  args.q_token_stride = args.k_token_stride = 16;
  args.v_token_stride = args.o_token_stride = 16;
  args.beta_token_stride = 1;
  char message[DN_MESSAGE_BYTES];
  ASSERT_EQ(dn_check(chosen.kernel, &args, message, sizeof message), DN_OK)
      << message;
  ASSERT_EQ(dn_run(chosen.kernel, &args, nullptr), DN_OK);
  for (int t = 0; t < 5; ++t)
    for (int c = 0; c < 16; ++c)
      EXPECT_EQ(o[t * 16 + c], float(t));
}

#endif // DELTANET_UNITTESTS_RUNTIME_RAMPCALL_H
