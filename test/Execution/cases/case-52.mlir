// Every activation type and rule goes through the whole pipeline; other types
// end in an error at the operation, never in an abort.

// RUN: sed -e s/IO/f32/ %s | delta-opt --deltanet-cpu-pipeline | FileCheck %s
// RUN: sed -e s/IO/bf16/ %s | delta-opt --deltanet-cpu-pipeline | FileCheck %s
// RUN: sed -e s/IO/f16/ %s | delta-opt --deltanet-cpu-pipeline | FileCheck %s
// CHECK-DAG: llvm.mlir.global {{.*}}@dn_gated
// CHECK-DAG: llvm.mlir.global {{.*}}@dn_plain

// RUN: sed -e s/IO/f64/ %s | not delta-opt --deltanet-cpu-pipeline 2>&1 | FileCheck %s --check-prefix=OTHER -DTYPE=f64
// RUN: sed -e s/IO/f8E4M3FN/ %s | not delta-opt --deltanet-cpu-pipeline 2>&1 | FileCheck %s --check-prefix=OTHER -DTYPE=f8E4M3FN
// RUN: sed -e s/IO/i8/ %s | not delta-opt --deltanet-cpu-pipeline 2>&1 | FileCheck %s --check-prefix=OTHER -DTYPE=i8
// RUN: sed -e s/IO/index/ %s | not delta-opt --deltanet-cpu-pipeline 2>&1 | FileCheck %s --check-prefix=OTHER -DTYPE=index
// RUN: sed -e "s/IO/complex<f32>/" %s | not delta-opt --deltanet-cpu-pipeline 2>&1 | FileCheck %s --check-prefix=OTHER "-DTYPE=complex<f32>"
// OTHER: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: 'deltanet.delta_rule' op expected elements of bf16, f16 or f32, got [[TYPE]]

!row = tensor<?x2x32xIO>
!head = tensor<?x2xf32>
!state = tensor<?x2x32x32xf32>

module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16,
    fma = true, l1_bytes = 32768, l2_bytes = 524288, matrix = none>} {
  func.func @gated(%q: !row, %k: !row, %v: !row, %g: !head, %beta: !head,
                   %s: !state, %cu: tensor<?xi64>) -> (!row, !state) {
    %r:2 = deltanet.delta_rule gated, grouped, vk
        q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
        {l2norm_eps = 1.0e-6 : f32,
         schedules = [#deltanet.schedule<recurrent, max_tokens = 15>,
                      #deltanet.schedule<chunked, min_tokens = 16>]}
        : (!row, !row, !row, !head, !head, !state, tensor<?xi64>)
        -> (!row, !state)
    return %r#0, %r#1 : !row, !state
  }
  func.func @plain(%q: !row, %k: !row, %v: !row, %beta: !head) -> !row {
    %r = deltanet.delta_rule delta, tiled, kv
        q(%q) k(%k) v(%v) beta(%beta) : (!row, !row, !row, !head) -> !row
    return %r : !row
  }
}
