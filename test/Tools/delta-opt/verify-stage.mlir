// The verifier of a stage, alone and as the last pass of a pipeline.

// RUN: delta-opt %s --deltanet-verify-stage=stage=rule -o /dev/null
// RUN: not delta-opt %s --deltanet-verify-stage=stage=llvm 2>&1 | FileCheck %s --check-prefix=ILLEGAL
// ILLEGAL: verify-stage.mlir:[[#@LINE+14]]:1: error: 'func.func' op expected only operations of the stage 'llvm', got one of the dialect 'func'
// RUN: not delta-opt %s --deltanet-verify-stage=stage=asm 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: expected a stage from rule to llvm, got 'asm'

// What a pipeline is printed as is that pipeline.
// RUN: delta-opt %s --deltanet-to-fused --dump-pass-pipeline -o %t.named 2> %t.dump
// RUN: FileCheck %s --check-prefix=PIPELINE < %t.dump
// RUN: %python -c "import re, subprocess, sys; text = re.search(r'builtin.module\(.*\)', open(sys.argv[2]).read(), re.S)[0]; subprocess.run(['delta-opt', sys.argv[1], '--pass-pipeline=' + text, '-o', sys.argv[3]], check=True)" %s %t.dump %t.printed
// RUN: cmp %t.named %t.printed
// PIPELINE: deltanet-verify-stage{stage=fused}

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
