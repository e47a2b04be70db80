// Two kernels next to a program with names that kernels might use: nothing
// clashes, and only prefixed symbols are exported.
// REQUIRES: native-x86
// UNSUPPORTED: sanitized
// RUN: delta-compile %s -o %t.a
// RUN: sed s/@first/@second/ %s > %t.second.mlir
// RUN: delta-compile %t.second.mlir -o %t.second.a
// RUN: %cc -std=c11 -Wall -Wextra -fno-builtin -I%include %S/Inputs/case_48.c %t.a %t.second.a -o %t
// RUN: %t | FileCheck %s
// CHECK: first at {{.*}} second at
// RUN: llvm-nm --defined-only --extern-only %t.a | FileCheck %s --check-prefix=EXPORTS --implicit-check-not=" {{[A-Z]}} "
// EXPORTS: dn_first{{$}}
// RUN: llvm-nm --undefined-only %t.a | FileCheck %s --check-prefix=IMPORTS --allow-empty --implicit-check-not=" U "
// IMPORTS-NOT: U

func.func @first(%q: tensor<?x2x16xf32>, %k: tensor<?x2x16xf32>,
                 %v: tensor<?x2x16xf32>, %beta: tensor<?x2xf32>)
    -> tensor<?x2x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv
      q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 15>,
                    #deltanet.schedule<chunked, min_tokens = 16>]}
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>,
         tensor<?x2xf32>) -> tensor<?x2x16xf32>
  return %o : tensor<?x2x16xf32>
}
