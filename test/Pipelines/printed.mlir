// What a pipeline is printed as is that pipeline: every pass is registered.

// DEFINE: %{run} = %python %S/Inputs/run_as_printed.py
// RUN: %{run} %s deltanet-to-fused | FileCheck %s --check-prefix=FUSED
// FUSED: deltanet-verify-stage{stage=fused}

// RUN: %{run} %s deltanet-scalar-from-rule | FileCheck %s
// RUN: delta-opt %s --deltanet-to-vectors -o %t.vectors.mlir
// RUN: %{run} %t.vectors.mlir deltanet-scalar-from-vectors | FileCheck %s
// CHECK: deltanet-bufferize-kernels{allow-copies=true}
// CHECK-NEXT: deltanet-verify-loops-on-memory

module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
    fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>} {
func.func @f(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
             %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
}
