// What is chosen for a GPU and why, printed and as remarks: chunks, and why a rule
// has none.
// RUN: delta-compile %s --target=nvptx --sm=80 --emit=rule -o %t.mlir -v --remarks=%t.yaml 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=YAML < %t.yaml
// RUN: delta-compile %s --target=nvptx --sm=89 --emit=rule -o %t.mlir -v 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: delta-compile %s --target=nvptx --sm=80 --emit=rule -o %t.mlir 2>&1 | count 0

// CHECK: gpu-schedules.mlir:[[#@LINE+8]]:8: remark: chose #deltanet.schedule<recurrent, max_tokens = 63, value_slice = 16, state = registers, warps = 1> for sm_80: a block of 1 warp keeps
// CHECK: gpu-schedules.mlir:[[#@LINE+7]]:8: remark: chose #deltanet.schedule<chunked, min_tokens = 64, {{.*}} matrix = mma, warps = 1, intra_warps = 8> for sm_80: tensor cores compute chunks of 64 tokens, {{.*}} by an estimate worth it from 64 tokens on
// YAML: 'chose #deltanet.schedule<recurrent, max_tokens = 63
// YAML: Reason: {{.*}}it is read and written once
// YAML: 'chose #deltanet.schedule<chunked, min_tokens = 64
// YAML: Reason: {{.*}}worth it from 64 tokens on
func.func @chunks(%q: tensor<?x1x64xf16>, %k: tensor<?x1x64xf16>, %v: tensor<?x1x16xf16>,
                  %b: tensor<?x1xf32>) -> tensor<?x1x16xf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x64xf16>, tensor<?x1x64xf16>, tensor<?x1x16xf16>, tensor<?x1xf32>)
      -> tensor<?x1x16xf16>
  return %o : tensor<?x1x16xf16>
}

// CHECK: remark: chose #deltanet.schedule<recurrent, max_tokens = 63
// CHECK: remark: chose #deltanet.schedule<chunked, {{.*}} chunk = 32, {{.*}} for sm_80: tensor cores compute chunks of 32 tokens
// YAML: Reason: {{.*}}chunks of 32 tokens
// SLOW: remark: chose #deltanet.schedule<recurrent, value_slice = {{.*}}; no chunks, because tensor cores of sm_89 are too slow for three products in place of one of f32
func.func @floats(%q: tensor<?x1x64xf32>, %k: tensor<?x1x64xf32>, %v: tensor<?x1x16xf32>,
                  %b: tensor<?x1xf32>) -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x64xf32>, tensor<?x1x64xf32>, tensor<?x1x16xf32>, tensor<?x1xf32>)
      -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// CHECK: remark: chose #deltanet.schedule<recurrent, value_slice = {{.*}}; no chunks, because K = 144 leaves no registers for products beside the state
// YAML: no chunks, because K = 144 leaves no registers for products beside the state
func.func @wide(%q: tensor<?x1x144xbf16>, %k: tensor<?x1x144xbf16>,
                %v: tensor<?x1x16xbf16>, %b: tensor<?x1xf32>) -> tensor<?x1x16xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x144xbf16>, tensor<?x1x144xbf16>, tensor<?x1x16xbf16>,
         tensor<?x1xf32>) -> tensor<?x1x16xbf16>
  return %o : tensor<?x1x16xbf16>
}
