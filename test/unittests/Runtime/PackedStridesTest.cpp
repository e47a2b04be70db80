//===- PackedStridesTest.cpp - dn_set_packed_strides ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeKernel.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

TEST(PackedStridesTest, AreThoseOfCOrder) {
  FakeCall call; // made by hand in C order
  dn_args args = call.args;
  args.q_token_stride = args.q_head_stride = -1;
  args.k_token_stride = args.k_head_stride = -1;
  args.v_token_stride = args.v_head_stride = -1;
  args.o_token_stride = args.o_head_stride = -1;
  args.g_token_stride = args.beta_token_stride = -1;
  args.state_in_sequence_stride = args.state_in_head_stride = -1;
  args.state_out_sequence_stride = args.state_out_head_stride = -1;
  dn_set_packed_strides(&call.kernel, &args);
  EXPECT_EQ(std::memcmp(&args, &call.args, sizeof args), 0);
}

} // namespace
