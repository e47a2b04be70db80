// A schedule for a matrix unit is refused for the first level without it, whether
// the rule or the command line gives it.
// REQUIRES: asm-x86
// RUN: not delta-compile %s --target=x86_64-linux-gnu -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,GENERIC
// RUN: not delta-compile %s --isa=amx,avx512 --schedule="#deltanet.schedule<chunked, chunk = 32, matrix = amx>" --target=x86_64-linux-gnu -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: delta-compile %s --isa=amx --target=x86_64-linux-gnu -o %t.o

// CHECK: matrix-unit.mlir:[[@LINE+6]]:8: error: expected a target with matrix = amx for #deltanet.schedule<chunked, chunk = 32, matrix = amx>,
// GENERIC-SAME: got generic with matrix = none
// AVX512-SAME: got avx512 with matrix = none
func.func @f(%q: tensor<?x1x32xbf16>, %k: tensor<?x1x32xbf16>,
             %v: tensor<?x1x32xbf16>, %b: tensor<?x1xf32>)
    -> tensor<?x1x32xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<chunked, chunk = 32, matrix = amx>]}
      : (tensor<?x1x32xbf16>, tensor<?x1x32xbf16>, tensor<?x1x32xbf16>,
         tensor<?x1xf32>) -> tensor<?x1x32xbf16>
  return %o : tensor<?x1x32xbf16>
}
