// RUN: delta-opt %s -split-input-file -verify-diagnostics -deltanet-split-sequence-into-chunks

func.func @two(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
               %beta: tensor<?x1xf32>) -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected one schedule where one is chunked, got 2}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 9>,
                    #deltanet.schedule<chunked, min_tokens = 10>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

func.func @form(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                %beta: tensor<?x1xf32>) -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected the form of a kernel, with outs and a scale operand}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<chunked>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

func.func @slice(%q: tensor<?x1x16xf32>, %v: tensor<?x1x64xf32>,
                 %beta: tensor<?x1xf32>, %scale: f32, %out: tensor<?x1x64xf32>)
    -> tensor<?x1x64xf32> {
  // expected-error@+1 {{expected value_slice of 0 or V (64) with staging = one_pass}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      scale(%scale) outs(%out)
      {schedules = [#deltanet.schedule<chunked, value_slice = 32>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x64xf32>,
         tensor<?x1xf32>, f32, tensor<?x1x64xf32>) -> tensor<?x1x64xf32>
  return %o : tensor<?x1x64xf32>
}

// -----

func.func @keys_of_a_tile(%q: tensor<?x1x48xbf16>, %v: tensor<?x1x64xbf16>,
                          %beta: tensor<?x1xf32>, %scale: f32,
                          %out: tensor<?x1x64xbf16>) -> tensor<?x1x64xbf16> {
  // expected-error@+1 {{expected K as a multiple of 32 with matrix = amx, got 48}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      scale(%scale) outs(%out)
      {schedules = [#deltanet.schedule<chunked, columns = 32, matrix = amx>]}
      : (tensor<?x1x48xbf16>, tensor<?x1x48xbf16>, tensor<?x1x64xbf16>,
         tensor<?x1xf32>, f32, tensor<?x1x64xbf16>) -> tensor<?x1x64xbf16>
  return %o : tensor<?x1x64xbf16>
}

// -----

func.func @activations(%q: tensor<?x1x32xf16>, %v: tensor<?x1x64xf16>,
                       %beta: tensor<?x1xf32>, %scale: f32,
                       %out: tensor<?x1x64xf16>) -> tensor<?x1x64xf16> {
  // expected-error@+1 {{expected activations of bf16 with matrix = amx, got 'f16'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      scale(%scale) outs(%out)
      {schedules = [#deltanet.schedule<chunked, columns = 32, matrix = amx>]}
      : (tensor<?x1x32xf16>, tensor<?x1x32xf16>, tensor<?x1x64xf16>,
         tensor<?x1xf32>, f32, tensor<?x1x64xf16>) -> tensor<?x1x64xf16>
  return %o : tensor<?x1x64xf16>
}

// -----

// C46: what tensor cores multiply, and how many warps and threads share it.

func.func @few_lanes(%q: tensor<?x1x112xbf16>, %v: tensor<?x1x64xbf16>,
    %beta: tensor<?x1xf32>, %scale: f32, %out: tensor<?x1x64xbf16>)
    -> tensor<?x1x64xbf16> {
  // expected-error@+1 {{expected intra_warps as a power of two up to 4 for K = 112 and a chunk of 32 with matrix = mma, got 8}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      scale(%scale) outs(%out)
      {schedules = [#deltanet.schedule<chunked, chunk = 32, value_slice = 32, staging = two_stage, matrix = mma, warps = 2, intra_warps = 8>]}
      : (tensor<?x1x112xbf16>, tensor<?x1x112xbf16>, tensor<?x1x64xbf16>,
         tensor<?x1xf32>, f32, tensor<?x1x64xbf16>) -> tensor<?x1x64xbf16>
  return %o : tensor<?x1x64xbf16>
}

// -----

func.func @odd_warps(%q: tensor<?x1x128xbf16>, %v: tensor<?x1x48xbf16>,
    %beta: tensor<?x1xf32>, %scale: f32, %out: tensor<?x1x48xbf16>)
    -> tensor<?x1x48xbf16> {
  // expected-error@+1 {{expected warps without intra_warps as a power of two up to 16 for K = 128 and a chunk of 64 with matrix = mma, got 3}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      scale(%scale) outs(%out)
      {schedules = [#deltanet.schedule<chunked, value_slice = 48, staging = two_stage, matrix = mma, warps = 3>]}
      : (tensor<?x1x128xbf16>, tensor<?x1x128xbf16>, tensor<?x1x48xbf16>,
         tensor<?x1xf32>, f32, tensor<?x1x48xbf16>) -> tensor<?x1x48xbf16>
  return %o : tensor<?x1x48xbf16>
}

// -----

func.func @all_columns(%q: tensor<?x1x128xbf16>, %v: tensor<?x1x48xbf16>,
    %beta: tensor<?x1xf32>, %scale: f32, %out: tensor<?x1x48xbf16>)
    -> tensor<?x1x48xbf16> {
  // expected-error@+1 {{expected V as a multiple of 16 * warps (32) with matrix = mma and value_slice = 0, got 48}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      scale(%scale) outs(%out)
      {schedules = [#deltanet.schedule<chunked, staging = two_stage, matrix = mma, warps = 2>]}
      : (tensor<?x1x128xbf16>, tensor<?x1x128xbf16>, tensor<?x1x48xbf16>,
         tensor<?x1xf32>, f32, tensor<?x1x48xbf16>) -> tensor<?x1x48xbf16>
  return %o : tensor<?x1x48xbf16>
}

// -----

func.func @many_registers(%q: tensor<?x1x256xbf16>, %v: tensor<?x1x64xbf16>,
    %beta: tensor<?x1xf32>, %scale: f32, %out: tensor<?x1x64xbf16>)
    -> tensor<?x1x64xbf16> {
  // expected-error@+1 {{expected at most 128 elements of a state a thread with matrix = mma, got 256: K = 256 times 64 columns for 2 warps}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%beta)
      scale(%scale) outs(%out)
      {schedules = [#deltanet.schedule<chunked, value_slice = 64, staging = two_stage, matrix = mma, warps = 2>]}
      : (tensor<?x1x256xbf16>, tensor<?x1x256xbf16>, tensor<?x1x64xbf16>,
         tensor<?x1xf32>, f32, tensor<?x1x64xbf16>) -> tensor<?x1x64xbf16>
  return %o : tensor<?x1x64xbf16>
}

// -----

// C46.
func.func @short(%q: tensor<63x1x32xbf16>, %b: tensor<63x1xf32>, %x: f32,
                 %od: tensor<63x1x32xbf16>) -> tensor<63x1x32xbf16> {
  // expected-error@+1 {{expected at least 64 tokens, those of a chunk, where they are static with matrix = mma, got 63}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) scale(%x)
      outs(%od)
      {schedules = [#deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2>]}
      : (tensor<63x1x32xbf16>, tensor<63x1x32xbf16>, tensor<63x1x32xbf16>,
         tensor<63x1xf32>, f32, tensor<63x1x32xbf16>) -> tensor<63x1x32xbf16>
  return %o : tensor<63x1x32xbf16>
}
