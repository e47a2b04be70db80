// Kernels without a body, as the stage 'target' has them, are no kernels to form
// and pass everything else unchanged.
// RUN: not delta-opt %s --deltanet-form-kernels 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: delta-opt %s --deltanet-select-schedule | FileCheck %s
// RUN: delta-opt %s --deltanet-specialize-by-length --deltanet-expand-recurrence --deltanet-split-sequence-into-chunks | FileCheck %s
// RUN: delta-opt %s --deltanet-fuse-parallel-domains --deltanet-expand-slot-sequence --deltanet-assign-layouts --deltanet-sink-packs | FileCheck %s
// RUN: delta-opt %s --deltanet-expand-decay --deltanet-expand-triangular-inverse --deltanet-tile-to-registers | FileCheck %s
// RUN: delta-opt %s --deltanet-vectorize-recurrence-pass --deltanet-vectorize-token-step --deltanet-vectorize-tiles | FileCheck %s
// RUN: delta-opt %s --deltanet-bufferize-kernels --deltanet-sink-tile-reads --deltanet-place-scratch --deltanet-prefetch-state | FileCheck %s
// RUN: delta-opt %s --deltanet-split-into-work-items --deltanet-cpu-expand-narrow-floats --deltanet-cpu-expand-exp --deltanet-cpu-lower-vectors --deltanet-cpu-keep-loops | FileCheck %s

// FORM: declarations.mlir:[[@LINE+5]]:1: error: expected a kernel with a body, got a declaration
// CHECK: func.func private @f(f32 {deltanet.role = #deltanet<role scale>}) attributes {deltanet.kernel = #deltanet.kernel<
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
    fma = true, l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {
func.func private @f(f32 {deltanet.role = #deltanet<role scale>}) attributes {
  deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped,
      state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = bf16,
      scale = 1.0 : f32>}
}
