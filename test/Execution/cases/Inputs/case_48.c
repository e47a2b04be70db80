//===- case_48.c - A program full of names that others use ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet-c/kernel_abi.h"
#include <stdio.h>

extern const dn_kernel_set dn_first, dn_second;

// Whatever a compiler might call its own.
int stage0, workspace, items0, run, check, kernels, schedules, variants;
int fast_exp(int x) { return x; }
int first(int x) { return x; }
int second(int x) { return x; }
int expf(int x) { return x; }
int exp2f(int x) { return x; }
int memrefCopy(int x) { return x; }
int _mlir_ciface_first(int x) { return x; }

int main(void) {
  printf("%s at %u, %s at %u\n", dn_first.name, dn_first.variants[0]->isa,
         dn_second.name, dn_second.variants[0]->isa);
  return 0;
}
