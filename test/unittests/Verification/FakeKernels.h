//===- FakeKernels.h - Access to the hand-written kernels -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_VERIFICATION_FAKEKERNELS_H
#define DELTANET_TEST_UNITTESTS_VERIFICATION_FAKEKERNELS_H

#include "deltanet-c/runtime.h"

/// The library in test/Tools/delta-run/Inputs/fake_kernels.c, linked in.
extern "C" const dn_library *dn_query(void);

/// Its kernel called `name`: the variant for the baseline.
inline const dn_kernel &fakeKernel(const char *name) {
  const dn_kernel_set *set = dn_library_find(dn_query(), name);
  return *set->variants[set->variant_count - 1];
}

#endif // DELTANET_TEST_UNITTESTS_VERIFICATION_FAKEKERNELS_H
