// RUN: delta-opt %s -deltanet-select-schedule -split-input-file | FileCheck %s
// RUN: delta-opt %s -deltanet-select-schedule -split-input-file -remarks-filter=deltanet-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: delta-opt %s -deltanet-select-schedule -split-input-file -o %t.once
// RUN: delta-opt %t.once -deltanet-select-schedule -split-input-file | diff %t.once -

// Tokens one by one for few of them: a thread has about 32 elements of a state, so
// that 4 warps take 32 columns where K is 128. Chunks for many, each warp with 16
// columns.

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912,
    shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
// CHECK-LABEL: func.func @model
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 63, value_slice = 32, state = registers, warps = 4>, #deltanet.schedule<chunked, min_tokens = 64, value_slice = 64, staging = two_stage, matrix = mma, warps = 4, intra_warps = 8>]}
// REMARK: select-schedule-gpu.mlir:[[@LINE+5]]:8: remark: [Passed] schedule | Category:deltanet-schedule | Function=model | Reason="a block of 4 warps keeps 32 columns of a state in registers, 32 a thread: it is read and written once for all tokens of a sequence", Remark="chose #deltanet.schedule<recurrent, max_tokens = 63, value_slice = 32, state = registers, warps = 4> for sm_80"
// REMARK: Function=model | Reason="tensor cores compute chunks of 64 tokens, 4 warps a block with 16 columns of a state each: by an estimate worth it from 64 tokens on; 8 blocks a sequence wait for the copies of each chunk", Remark="chose #deltanet.schedule<chunked, min_tokens = 64, {{.*}} for sm_80"
// REMARK-NOT: Function=model
func.func @model(%q: tensor<?x2x128xbf16>, %v: tensor<?x4x128xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x128x128xf32>) -> tensor<?x4x128xbf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x128xbf16>, tensor<?x2x128xbf16>, tensor<?x4x128xbf16>, tensor<?x4xf32>,
         tensor<1x4x128x128xf32>) -> tensor<?x4x128xbf16>
  return %o : tensor<?x4x128xbf16>
}

// The largest state, and few columns of one: no chunks.

// CHECK-LABEL: func.func @most
// REMARK: Function=most | Reason="{{.*}}; no chunks, because K = 256 leaves no registers for products beside the state"
// CHECK: {schedules = [#deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 4>]}
func.func @most(%q: tensor<?x2x256xbf16>, %v: tensor<?x4x256xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x256x256xf32>) -> tensor<?x4x256xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x256xbf16>, tensor<?x2x256xbf16>, tensor<?x4x256xbf16>, tensor<?x4xf32>,
         tensor<1x4x256x256xf32>) -> tensor<?x4x256xbf16>
  return %o : tensor<?x4x256xbf16>
}

// CHECK-LABEL: func.func @few_columns
// CHECK: {schedules = [#deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 4>]}
func.func @few_columns(%q: tensor<?x2x256xbf16>, %v: tensor<?x4x16xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x256x16xf32>) -> tensor<?x4x16xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x256xbf16>, tensor<?x2x256xbf16>, tensor<?x4x16xbf16>, tensor<?x4xf32>,
         tensor<1x4x256x16xf32>) -> tensor<?x4x16xbf16>
  return %o : tensor<?x4x16xbf16>
}

// CHECK-LABEL: func.func @few_rows
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 63, value_slice = 256, state = registers, warps = 4>, #deltanet.schedule<chunked, min_tokens = 64, value_slice = 64, staging = two_stage, matrix = mma, warps = 4, intra_warps = 8>]}
func.func @few_rows(%q: tensor<?x2x16xbf16>, %v: tensor<?x4x256xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x256x16xf32>) -> tensor<?x4x256xbf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x16xbf16>, tensor<?x2x16xbf16>, tensor<?x4x256xbf16>, tensor<?x4xf32>,
         tensor<1x4x256x16xf32>) -> tensor<?x4x256xbf16>
  return %o : tensor<?x4x256xbf16>
}

// The smallest is for one warp.

// CHECK-LABEL: func.func @least
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 63, value_slice = 16, state = registers, warps = 1>, #deltanet.schedule<chunked, min_tokens = 64, value_slice = 16, staging = two_stage, matrix = mma, warps = 1, intra_warps = 8, stages = 2>]}
// REMARK: Function=least | Reason="a block of 1 warp keeps 16 columns of a state in registers, 8 a thread:
func.func @least(%q: tensor<?x2x16xbf16>, %v: tensor<?x4x16xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x16x16xf32>) -> tensor<?x4x16xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x16xbf16>, tensor<?x2x16xbf16>, tensor<?x4x16xbf16>, tensor<?x4xf32>,
         tensor<1x4x16x16xf32>) -> tensor<?x4x16xbf16>
  return %o : tensor<?x4x16xbf16>
}

// K that 32 lanes do not divide: 4 lanes have whole accesses along it, and 8 rows
// a warp are not to be had four times, where V is 16 or 80.

// CHECK-LABEL: func.func @odd_vk
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 63, value_slice = 16, state = registers, warps = 1>, #deltanet.schedule<chunked, min_tokens = 64, value_slice = 16, staging = two_stage, matrix = mma, warps = 1, intra_warps = 8>]}
func.func @odd_vk(%q: tensor<?x2x48xbf16>, %v: tensor<?x4x80xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x80x48xf32>) -> tensor<?x4x80xbf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x48xbf16>, tensor<?x2x48xbf16>, tensor<?x4x80xbf16>, tensor<?x4xf32>,
         tensor<1x4x80x48xf32>) -> tensor<?x4x80xbf16>
  return %o : tensor<?x4x80xbf16>
}

// CHECK-LABEL: func.func @odd_kv
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 63, value_slice = 16, state = registers, warps = 1>, #deltanet.schedule<chunked, min_tokens = 64, value_slice = 16, staging = two_stage, matrix = mma, warps = 1, intra_warps = 8>]}
func.func @odd_kv(%q: tensor<?x2x80xbf16>, %v: tensor<?x4x48xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x80x48xf32>) -> tensor<?x4x48xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x80xbf16>, tensor<?x2x80xbf16>, tensor<?x4x48xbf16>, tensor<?x4xf32>,
         tensor<1x4x80x48xf32>) -> tensor<?x4x48xbf16>
  return %o : tensor<?x4x48xbf16>
}

// CHECK-LABEL: func.func @odd_most
// CHECK: {schedules = [#deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 2>]}
// REMARK: Function=odd_most | Reason="a block of 2 warps keeps 16 columns of a state in registers, 60 a thread:
func.func @odd_most(%q: tensor<?x2x240xbf16>, %v: tensor<?x4x16xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x16x240xf32>) -> tensor<?x4x16xbf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b) state(%s)
      : (tensor<?x2x240xbf16>, tensor<?x2x240xbf16>, tensor<?x4x16xbf16>, tensor<?x4xf32>,
         tensor<1x4x16x240xf32>) -> tensor<?x4x16xbf16>
  return %o : tensor<?x4x16xbf16>
}

// Blocks of which several share a multiprocessor do not copy ahead.

// CHECK-LABEL: func.func @many_blocks
// CHECK: matrix = mma, warps = 4, intra_warps = 8>]}
// REMARK: Function=many_blocks | Reason="{{.*}} 110 blocks a sequence wait for the copies of each chunk"
func.func @many_blocks(%q: tensor<?x2x64xbf16>, %v: tensor<?x110x64xbf16>,
    %b: tensor<?x110xf32>) -> tensor<?x110x64xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x110x64xbf16>,
         tensor<?x110xf32>) -> tensor<?x110x64xbf16>
  return %o : tensor<?x110x64xbf16>
}

// The largest K with chunks is 128.

// CHECK-LABEL: func.func @beyond
// CHECK: {schedules = [#deltanet.schedule<recurrent, value_slice = {{[0-9]+}}, state = registers, warps = {{[0-9]}}>]}
// REMARK: Function=beyond | Reason="{{.*}}; no chunks, because K = 144 leaves
func.func @beyond(%q: tensor<?x2x144xf16>, %v: tensor<?x2x32xf16>, %b: tensor<?x2xf32>)
    -> tensor<?x2x32xf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x2x144xf16>, tensor<?x2x144xf16>, tensor<?x2x32xf16>, tensor<?x2xf32>)
      -> tensor<?x2x32xf16>
  return %o : tensor<?x2x32xf16>
}

// Of f32, products are three for one, and chunks half as long.

// CHECK-LABEL: func.func @floats
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 63, value_slice = 32, state = registers, warps = 4>, #deltanet.schedule<chunked, min_tokens = 64, value_slice = 64, chunk = 32, staging = two_stage, matrix = mma, warps = 4, intra_warps = 8>]}
// REMARK: Function=floats | Reason="tensor cores compute chunks of 32 tokens
func.func @floats(%q: tensor<?x2x128xf32>, %b: tensor<?x2xf32>) -> tensor<?x2x128xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<?x2x128xf32>, tensor<?x2x128xf32>, tensor<?x2x128xf32>, tensor<?x2xf32>)
      -> tensor<?x2x128xf32>
  return %o : tensor<?x2x128xf32>
}

// Four lanes share a row of 48 channels, and four warps 32 rows.

// CHECK-LABEL: func.func @few_lanes
// CHECK: chunk = 32, staging = two_stage, matrix = mma, warps = 1, intra_warps = 4{{.*}}>]}
func.func @few_lanes(%q: tensor<?x2x48xf32>, %v: tensor<?x2x16xf32>, %b: tensor<?x2xf32>)
    -> tensor<?x2x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x2x48xf32>, tensor<?x2x48xf32>, tensor<?x2x16xf32>, tensor<?x2xf32>)
      -> tensor<?x2x16xf32>
  return %o : tensor<?x2x16xf32>
}

// A known number of tokens has one schedule, unless it is that of several sequences.

// CHECK-LABEL: func.func @short
// CHECK: {schedules = [#deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = {{[0-9]}}>]}
// REMARK-NOT: Function=short | Reason="{{.*}}no chunks
func.func @short(%q: tensor<63x2x32xf16>, %b: tensor<63x2xf32>) -> tensor<63x2x32xf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<63x2x32xf16>, tensor<63x2x32xf16>, tensor<63x2x32xf16>, tensor<63x2xf32>)
      -> tensor<63x2x32xf16>
  return %o : tensor<63x2x32xf16>
}

// CHECK-LABEL: func.func @long
// CHECK: {schedules = [#deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2, intra_warps = 8>]}
func.func @long(%q: tensor<64x2x32xf16>, %b: tensor<64x2xf32>) -> tensor<64x2x32xf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<64x2x32xf16>, tensor<64x2x32xf16>, tensor<64x2x32xf16>, tensor<64x2xf32>)
      -> tensor<64x2x32xf16>
  return %o : tensor<64x2x32xf16>
}

// CHECK-LABEL: func.func @packed
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 63, {{.*}}>, #deltanet.schedule<chunked, min_tokens = 64, {{.*}}>]}
func.func @packed(%q: tensor<99x2x32xf16>, %b: tensor<99x2xf32>, %cu: tensor<?xi32>)
    -> tensor<99x2x32xf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) cu_seqlens(%cu)
      : (tensor<99x2x32xf16>, tensor<99x2x32xf16>, tensor<99x2x32xf16>, tensor<99x2xf32>,
         tensor<?xi32>) -> tensor<99x2x32xf16>
  return %o : tensor<99x2x32xf16>
}
}

// -----

// What is given is taken.

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912,
    shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
// CHECK-LABEL: func.func @given
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 8, value_slice = 64, state = registers, warps = 2>, #deltanet.schedule<chunked, min_tokens = 9, value_slice = 64, staging = two_stage, matrix = mma, warps = 4>]}
// REMARK: Function=given | Reason="given by the rule", Remark="chose #deltanet.schedule<recurrent, max_tokens = 8, {{.*}} for sm_80"
// REMARK: Function=given | Reason="given by the rule", Remark="chose #deltanet.schedule<chunked, {{.*}} for sm_80"
func.func @given(%q: tensor<?x2x64xbf16>, %v: tensor<?x4x64xbf16>, %b: tensor<?x4xf32>,
    %s: tensor<1x4x64x64xf32>) -> tensor<?x4x64xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) state(%s)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 8, value_slice = 64,
                                       state = registers, warps = 2>,
                    #deltanet.schedule<chunked, min_tokens = 9, value_slice = 64,
                                       staging = two_stage, matrix = mma, warps = 4>]}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x4x64xbf16>, tensor<?x4xf32>,
         tensor<1x4x64x64xf32>) -> tensor<?x4x64xbf16>
  return %o : tensor<?x4x64xbf16>
}
}

// -----

// What runs on one GPU alone may take all of its shared memory.

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_90a, multiprocessors = 132, threads = 2048, shared_bytes = 232448,
    shared_bytes_in_all = 233472, tensor_core = wgmma, async_copy = tma>} {
// CHECK-LABEL: func.func @two_slots
// CHECK: matrix = mma, warps = 4, intra_warps = 8, stages = 2>]}
// REMARK: Function=two_slots | Reason="{{.*}} 4 blocks a sequence copy the next chunk while they compute one"
func.func @two_slots(%q: tensor<?x2x128xbf16>, %b: tensor<?x2xf32>)
    -> tensor<?x2x128xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<?x2x128xbf16>, tensor<?x2x128xbf16>, tensor<?x2x128xbf16>,
         tensor<?x2xf32>) -> tensor<?x2x128xbf16>
  return %o : tensor<?x2x128xbf16>
}
}
