// RUN: delta-opt %s | delta-opt | FileCheck %s
// RUN: delta-opt %s --mlir-print-op-generic | delta-opt | FileCheck %s
// RUN: delta-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// The smallest rule: no optional operand.

// CHECK-LABEL: func.func @delta
// CHECK: = deltanet.delta_rule delta, tiled, vk q(%{{.*}}) k(%{{.*}}) v(%{{.*}}) beta(%{{.*}}) : (tensor<64x2x32xf32>
// GENERIC: "deltanet.delta_rule"
// GENERIC-SAME: head_map = #deltanet<head_map tiled>
// GENERIC-SAME: operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 0>
// GENERIC-SAME: rule = #deltanet<rule delta>
// GENERIC-SAME: state_layout = #deltanet<state_layout vk>
func.func @delta(%q: tensor<64x2x32xf32>, %v: tensor<64x4x16xf32>,
                 %b: tensor<64x4xf32>) -> tensor<64x4x16xf32> {
  %o = deltanet.delta_rule delta, tiled, vk q(%q) k(%q) v(%v) beta(%b)
      : (tensor<64x2x32xf32>, tensor<64x2x32xf32>, tensor<64x4x16xf32>,
         tensor<64x4xf32>) -> tensor<64x4x16xf32>
  return %o : tensor<64x4x16xf32>
}

// Every operand and attribute.

// CHECK-LABEL: func.func @everything
// CHECK: %{{.*}}, %{{.*}} = deltanet.delta_rule gated, grouped, kv
// CHECK-SAME: q(%{{.*}}) k(%{{.*}}) v(%{{.*}}) g(%{{.*}}) beta(%{{.*}}) state(%{{.*}}) cu_seqlens(%{{.*}}) scale(%{{.*}}) outs(%{{[^)]*}})
// CHECK-SAME: {l2norm_eps = 0.000000e+00 : f32, scale = -2.500000e-01 : f32, schedules = [
// CHECK-SAME: #deltanet.schedule<recurrent, max_tokens = 1, state = memory>,
// CHECK-SAME: #deltanet.schedule<chunked, min_tokens = 2, max_tokens = 100, value_slice = 32, columns = 32, chunk = 128, staging = two_stage, register_rows = 6>,
// CHECK-SAME: #deltanet.schedule<recurrent, min_tokens = 101, tokens = 2, rows = 4, prefetch = 8192>]}
// GENERIC: operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>
func.func @everything(
    %q: tensor<?x2x64xbf16>, %k: tensor<?x2x64xbf16>, %v: tensor<?x6x64xbf16>,
    %g: tensor<?x6xf32>, %b: tensor<?x6xf32>, %s: tensor<?x6x64x64xf32>,
    %cu: tensor<?xi64>, %f: f32, %od: tensor<?x6x64xbf16>,
    %sd: tensor<?x6x64x64xf32>)
    -> (tensor<?x6x64xbf16>, tensor<?x6x64x64xf32>) {
  %o, %z = deltanet.delta_rule gated, grouped, kv q(%q) k(%k) v(%v) g(%g)
      beta(%b) state(%s) cu_seqlens(%cu) scale(%f) outs(%od, %sd)
      {l2norm_eps = 0.0 : f32, scale = -0.25 : f32, schedules = [
       #deltanet.schedule<recurrent, min_tokens = 0, max_tokens = 1,
                          tokens = 1, state = memory>,
       #deltanet.schedule<chunked, min_tokens = 2, max_tokens = 100,
                          value_slice = 32, columns = 32, chunk = 128,
                          staging = two_stage, register_rows = 6>,
       #deltanet.schedule<recurrent, prefetch = 8192, rows = 4, tokens = 2,
                          min_tokens = 101, max_tokens = 9223372036854775807>]}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x6x64xbf16>,
         tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6x64x64xf32>,
         tensor<?xi64>, f32, tensor<?x6x64xbf16>, tensor<?x6x64x64xf32>)
      -> (tensor<?x6x64xbf16>, tensor<?x6x64x64xf32>)
  return %o, %z : tensor<?x6x64xbf16>, tensor<?x6x64x64xf32>
}

// The limits of C4 and C9, and one destination for one result.

// CHECK-LABEL: func.func @limits
// CHECK: deltanet.delta_rule delta, grouped, kv {{.*}} cu_seqlens(%{{.*}}) outs(%{{[^,]*}}) :
func.func @limits(%q: tensor<1x1x16xf16>, %v: tensor<1x1024x256xf16>,
                  %b: tensor<1x1024xf32>, %cu: tensor<1xi32>,
                  %s: tensor<0x1024x16x256xf32>, %od: tensor<1x1024x256xf16>)
    -> tensor<1x1024x256xf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      state(%s) cu_seqlens(%cu) outs(%od)
      : (tensor<1x1x16xf16>, tensor<1x1x16xf16>, tensor<1x1024x256xf16>,
         tensor<1x1024xf32>, tensor<0x1024x16x256xf32>, tensor<1xi32>,
         tensor<1x1024x256xf16>) -> tensor<1x1024x256xf16>
  return %o : tensor<1x1024x256xf16>
}

// CHECK-LABEL: func.func @pass
// CHECK: %{{.*}}, %{{.*}}, %{{.*}} = deltanet.recurrence_pass state(%{{.*}}) previous(%{{.*}}) current(%{{.*}}) delta(%{{.*}}) values(%{{.*}}) coefficients(%{{.*}}) outs(%{{.*}}) {rare_decay, rows = 4 : i64} :
// CHECK: deltanet.recurrence_pass {{.*}} outs(%{{.*}}) : (tensor<16x8xf32>
// GENERIC: "deltanet.recurrence_pass"{{.*}} <{rare_decay, rows = 4 : i64}>
func.func @pass(%s: tensor<16x8xf32>, %p: tensor<1x2x16xf32>,
                %d: tensor<1x8xf32>, %f: tensor<6xf32>) -> tensor<16x8xf32> {
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%p) delta(%d)
      values(%d) coefficients(%f) outs(%d) {rare_decay, rows = 4 : i64}
      : (tensor<16x8xf32>, tensor<1x2x16xf32>, tensor<1x2x16xf32>,
         tensor<1x8xf32>, tensor<1x8xf32>, tensor<6xf32>, tensor<1x8xf32>)
      -> (tensor<16x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
  %t:3 = deltanet.recurrence_pass state(%r#0) previous(%p) current(%p)
      delta(%r#1) values(%d) coefficients(%f) outs(%r#2) {rows = 1 : i64}
      : (tensor<16x8xf32>, tensor<1x2x16xf32>, tensor<1x2x16xf32>,
         tensor<1x8xf32>, tensor<1x8xf32>, tensor<6xf32>, tensor<1x8xf32>)
      -> (tensor<16x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
  return %t#0 : tensor<16x8xf32>
}

// Attributes keep every value, and print only what is no default.

// CHECK: func.func private @attributes(f32 {deltanet.role = #deltanet<role scale>})
// CHECK-SAME: a = #deltanet.target<arch = aarch64, isa = generic, vector_bits = 128, vector_registers = 32, vector_units = 2, fma = true, l1_bytes = 4096, l2_bytes = 4096, streams = 4, matrix = none>
// CHECK-SAME: b = #deltanet.schedule<recurrent>
// CHECK-SAME: c = #deltanet.schedule<chunked>
// CHECK-SAME: d = #deltanet.schedule<recurrent, columns = 24, tokens = 8, block = 256>
// CHECK-SAME: e = #deltanet.kernel<rule = gated, head_map = tiled, state_layout = vk, h = 2, hv = 4, k = 64, v = 32, io = f16, scale = 1.250000e-01 : f32>
// CHECK-SAME: f = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = bf16, scale = 1.000000e+00 : f32, l2norm_eps = 9.99999997E-7 : f32, cu_seqlens = i32, tokens = 1, schedules = [#deltanet.schedule<recurrent>]>
// CHECK-SAME: g = #deltanet<rule gated>
// CHECK-SAME: h = #deltanet<head_map grouped>
// CHECK-SAME: i = #deltanet<state_layout kv>
func.func private @attributes(f32 {deltanet.role = #deltanet<role scale>})
    attributes {
  a = #deltanet.target<arch = aarch64, isa = generic, vector_bits = 128,
      vector_registers = 32, vector_units = 2, fma = true, l1_bytes = 4096, l2_bytes = 4096, streams = 4,
      matrix = none>,
  b = #deltanet.schedule<recurrent, min_tokens = 0, value_slice = 0,
      columns = 16, tokens = 1, rows = 1, block = 64, state = scratch,
      prefetch = 0, chunk = 64, staging = one_pass, register_rows = 4>,
  c = #deltanet.schedule<chunked>,
  d = #deltanet.schedule<recurrent, columns = 24, tokens = 8, block = 256>,
  e = #deltanet.kernel<rule = gated, head_map = tiled, state_layout = vk, h = 2,
      hv = 4, k = 64, v = 32, io = f16, scale = 0.125 : f32, tokens = -1>,
  f = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
      h = 1, hv = 1, k = 16, v = 16, io = bf16, scale = 1.0 : f32,
      l2norm_eps = 1.0e-6 : f32, cu_seqlens = i32, tokens = 1,
      schedules = [#deltanet.schedule<recurrent>]>,
  g = #deltanet<rule gated>, h = #deltanet<head_map grouped>,
  i = #deltanet<state_layout kv>}
