// RUN: delta-opt %s -deltanet-form-kernels -split-input-file | FileCheck %s
// RUN: delta-opt %s -deltanet-form-kernels -split-input-file -o %t.once
// RUN: delta-opt %t.once -deltanet-form-kernels -split-input-file | diff %t.once -

// Arguments come in the order of their roles, whatever the input's was; scale
// and destinations are new.

// CHECK-LABEL: func.func @gated(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<?x2x64xbf16> {deltanet.role = #deltanet<role q>}
// CHECK-SAME: %[[K:[^:]*]]: tensor<?x2x64xbf16> {deltanet.role = #deltanet<role k>}
// CHECK-SAME: %[[V:[^:]*]]: tensor<?x4x32xbf16> {deltanet.role = #deltanet<role v>}
// CHECK-SAME: %[[G:[^:]*]]: tensor<?x4xf32> {deltanet.role = #deltanet<role g>}
// CHECK-SAME: %[[B:[^:]*]]: tensor<?x4xf32> {deltanet.role = #deltanet<role beta>}
// CHECK-SAME: %[[S:[^:]*]]: tensor<?x4x32x64xf32> {deltanet.role = #deltanet<role state_in>}
// CHECK-SAME: %[[CU:[^:]*]]: tensor<?xi64> {deltanet.role = #deltanet<role cu_seqlens>}
// CHECK-SAME: %[[SCALE:[^:]*]]: f32 {deltanet.role = #deltanet<role scale>}
// CHECK-SAME: %[[O:[^:]*]]: tensor<?x4x32xbf16> {deltanet.role = #deltanet<role o>}
// CHECK-SAME: %[[F:[^:]*]]: tensor<?x4x32x64xf32> {deltanet.role = #deltanet<role state_out>}
// CHECK-SAME: -> (tensor<?x4x32xbf16>, tensor<?x4x32x64xf32>)
// CHECK-SAME: deltanet.kernel = #deltanet.kernel<rule = gated, head_map = tiled, state_layout = vk, h = 2, hv = 4, k = 64, v = 32, io = bf16, scale = 5.000000e-01 : f32, l2norm_eps = 9.99999997E-7 : f32, cu_seqlens = i64>
// CHECK-NEXT: %[[R:[^,]*]], %[[Z:[^ ]*]] = deltanet.delta_rule gated, tiled, vk
// CHECK-SAME: q(%[[Q]]) k(%[[K]]) v(%[[V]]) g(%[[G]]) beta(%[[B]]) state(%[[S]]) cu_seqlens(%[[CU]]) scale(%[[SCALE]]) outs(%[[O]], %[[F]])
// CHECK-SAME: {l2norm_eps = 9.99999997E-7 : f32} :
// CHECK-NEXT: return %[[R]], %[[Z]]
func.func @gated(%cu: tensor<?xi64>, %s: tensor<?x4x32x64xf32>,
                 %b: tensor<?x4xf32>, %g: tensor<?x4xf32>,
                 %v: tensor<?x4x32xbf16>, %k: tensor<?x2x64xbf16>,
                 %q: tensor<?x2x64xbf16>)
    -> (tensor<?x4x32xbf16>, tensor<?x4x32x64xf32>) {
  %o, %f = deltanet.delta_rule gated, tiled, vk q(%q) k(%k) v(%v) g(%g)
      beta(%b) state(%s) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32, scale = 0.5 : f32}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x4x32xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x32x64xf32>,
         tensor<?xi64>) -> (tensor<?x4x32xbf16>, tensor<?x4x32x64xf32>)
  return %o, %f : tensor<?x4x32xbf16>, tensor<?x4x32x64xf32>
}

// -----

// Without optional operands: no state, T static, the scale is K^-1/2. Given
// schedules become facts of the kernel; other attributes stay.

// CHECK-LABEL: func.func @delta(
// CHECK-SAME: {deltanet.role = #deltanet<role q>}, {{.*}}<role k>}, {{.*}}<role v>}, {{.*}}<role beta>}, {{.*}}<role scale>}, {{.*}}<role o>}) -> tensor<7x1x16xf32>
// CHECK-SAME: deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.500000e-01 : f32, tokens = 7, schedules = [#deltanet.schedule<recurrent>]>
// CHECK-SAME: mark = 1
// CHECK: deltanet.delta_rule {{.*}} {schedules = [#deltanet.schedule<recurrent>]}
func.func @delta(%q: tensor<7x1x16xf32>, %k: tensor<7x1x16xf32>,
                 %v: tensor<7x1x16xf32>, %b: tensor<7x1xf32>)
    -> tensor<7x1x16xf32> attributes {mark = 1} {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<7x1x16xf32>, tensor<7x1x16xf32>, tensor<7x1x16xf32>,
         tensor<7x1xf32>) -> tensor<7x1x16xf32>
  return %o : tensor<7x1x16xf32>
}

// -----

// N = 1 may be written out where there is no cu_seqlens.

// CHECK-LABEL: func.func @one_sequence
// CHECK-SAME: tensor<1x1x16x16xf32> {deltanet.role = #deltanet<role state_in>}
// CHECK-SAME: tensor<?x1x16x16xf32> {deltanet.role = #deltanet<role state_out>}
func.func @one_sequence(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                        %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>,
                        %s: tensor<1x1x16x16xf32>)
    -> (tensor<?x1x16xf32>, tensor<?x1x16x16xf32>) {
  %o, %f = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      state(%s)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<1x1x16x16xf32>)
      -> (tensor<?x1x16xf32>, tensor<?x1x16x16xf32>)
  return %o, %f : tensor<?x1x16xf32>, tensor<?x1x16x16xf32>
}
