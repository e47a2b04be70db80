// RUN: delta-opt %s -deltanet-select-schedule -split-input-file -verify-diagnostics

// C19: a choice needs a machine.

// expected-error@+1 {{expected a #deltanet.target in 'deltanet.target', got none}}
module {
func.func @f(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
}

// -----

// A kernel whose only length no schedule serves, and one none of whose sequences
// can be that long.

func.func @f(%q: tensor<64x1x16xf32>, %b: tensor<64x1xf32>)
    -> tensor<64x1x16xf32> {
  // expected-error@+1 {{expected a schedule for 64 tokens, the only length, got none}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 63>,
                    #deltanet.schedule<chunked, min_tokens = 100>]}
      : (tensor<64x1x16xf32>, tensor<64x1x16xf32>, tensor<64x1x16xf32>,
         tensor<64x1xf32>) -> tensor<64x1x16xf32>
  return %o : tensor<64x1x16xf32>
}

// -----

func.func @f(%q: tensor<64x1x16xf32>, %b: tensor<64x1xf32>, %cu: tensor<?xi32>)
    -> tensor<64x1x16xf32> {
  // expected-error@+1 {{expected a schedule for some length of at most 64 tokens, got none}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      cu_seqlens(%cu) {schedules = [#deltanet.schedule<chunked, min_tokens = 65>]}
      : (tensor<64x1x16xf32>, tensor<64x1x16xf32>, tensor<64x1x16xf32>,
         tensor<64x1xf32>, tensor<?xi32>) -> tensor<64x1x16xf32>
  return %o : tensor<64x1x16xf32>
}

// -----

// No schedule for some lengths of a known range.

func.func @f(%q: tensor<64x1x16xf32>, %b: tensor<64x1xf32>, %cu: tensor<?xi32>)
    -> tensor<64x1x16xf32> {
  // expected-warning@+1 {{expected schedules for all lengths, got none for 0 to 1, 8 to 64 tokens: outputs of such sequences are not written}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      cu_seqlens(%cu) {schedules = [
          #deltanet.schedule<recurrent, min_tokens = 2, max_tokens = 7>,
          #deltanet.schedule<chunked, min_tokens = 65>]}
      : (tensor<64x1x16xf32>, tensor<64x1x16xf32>, tensor<64x1x16xf32>,
         tensor<64x1xf32>, tensor<?xi32>) -> tensor<64x1x16xf32>
  return %o : tensor<64x1x16xf32>
}

// -----

// C28: one of the schedules is for a unit that the level lacks.

module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16,
    vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 524288,
    streams = 4, matrix = none>} {
func.func @f(%q: tensor<?x1x32xbf16>, %b: tensor<?x1xf32>)
    -> tensor<?x1x32xbf16> {
  // expected-error@+1 {{expected a target with matrix = amx for #deltanet.schedule<chunked, min_tokens = 64, matrix = amx>, got avx2 with matrix = none}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 63>,
                    #deltanet.schedule<chunked, min_tokens = 64, matrix = amx>]}
      : (tensor<?x1x32xbf16>, tensor<?x1x32xbf16>, tensor<?x1x32xbf16>,
         tensor<?x1xf32>) -> tensor<?x1x32xbf16>
  return %o : tensor<?x1x32xbf16>
}
}
