// RUN: delta-opt %s -deltanet-specialize-by-length -split-input-file | FileCheck %s

// Each rule takes the results of the one before as destinations.

// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[OD:[^:]*]]: tensor<?x1x32xf32>, %[[SD:[^:]*]]: tensor<?x1x16x32xf32>)
// CHECK-NEXT: %[[O1:[^,]*]], %[[S1:[^ ]*]] = deltanet.delta_rule {{.*}} outs(%[[OD]], %[[SD]]) {l2norm_eps = 1.000000e+00 : f32, schedules = [#deltanet.schedule<recurrent, max_tokens = 1, state = memory>]}
// CHECK-NEXT: %[[O2:[^,]*]], %[[S2:[^ ]*]] = deltanet.delta_rule {{.*}} outs(%[[O1]], %[[S1]]) {l2norm_eps = 1.000000e+00 : f32, schedules = [#deltanet.schedule<recurrent, min_tokens = 2, max_tokens = 64>]}
// CHECK-NEXT: %[[O3:[^,]*]], %[[S3:[^ ]*]] = deltanet.delta_rule {{.*}} outs(%[[O2]], %[[S2]]) {l2norm_eps = 1.000000e+00 : f32, schedules = [#deltanet.schedule<chunked, min_tokens = 65>]}
// CHECK-NEXT: return %[[O3]], %[[S3]]
func.func @three(%q: tensor<?x1x16xf32>, %v: tensor<?x1x32xf32>,
                 %b: tensor<?x1xf32>, %scale: f32, %od: tensor<?x1x32xf32>,
                 %sd: tensor<?x1x16x32xf32>)
    -> (tensor<?x1x32xf32>, tensor<?x1x16x32xf32>) {
  %o, %s = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      scale(%scale) outs(%od, %sd) {l2norm_eps = 1.0 : f32, schedules = [
          #deltanet.schedule<recurrent, max_tokens = 1, state = memory>,
          #deltanet.schedule<recurrent, min_tokens = 2, max_tokens = 64>,
          #deltanet.schedule<chunked, min_tokens = 65>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x32xf32>,
         tensor<?x1xf32>, f32, tensor<?x1x32xf32>, tensor<?x1x16x32xf32>)
      -> (tensor<?x1x32xf32>, tensor<?x1x16x32xf32>)
  return %o, %s : tensor<?x1x32xf32>, tensor<?x1x16x32xf32>
}

// -----

// Without a final state only o is chained.

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[OD:[^:]*]]: tensor<?x1x16xf32>)
// CHECK-NEXT: %[[O1:.*]] = deltanet.delta_rule {{.*}} outs(%[[OD]]) {schedules = [#deltanet.schedule<recurrent, max_tokens = 15>]}
// CHECK-NEXT: %[[O2:.*]] = deltanet.delta_rule {{.*}} outs(%[[O1]]) {schedules = [#deltanet.schedule<chunked, min_tokens = 16>]}
// CHECK-NEXT: return %[[O2]]
func.func @two(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>,
               %od: tensor<?x1x16xf32>) -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      outs(%od) {schedules = [#deltanet.schedule<recurrent, max_tokens = 15>,
                              #deltanet.schedule<chunked, min_tokens = 16>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

// Nothing to do: one schedule, none, or no destinations to chain.

// CHECK-LABEL: func.func @unchanged
// CHECK-COUNT-3: deltanet.delta_rule
// CHECK-NOT: deltanet.delta_rule
func.func @unchanged(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>,
                     %od: tensor<?x1x16xf32>)
    -> (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>) {
  %x = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      outs(%od) {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  %y = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      outs(%od)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  %z = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 15>,
                    #deltanet.schedule<chunked, min_tokens = 16>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %x, %y, %z
      : tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>
}
