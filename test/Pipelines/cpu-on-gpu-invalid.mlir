// Pipelines of CPUs on a module for a GPU: the staircases part after `fused`.

// RUN: delta-opt %s -deltanet-to-fused -o /dev/null
// RUN: not delta-opt %s -deltanet-to-layout 2>&1 | FileCheck %s
// RUN: not delta-opt %s -deltanet-to-vectors 2>&1 | FileCheck %s
// RUN: not delta-opt %s -deltanet-to-buffers 2>&1 | FileCheck %s
// RUN: not delta-opt %s -deltanet-to-target 2>&1 | FileCheck %s
// RUN: not delta-opt %s -deltanet-to-llvm 2>&1 | FileCheck %s
// CHECK: cpu-on-gpu-invalid.mlir:[[#@LINE+13]]:1: error: expected a #deltanet.target in 'deltanet.target' for the stage 'layout', got #deltanet.gpu_target<chip = sm_80

// Chunks as well as tokens.

// RUN: not delta-opt %s '-deltanet-to-layout=schedule={#deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2>}' 2>&1 | FileCheck %s
// RUN: not delta-opt %s '-deltanet-to-llvm=schedule={#deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2>}' 2>&1 | FileCheck %s

// What is no stage of either is none.

// RUN: not delta-opt %s -deltanet-verify-stage=stage=ptx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not delta-opt %s -deltanet-verify-stage=stage=asm 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected a stage from rule to llvm, got '{{ptx|asm}}'

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912,
    shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
func.func @f(%q: tensor<?x1x32xbf16>, %k: tensor<?x1x32xbf16>, %v: tensor<?x1x32xbf16>,
             %b: tensor<?x1xf32>) -> tensor<?x1x32xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x32xbf16>, tensor<?x1x32xbf16>, tensor<?x1x32xbf16>, tensor<?x1xf32>)
      -> tensor<?x1x32xbf16>
  return %o : tensor<?x1x32xbf16>
}
}
