// RUN: delta-opt %s -deltanet-select-schedule -split-input-file | FileCheck %s
// RUN: delta-opt %s -deltanet-select-schedule -split-input-file -remarks-filter=deltanet-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A matrix unit multiplies the chunks of sequences that are long enough for one;
// shorter ones are a recurrence, single tokens are decoded.

// CHECK-LABEL: func.func @long_enough
// CHECK: schedules = [#deltanet.schedule<recurrent, max_tokens = 1, state = memory>, #deltanet.schedule<recurrent, min_tokens = 2, max_tokens = [[#LAST:]], {{[^>]*}}>,
// CHECK-SAME: #deltanet.schedule<chunked, min_tokens = [[#LAST+1]], columns = 32, {{.*}}matrix = amx>]
// REMARK: Function=long_enough
// REMARK: Function=long_enough
// REMARK: Function=long_enough | Reason="estimated cycles of a chunk of 64 tokens and value head on amx: {{[0-9]+}}, as many as the recurrence takes for {{[0-9]+}} tokens", Remark="chose #deltanet.schedule<chunked,
#target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2, fma = true, l1_bytes = 49152, l2_bytes = 2097152,
    streams = 1, matrix = amx>
module attributes {deltanet.target = #target} {
func.func @long_enough(%q: tensor<?x16x128xbf16>, %v: tensor<?x32x128xbf16>,
                       %b: tensor<?x32xf32>) -> tensor<?x32x128xbf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x16x128xbf16>, tensor<?x16x128xbf16>, tensor<?x32x128xbf16>,
         tensor<?x32xf32>) -> tensor<?x32x128xbf16>
  return %o : tensor<?x32x128xbf16>
}

// One length, one schedule.

// CHECK-LABEL: func.func @static
// CHECK: schedules = [#deltanet.schedule<chunked, columns = 32, {{.*}}matrix = amx>]
func.func @static(%q: tensor<512x16x128xbf16>, %v: tensor<512x32x128xbf16>,
                  %b: tensor<512x32xf32>) -> tensor<512x32x128xbf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b)
      : (tensor<512x16x128xbf16>, tensor<512x16x128xbf16>,
         tensor<512x32x128xbf16>, tensor<512x32xf32>)
      -> tensor<512x32x128xbf16>
  return %o : tensor<512x32x128xbf16>
}

// What tiles cannot hold is computed on vectors, and the remark says why.

// CHECK-LABEL: func.func @half
// CHECK-NOT: matrix
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: matrix
// REMARK: Function=half
// REMARK: Function=half | Reason="{{.*}}; amx is for bf16 activations"
// REMARK: Function=narrow
// REMARK: Function=narrow | Reason="{{.*}}; amx is for K in multiples of 32"
func.func @half(%q: tensor<?x2x64xf16>, %b: tensor<?x2xf32>)
    -> tensor<?x2x64xf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%q) beta(%b)
      : (tensor<?x2x64xf16>, tensor<?x2x64xf16>, tensor<?x2x64xf16>,
         tensor<?x2xf32>) -> tensor<?x2x64xf16>
  return %o : tensor<?x2x64xf16>
}
func.func @narrow(%q: tensor<?x2x48xbf16>, %b: tensor<?x2xf32>)
    -> tensor<?x2x48xbf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%q) beta(%b)
      : (tensor<?x2x48xbf16>, tensor<?x2x48xbf16>, tensor<?x2x48xbf16>,
         tensor<?x2xf32>) -> tensor<?x2x48xbf16>
  return %o : tensor<?x2x48xbf16>
}
}
