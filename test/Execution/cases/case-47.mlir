// The generated header with a C program: an offset into a buffer, strides that
// are not packed, and a bad count as a status.
// REQUIRES: native-x86
// UNSUPPORTED: sanitized
// RUN: delta-compile %s -o %t.a --header %t.h
// RUN: cp %t.h %T/case_47_kernels.h
// RUN: %cc -std=c11 -Wall -Wextra -Werror -I%include -I%T %S/Inputs/case_47.c %t.a %libdir/libdeltanet_runtime.a -lpthread -ldl -lm -o %t
// RUN: %t | FileCheck %s
// CHECK: strided rows: same bits
// CHECK-NEXT: bad count: case_47: expected {{.*}}, got -1

func.func @case_47(%q: tensor<?x2x16xf32>, %k: tensor<?x2x16xf32>,
                   %v: tensor<?x2x16xf32>, %beta: tensor<?x2xf32>)
    -> tensor<?x2x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv
      q(%q) k(%k) v(%v) beta(%beta)
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>,
         tensor<?x2xf32>) -> tensor<?x2x16xf32>
  return %o : tensor<?x2x16xf32>
}
