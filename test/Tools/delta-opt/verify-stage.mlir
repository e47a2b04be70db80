// The verifier of a stage.

// RUN: delta-opt %s --deltanet-verify-stage=stage=rule -o /dev/null
// RUN: not delta-opt %s --deltanet-verify-stage=stage=llvm 2>&1 | FileCheck %s --check-prefix=ILLEGAL
// ILLEGAL: verify-stage.mlir:[[#@LINE+7]]:1: error: 'func.func' op expected only operations of the stage 'llvm', got one of the dialect 'func'
// RUN: not delta-opt %s --deltanet-verify-stage=stage=asm 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: expected a stage from rule to llvm, got 'asm'

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
