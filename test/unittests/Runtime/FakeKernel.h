//===- FakeKernel.h - Hand-filled kernel descriptors for runtime tests ----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_RUNTIME_FAKEKERNEL_H
#define DELTANET_UNITTESTS_RUNTIME_FAKEKERNEL_H

#include "deltanet-c/runtime.h"

#include <cstdint>
#include <vector>

/// A kernel that takes every operand: bf16, H = 2, HV = 4, K = 16, V = 32, i32
/// cu_seqlens, one stage of N * H items, 64 bytes of workspace a token. Its run
/// does nothing.
dn_kernel makeFakeKernel(uint32_t isa = DN_ISA_GENERIC);

/// A valid call of the kernel above: T = 8 tokens in N = 2 sequences, compact,
/// in buffers of its own.
struct FakeCall {
  FakeCall();
  FakeCall(const FakeCall &) = delete;

  dn_kernel kernel = makeFakeKernel();
  dn_args args = {};
  std::vector<uint16_t> q, k, v, o;
  std::vector<float> g, beta, stateIn, stateOut;
  std::vector<int32_t> cuSeqlens;
  std::vector<unsigned char> workspace;
};

#endif // DELTANET_UNITTESTS_RUNTIME_FAKEKERNEL_H
