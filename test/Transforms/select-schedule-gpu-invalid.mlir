// RUN: delta-opt %s -deltanet-select-schedule -split-input-file -verify-diagnostics

// C28: warps are for GPUs alone, and are needed there.

module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16,
    vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 524288,
    streams = 4, matrix = none>} {
func.func @f(%q: tensor<?x1x32xf32>, %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  // expected-error@+1 {{expected a schedule without warps for avx2, got #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 1>}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 1>]}
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
func.func @f(%q: tensor<?x1x32xf32>, %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  // expected-error@+1 {{expected a schedule without warps for avx2, got #deltanet.schedule<chunked, min_tokens = 2, value_slice = 32, staging = two_stage, matrix = mma, warps = 2>}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 1>,
                    #deltanet.schedule<chunked, min_tokens = 2, value_slice = 32, staging = two_stage, matrix = mma, warps = 2>]}
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1xf32>)
      -> tensor<?x1x32xf32>
  return %o : tensor<?x1x32xf32>
}
}

// -----

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912,
    shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
func.func @f(%q: tensor<?x1x32xf32>, %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  // expected-error@+1 {{expected a schedule with warps for sm_80, got #deltanet.schedule<recurrent>}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1xf32>)
      -> tensor<?x1x32xf32>
  return %o : tensor<?x1x32xf32>
}
}

// -----

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912,
    shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
func.func @f(%q: tensor<?x1x32xf32>, %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  // expected-error@+1 {{expected a schedule with warps for sm_80, got #deltanet.schedule<chunked, chunk = 32>}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<chunked, chunk = 32>]}
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1xf32>)
      -> tensor<?x1x32xf32>
  return %o : tensor<?x1x32xf32>
}
}

// -----

// A slice that does not divide V is one on no machine.

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912,
    shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
func.func @f(%q: tensor<?x1x32xf32>, %b: tensor<?x1xf32>) -> tensor<?x1x32xf32> {
  // expected-error@+1 {{'deltanet.delta_rule' op expected value_slice to divide V (32), got 48}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, value_slice = 48, state = registers, warps = 1>]}
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1xf32>)
      -> tensor<?x1x32xf32>
  return %o : tensor<?x1x32xf32>
}
}
