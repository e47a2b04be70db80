// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraint C25 of deltanet.token_step, and C15 of its schedule.

func.func @rank(%s: tensor<16x32xf32>, %k: tensor<16xf32>, %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x32xf32>) {
  // expected-error@+1 {{'deltanet.token_step' op expected state as a tensor [G,K,V] of f32 with K a multiple of 16 and V of 8, got 'tensor<16x32xf32>'}}
  %r = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  return
}

// -----

func.func @element(%s: tensor<1x32x16xbf16>, %k: tensor<16xf32>, %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x32xf32>) {
  // expected-error@+1 {{expected state as a tensor [G,V,K] of f32 with K a multiple of 16 and V of 8, got 'tensor<1x32x16xbf16>'}}
  %r = deltanet.token_step vk state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<1x32x16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  return
}

// -----

func.func @no_heads(%s: tensor<0x32x16xf32>, %k: tensor<16xf32>, %v: tensor<0x32xf32>, %f: tensor<0x2xf32>, %x: f32, %o: tensor<0x32xf32>) {
  // expected-error@+1 {{expected state as a tensor [G,V,K]}}
  %r = deltanet.token_step vk state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<0x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<0x32xf32>, tensor<0x2xf32>, f32, f32, tensor<0x32xf32>) -> tensor<0x32xf32>
  return
}

// -----

func.func @key_width(%s: tensor<1x24x32xf32>, %k: tensor<24xf32>, %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x32xf32>) {
  // expected-error@+1 {{with K a multiple of 16 and V of 8, got 'tensor<1x24x32xf32>'}}
  %r = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<1x24x32xf32>, tensor<24xf32>, tensor<24xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  return
}

// -----

func.func @value_width(%s: tensor<1x16x12xf32>, %k: tensor<16xf32>, %v: tensor<1x12xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x12xf32>) {
  // expected-error@+1 {{with K a multiple of 16 and V of 8, got 'tensor<1x16x12xf32>'}}
  %r = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<1x16x12xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x12xf32>, tensor<1x2xf32>, f32, f32, tensor<1x12xf32>) -> tensor<1x12xf32>
  return
}

// -----

func.func @key(%s: tensor<1x16x32xf32>, %k: tensor<32xf32>, %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x32xf32>) {
  // expected-error@+1 {{expected key as 'tensor<16xf32>', got 'tensor<32xf32>'}}
  %r = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<1x16x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  return
}

// -----

func.func @values(%s: tensor<1x32x16xf32>, %k: tensor<16xf32>, %v: tensor<1x16xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x32xf32>) {
  // expected-error@+1 {{expected values as 'tensor<1x32xf32>', got 'tensor<1x16xf32>'}}
  %r = deltanet.token_step vk state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<1x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x16xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  return
}

// -----

func.func @factors(%s: tensor<2x32x16xf32>, %k: tensor<16xf32>, %v: tensor<2x32xf32>, %f: tensor<2xf32>, %x: f32, %o: tensor<2x32xf32>) {
  // expected-error@+1 {{expected factors as 'tensor<2x2xf32>', got 'tensor<2xf32>'}}
  %r = deltanet.token_step vk state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 2 : i64}
      : (tensor<2x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x32xf32>, tensor<2xf32>, f32, f32, tensor<2x32xf32>) -> tensor<2x32xf32>
  return
}

// -----

func.func @outs(%s: tensor<1x16x32xf32>, %k: tensor<16xf32>, %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<32xf32>) {
  // expected-error@+1 {{expected outs as 'tensor<1x32xf32>', got 'tensor<32xf32>'}}
  %r = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<1x16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<32xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @rows(%s: tensor<1x16x32xf32>, %k: tensor<16xf32>, %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x32xf32>) {
  // expected-error@+1 {{expected 1, 2 or 4 rows, got 8}}
  %r = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 8 : i64}
      : (tensor<1x16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  return
}

// -----

func.func @rows_of_heads(%s: tensor<2x32x16xf32>, %k: tensor<16xf32>, %v: tensor<2x32xf32>, %f: tensor<2x2xf32>, %x: f32, %o: tensor<2x32xf32>) {
  // expected-error@+1 {{expected rows as a multiple of the heads (2), got 1}}
  %r = deltanet.token_step vk state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o) {rows = 1 : i64}
      : (tensor<2x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x32xf32>, tensor<2x2xf32>, f32, f32, tensor<2x32xf32>) -> tensor<2x32xf32>
  return
}

// -----

func.func @lost_state(%s: tensor<1x16x32xf32>, %k: tensor<16xf32>,
                      %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32) {
  // expected-error@+1 {{expected state_init and new_state, both or none}}
  %r = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%v, %s)
      : (tensor<1x16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>,
         tensor<1x2xf32>, f32, f32, tensor<1x32xf32>, tensor<1x16x32xf32>)
      -> tensor<1x32xf32>
  return
}

// -----

func.func @other_state(%s: tensor<1x16x32xf32>, %k: tensor<16xf32>,
                       %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32,
                       %d: tensor<1x32x16xf32>) {
  // expected-error@+1 {{expected state_init as 'tensor<1x16x32xf32>', got 'tensor<1x32x16xf32>'}}
  %r:2 = deltanet.token_step kv state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%v, %d)
      : (tensor<1x16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>,
         tensor<1x2xf32>, f32, f32, tensor<1x32xf32>, tensor<1x32x16xf32>)
      -> (tensor<1x32xf32>, tensor<1x32x16xf32>)
  return
}

// -----

// expected-error@+2 {{expected 1, 2 or 4 rows a turn with state = memory, got 8}}
func.func private @schedule() attributes {
    a = #deltanet.schedule<recurrent, max_tokens = 1, rows = 8, state = memory>}
