// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments -split-input-file -verify-diagnostics

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f() attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{'scf.forall' op expected a schedule with warps for a GPU, got none}}
  scf.forall (%i) in (1) {
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f() attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{'scf.forall' op expected a schedule with warps for a GPU, got #deltanet.schedule<recurrent, tokens = 2>}}
  scf.forall (%i) in (1) {
  } {deltanet.schedule = #deltanet.schedule<recurrent, tokens = 2>}
  return
}

// -----

// State in registers, but none.

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f() attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{'scf.forall' op expected a deltanet.token_step in a work item with state = registers, got none}}
  scf.forall (%i) in (1) {
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 1>}
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f(%s: tensor<2x16x32xf32>, %q: tensor<16xf32>, %v: tensor<2x32xf32>,
             %f: tensor<2x2xf32>, %x: f32, %od: tensor<2x32xf32>) attributes {deltanet.kernel = #kernel} {
  scf.forall (%i) in (1) {
    // expected-error@+1 {{'deltanet.token_step' op expected the state of one value head in registers, got 2}}
    %out = deltanet.token_step kv state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<2x16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x32xf32>, tensor<2x2xf32>, f32, f32, tensor<2x32xf32>) -> tensor<2x32xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 1>}
  return
}

// -----

// 8 rows of threads in each of 8 warps are more than 32 columns of V.

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f(%s: tensor<1x32x16xf32>, %q: tensor<16xf32>, %v: tensor<1x32xf32>,
             %f: tensor<1x2xf32>, %x: f32, %od: tensor<1x32xf32>) attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{'scf.forall' op expected a value_slice and warps that a state with K = 16 can be spread over, got #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 8>}}
  scf.forall (%i) in (1) {
    %out = deltanet.token_step vk state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 8>}
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f(%s: tensor<1x16x32xf32>, %q: tensor<16xf32>, %v: tensor<1x32xf32>,
             %f: tensor<1x2xf32>, %x: f32, %od: tensor<1x32xf32>) attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{'scf.forall' op expected a value_slice and warps that a state with K = 16 can be spread over, got #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 3>}}
  scf.forall (%i) in (1) {
    %out = deltanet.token_step kv state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 3>}
  return
}

// -----

// More than a tile may have.

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f(%s: tensor<1x32x2048xf32>, %q: tensor<2048xf32>, %v: tensor<1x32xf32>,
             %f: tensor<1x2xf32>, %x: f32, %od: tensor<1x32xf32>) attributes {deltanet.kernel = #kernel} {
  scf.forall (%i) in (1) {
    // expected-error@+1 {{'deltanet.token_step' op expected rows and columns of 1 to 1024, got [32, 2048]}}
    %out = deltanet.token_step vk state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x32x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 1>}
  return
}

// -----

// Two states of a work item have one layout, that of the first.

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f(%s: tensor<1x32x128xf32>, %q: tensor<128xf32>, %v: tensor<1x32xf32>,
             %f: tensor<1x2xf32>, %x: f32, %od: tensor<1x32xf32>,
             %s2: tensor<1x32x16xf32>, %q2: tensor<16xf32>) attributes {deltanet.kernel = #kernel} {
  scf.forall (%i) in (1) {
    %out = deltanet.token_step vk state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x32x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
    // expected-error@+1 {{'deltanet.token_step' op expected columns in multiples of 128 with #fragment.lanes<lanes = [1, 32], warps = [4, 1]>, or one, got 16}}
    %out2 = deltanet.token_step vk state(%s2) key(%q2) query(%q2) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 4>}
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f(%s: tensor<1x128x128xf32>, %q: tensor<128xf32>, %v: tensor<1x128xf32>,
             %f: tensor<1x2xf32>, %x: f32, %od: tensor<1x128xf32>) attributes {deltanet.kernel = #kernel} {
  scf.forall (%i) in (1) {
    %out = deltanet.token_step vk state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x128xf32>, tensor<1x2xf32>, f32, f32, tensor<1x128xf32>) -> tensor<1x128xf32>
    // expected-error@+1 {{'deltanet.token_step' op expected all of K in one warp, got #fragment.lanes<lanes = [1, 32], warps = [4, 1]>}}
    %out2 = deltanet.token_step kv state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x128xf32>, tensor<1x2xf32>, f32, f32, tensor<1x128xf32>) -> tensor<1x128xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 128, state = registers, warps = 4>}
  return
}

// -----

// A key of both.

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
func.func @f(%s: tensor<1x128x128xf32>, %q: tensor<128xf32>, %v: tensor<1x128xf32>,
             %f: tensor<1x2xf32>, %x: f32, %od: tensor<1x128xf32>) attributes {deltanet.kernel = #kernel} {
  scf.forall (%i) in (1) {
    %out = deltanet.token_step vk state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x128xf32>, tensor<1x2xf32>, f32, f32, tensor<1x128xf32>) -> tensor<1x128xf32>
    // expected-error@+1 {{'deltanet.token_step' op expected each vector of a work item along the keys or along the values, got one along both}}
    %out2 = deltanet.token_step kv state(%s) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%od)
        : (tensor<1x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x128xf32>, tensor<1x2xf32>, f32, f32, tensor<1x128xf32>) -> tensor<1x128xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 128, state = registers, warps = 1>}
  return
}
