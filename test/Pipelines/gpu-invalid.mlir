// Pipelines of GPUs on modules that are for no GPU.

// RUN: delta-opt %s -deltanet-gpu-to-fragments -split-input-file -verify-diagnostics
// RUN: delta-opt %s -deltanet-gpu-to-target -split-input-file -verify-diagnostics

// expected-error@+1 {{expected a #deltanet.target in 'deltanet.target', got none}}
module {
func.func @f(%q: tensor<?x1x32xf32>, %k: tensor<?x1x32xf32>, %v: tensor<?x1x32xf32>,
             %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1xf32>)
      -> tensor<?x1x32xf32>
  return %o : tensor<?x1x32xf32>
}
}

// -----

// expected-error@+1 {{expected a #deltanet.gpu_target in 'deltanet.target' for the stage 'fragments', got none}}
module {
func.func @f(%q: tensor<?x1x32xf32>, %k: tensor<?x1x32xf32>, %v: tensor<?x1x32xf32>,
             %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, value_slice = 32,
                                       state = registers, warps = 1>]}
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1xf32>)
      -> tensor<?x1x32xf32>
  return %o : tensor<?x1x32xf32>
}
}

// -----

module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16,
    vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 524288,
    streams = 4, matrix = none>} {
func.func @f(%q: tensor<?x1x32xf32>, %k: tensor<?x1x32xf32>, %v: tensor<?x1x32xf32>,
             %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  // expected-error@+1 {{'scf.forall' op expected a schedule with warps for a GPU, got #deltanet.schedule<recurrent, max_tokens = 1, rows = 4, state = memory, prefetch = 4096>}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1xf32>)
      -> tensor<?x1x32xf32>
  return %o : tensor<?x1x32xf32>
}
}
