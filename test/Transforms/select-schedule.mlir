// RUN: delta-opt %s -deltanet-select-schedule -split-input-file | FileCheck %s
// RUN: delta-opt %s -deltanet-select-schedule -split-input-file -remarks-filter=deltanet-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: delta-opt %s -deltanet-select-schedule -split-input-file -o %t.once
// RUN: delta-opt %t.once -deltanet-select-schedule -split-input-file | diff %t.once -

// T is dynamic: one schedule for a token, one for more, each with its reason.

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: schedules = [#deltanet.schedule<recurrent, max_tokens = 1, rows = 4, state = memory, prefetch = 65536>, #deltanet.schedule<recurrent, min_tokens = 2, tokens = 2, rows = 2>]>
// CHECK: schedules = [#deltanet.schedule<recurrent, max_tokens = 1, rows = 4, state = memory, prefetch = 65536>, #deltanet.schedule<recurrent, min_tokens = 2, tokens = 2, rows = 2>]
// REMARK: select-schedule.mlir:[[@LINE+11]]:8: remark: [Passed] schedule | Category:deltanet-schedule | Function=dynamic | Reason="one token: bound by memory, so the state is read and written where it lies, 4 rows at once from as many parts of it, which the hardware prefetches as streams; a quarter of the next state is prefetched while one is updated from the L2 cache", Remark="chose #deltanet.schedule<recurrent, max_tokens = 1, rows = 4, state = memory, prefetch = 65536> for avx2"
// REMARK: Function=dynamic | Reason="estimated cycles per token and value head: recurrent, 2 tokens x 16 columns: {{[0-9]+}}; chunked, 16 tokens: {{[0-9]+}}", Remark="chose #deltanet.schedule<recurrent, min_tokens = 2, tokens = 2, rows = 2> for avx2"
// REMARK-NOT: Function=dynamic
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
    fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>} {
func.func @dynamic(%q: tensor<?x16x128xbf16>, %v: tensor<?x32x128xbf16>,
                   %b: tensor<?x32xf32>) -> tensor<?x32x128xbf16>
    attributes {deltanet.kernel = #deltanet.kernel<rule = delta,
        head_map = grouped, state_layout = kv, h = 16, hv = 32, k = 128,
        v = 128, io = bf16, scale = 1.0 : f32>} {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x16x128xbf16>, tensor<?x16x128xbf16>, tensor<?x32x128xbf16>,
         tensor<?x32xf32>) -> tensor<?x32x128xbf16>
  return %o : tensor<?x32x128xbf16>
}
}

// -----

// T is static: no schedule for lengths that do not occur. Few heads: slices of
// 64 value columns, with the reason.

// CHECK-LABEL: func.func @static
// CHECK: = deltanet.delta_rule {{.*}} {schedules = [#deltanet.schedule<recurrent, max_tokens = 1, rows = 4, state = memory, prefetch = 65536>]} : (tensor<1x1x128xf32>
// CHECK: = deltanet.delta_rule {{.*}} {schedules = [#deltanet.schedule<recurrent, value_slice = 64, tokens = 2, rows = 2>]} : (tensor<64x1x128xf32>
// CHECK: = deltanet.delta_rule {{.*}} cu_seqlens({{.*}} {schedules = [#deltanet.schedule<recurrent, max_tokens = 1, rows = 4, state = memory, prefetch = 65536>, #deltanet.schedule<recurrent, min_tokens = 2, value_slice = 64, tokens = 2, rows = 2>]} : (tensor<64x1x128xf32>
// REMARK: Function=static
// REMARK: Function=static | Reason="{{.*}}; 1 key heads keep few cores busy, so slices of 64 of the 128 value columns are work items", Remark="chose #deltanet.schedule<recurrent, value_slice = 64
// REMARK-COUNT-2: Function=static
// REMARK-NOT: Function=static
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
    fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>} {
func.func @static(%q1: tensor<1x1x128xf32>, %b1: tensor<1x1xf32>,
                  %q: tensor<64x1x128xf32>, %b: tensor<64x1xf32>,
                  %cu: tensor<?xi32>) {
  %0 = deltanet.delta_rule delta, grouped, kv q(%q1) k(%q1) v(%q1) beta(%b1)
      : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1x1x128xf32>,
         tensor<1x1xf32>) -> tensor<1x1x128xf32>
  %1 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<64x1x128xf32>, tensor<64x1x128xf32>, tensor<64x1x128xf32>,
         tensor<64x1xf32>) -> tensor<64x1x128xf32>
  %2 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      cu_seqlens(%cu)
      : (tensor<64x1x128xf32>, tensor<64x1x128xf32>, tensor<64x1x128xf32>,
         tensor<64x1xf32>, tensor<?xi32>) -> tensor<64x1x128xf32>
  return
}
}

// -----

// One token: vk needs no prefetch, and neither does a kv state whose successor is
// not the next in memory. Fewer registers, fewer rows.

// CHECK-LABEL: func.func @decode
// CHECK: = deltanet.delta_rule delta, grouped, vk {{.*}} {schedules = [#deltanet.schedule<recurrent, max_tokens = 1, rows = 2, state = memory>]}
// CHECK: = deltanet.delta_rule delta, tiled, kv {{.*}} {schedules = [#deltanet.schedule<recurrent, max_tokens = 1, rows = 2, state = memory>]}
// REMARK-COUNT-2: Function=decode | Reason="one token: {{.*}} 2 rows at once from as many parts of it, which the hardware prefetches as streams",
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = generic, vector_bits = 128, vector_registers = 16, vector_units = 2,
    fma = false, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>} {
func.func @decode(%q: tensor<1x1x128xf32>, %v: tensor<1x2x128xf32>,
                  %b: tensor<1x2xf32>) {
  %0 = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b)
      : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1x2x128xf32>,
         tensor<1x2xf32>) -> tensor<1x2x128xf32>
  %1 = deltanet.delta_rule delta, tiled, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1x2x128xf32>,
         tensor<1x2xf32>) -> tensor<1x2x128xf32>
  return
}
}

// -----

// Vectors of 512 bits: blocks of one register, which takes four tokens to have
// sums enough; few tokens are served in passes of two. With two units, blocks of
// two registers, so that a broadcast serves both.

// CHECK-LABEL: func.func @wide
// CHECK: cu_seqlens({{.*}} {schedules = [{{.*}}max_tokens = 1, {{.*}}, #deltanet.schedule<recurrent, min_tokens = 2, max_tokens = 63, value_slice = 64, tokens = 2, rows = 2>, #deltanet.schedule<recurrent, min_tokens = 64, value_slice = 64, tokens = 4, rows = 2>]}
// CHECK: = deltanet.delta_rule {{.*}} {schedules = [#deltanet.schedule<recurrent, value_slice = 64, tokens = 4, rows = 2>]} : (tensor<64x1x128xf32>
// CHECK: = deltanet.delta_rule {{.*}} {schedules = [#deltanet.schedule<recurrent, value_slice = 64, tokens = 2, rows = 2>]} : (tensor<63x1x128xf32>
// REMARK: Function=wide | Reason="few tokens: passes of 2 leave less of the last one empty, and less to do after it, than passes of 4"
// REMARK: Function=wide | Reason="estimated {{.*}} recurrent, 4 tokens x 16 columns
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx512, vector_bits = 512, vector_registers = 32, vector_units = 1,
    fma = true, l1_bytes = 32768, l2_bytes = 1048576, streams = 1, matrix = none>} {
func.func @wide(%q: tensor<64x1x128xf32>, %b: tensor<64x1xf32>,
                %q63: tensor<63x1x128xf32>, %b63: tensor<63x1xf32>,
                %cu: tensor<?xi32>) {
  %0 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      cu_seqlens(%cu)
      : (tensor<64x1x128xf32>, tensor<64x1x128xf32>, tensor<64x1x128xf32>,
         tensor<64x1xf32>, tensor<?xi32>) -> tensor<64x1x128xf32>
  %1 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<64x1x128xf32>, tensor<64x1x128xf32>, tensor<64x1x128xf32>,
         tensor<64x1xf32>) -> tensor<64x1x128xf32>
  %2 = deltanet.delta_rule delta, grouped, kv q(%q63) k(%q63) v(%q63) beta(%b63)
      : (tensor<63x1x128xf32>, tensor<63x1x128xf32>, tensor<63x1x128xf32>,
         tensor<63x1xf32>) -> tensor<63x1x128xf32>
  return
}
}

// -----

module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx512, vector_bits = 512, vector_registers = 32, vector_units = 2,
    fma = true, l1_bytes = 49152, l2_bytes = 1048576, streams = 1, matrix = none>} {
// CHECK-LABEL: func.func @two_units
// CHECK: {schedules = [#deltanet.schedule<recurrent, value_slice = 64, columns = 32, tokens = 2, rows = 2>]}
func.func @two_units(%q: tensor<64x1x128xf32>, %b: tensor<64x1xf32>) {
  %0 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<64x1x128xf32>, tensor<64x1x128xf32>, tensor<64x1x128xf32>,
         tensor<64x1xf32>) -> tensor<64x1x128xf32>
  return
}
}

// -----

// The rule's own schedules stay, and no target is asked for.

// CHECK-LABEL: func.func @given
// CHECK: {schedules = [#deltanet.schedule<chunked, max_tokens = 99>, #deltanet.schedule<recurrent, min_tokens = 100>]}
// REMARK: Function=given | Reason="given by the rule", Remark="chose #deltanet.schedule<chunked, max_tokens = 99>"
// REMARK: Function=given | Reason="given by the rule", Remark="chose #deltanet.schedule<recurrent, min_tokens = 100>"
func.func @given(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {schedules = [#deltanet.schedule<chunked, max_tokens = 99>,
                    #deltanet.schedule<recurrent, min_tokens = 100>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

// A chain that SpecializeByLength made has its schedules, and facts of the
// kernel name all of them.

// CHECK-LABEL: func.func @specialized
// CHECK: outs(%{{.*}}) {schedules = [#deltanet.schedule<recurrent, max_tokens = 1>]}
// CHECK: outs(%{{.*}}) {schedules = [#deltanet.schedule<recurrent, min_tokens = 2>]}
// REMARK-NOT: Function=specialized
func.func @specialized(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>,
                       %od: tensor<?x1x16xf32>) -> tensor<?x1x16xf32> {
  %x = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      outs(%od) {schedules = [#deltanet.schedule<recurrent, max_tokens = 1>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      outs(%x) {schedules = [#deltanet.schedule<recurrent, min_tokens = 2>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
// REMARK-NOT: remark
func.func @nothing() { return }
