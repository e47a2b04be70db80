// unknown rule
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: to be one of: delta, gated
  %o = deltanet.delta_rule kda, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// unknown head map
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: to be one of: grouped, tiled
  %o = deltanet.delta_rule delta, interleaved, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// unknown state layout
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: to be one of: kv, vk
  %o = deltanet.delta_rule delta, grouped, kk q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// unranked tensors
func.func @f(%q: tensor<*xf32>, %b: !b) -> tensor<*xf32> {
  // error: operand #0 must be ranked tensor of any type values
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, !b) -> tensor<*xf32>
  return %o : tensor<*xf32>
}
// -----
// memory instead of tensors
func.func @f(%q: memref<?x1x16xf32>, %b: !b) -> memref<?x1x16xf32> {
  // error: operand #0 must be ranked tensor of any type values
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) : (memref<?x1x16xf32>, memref<?x1x16xf32>, memref<?x1x16xf32>, !b) -> memref<?x1x16xf32>
  return %o : memref<?x1x16xf32>
}
// -----
// tensors with an encoding
func.func @f(%q: tensor<?x1x16xf32, "csr">, %b: !b) -> tensor<?x1x16xf32, "csr"> {
  // error: expected q as a tensor [T,H,K]
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) : (tensor<?x1x16xf32, "csr">, tensor<?x1x16xf32, "csr">, tensor<?x1x16xf32, "csr">, !b) -> tensor<?x1x16xf32, "csr">
  return %o : tensor<?x1x16xf32, "csr">
}
// -----
// double precision
func.func @f(%q: tensor<?x1x16xf64>, %b: !b) -> tensor<?x1x16xf64> {
  // error: expected elements of bf16, f16 or f32, got 'f64'
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) : (tensor<?x1x16xf64>, tensor<?x1x16xf64>, tensor<?x1x16xf64>, !b) -> tensor<?x1x16xf64>
  return %o : tensor<?x1x16xf64>
}
// -----
// K of 512
func.func @f(%q: tensor<?x1x512xf32>, %v: !x, %b: !b) -> !x {
  // error: expected K as a multiple of 16 from 16 to 256, got 512
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (tensor<?x1x512xf32>, tensor<?x1x512xf32>, !x, !b) -> !x
  return %o : !x
}
// -----
// K of 0
func.func @f(%q: tensor<?x1x0xf32>, %v: !x, %b: !b) -> !x {
  // error: expected K as a multiple of 16 from 16 to 256, got 0
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (tensor<?x1x0xf32>, tensor<?x1x0xf32>, !x, !b) -> !x
  return %o : !x
}
// -----
// K near the end of 64 bits
func.func @f(%q: tensor<?x1x9223372036854775792xf32>, %v: !x, %b: !b) -> !x {
  // error: expected K as a multiple of 16 from 16 to 256, got 9223372036854775792
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (tensor<?x1x9223372036854775792xf32>, tensor<?x1x9223372036854775792xf32>, !x, !b) -> !x
  return %o : !x
}
// -----
// dynamic K
func.func @f(%q: tensor<?x1x?xf32>, %v: !x, %b: !b) -> !x {
  // error: expected a static K, got a dynamic one
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (tensor<?x1x?xf32>, tensor<?x1x?xf32>, !x, !b) -> !x
  return %o : !x
}
// -----
// V that is no multiple of 16
func.func @f(%q: !x, %v: tensor<?x1x24xf32>, %b: !b) -> tensor<?x1x24xf32> {
  // error: expected V as a multiple of 16 from 16 to 256, got 24
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (!x, !x, tensor<?x1x24xf32>, !b) -> tensor<?x1x24xf32>
  return %o : tensor<?x1x24xf32>
}
// -----
// H of 0
func.func @f(%q: tensor<?x0x16xf32>, %v: !x, %b: !b) -> !x {
  // error: expected H from 1 to 1024, got 0
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (tensor<?x0x16xf32>, tensor<?x0x16xf32>, !x, !b) -> !x
  return %o : !x
}
// -----
// heads near the end of 64 bits
func.func @f(%q: tensor<?x9223372036854775807x16xf32>, %b: tensor<?x9223372036854775807xf32>) -> tensor<?x9223372036854775807x16xf32> {
  // error: expected H from 1 to 1024, got 9223372036854775807
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) : (tensor<?x9223372036854775807x16xf32>, tensor<?x9223372036854775807x16xf32>, tensor<?x9223372036854775807x16xf32>, tensor<?x9223372036854775807xf32>) -> tensor<?x9223372036854775807x16xf32>
  return %o : tensor<?x9223372036854775807x16xf32>
}
// -----
// T near the end of 64 bits
func.func @f(%q: tensor<9223372036854775807x1x16xf32>, %b: tensor<9223372036854775807x1xf32>) -> tensor<9223372036854775807x1x16xf32> {
  // error: expected a static T from 1 to 1099511627776, got 9223372036854775807
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) : (tensor<9223372036854775807x1x16xf32>, tensor<9223372036854775807x1x16xf32>, tensor<9223372036854775807x1x16xf32>, tensor<9223372036854775807x1xf32>) -> tensor<9223372036854775807x1x16xf32>
  return %o : tensor<9223372036854775807x1x16xf32>
}
// -----
// HV that is no multiple of H
func.func @f(%q: tensor<?x2x16xf32>, %v: tensor<?x3x16xf32>, %b: tensor<?x3xf32>) -> tensor<?x3x16xf32> {
  // error: expected HV as a multiple of H (2), got 3
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x3x16xf32>, tensor<?x3xf32>) -> tensor<?x3x16xf32>
  return %o : tensor<?x3x16xf32>
}
// -----
// T that differs
func.func @f(%q: tensor<8x1x16xf32>, %v: tensor<9x1x16xf32>, %b: tensor<9x1xf32>) -> tensor<9x1x16xf32> {
  // error: expected v as a tensor [T,HV,V]
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (tensor<8x1x16xf32>, tensor<8x1x16xf32>, tensor<9x1x16xf32>, tensor<9x1xf32>) -> tensor<9x1x16xf32>
  return %o : tensor<9x1x16xf32>
}
// -----
// T that is static in one tensor only
func.func @f(%q: !x, %v: tensor<8x1x16xf32>, %b: !b) -> tensor<8x1x16xf32> {
  // error: expected v as a tensor [T,HV,V] like 'tensor<?x1x16xf32>', got 'tensor<8x1x16xf32>'
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (!x, !x, tensor<8x1x16xf32>, !b) -> tensor<8x1x16xf32>
  return %o : tensor<8x1x16xf32>
}
// -----
// value heads near the end of 64 bits
func.func @f(%q: !x, %v: tensor<?x9223372036854775807x16xf32>, %b: tensor<?x9223372036854775807xf32>) -> tensor<?x9223372036854775807x16xf32> {
  // error: expected HV from 1 to 1024, got 9223372036854775807
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b) : (!x, !x, tensor<?x9223372036854775807x16xf32>, tensor<?x9223372036854775807xf32>) -> tensor<?x9223372036854775807x16xf32>
  return %o : tensor<?x9223372036854775807x16xf32>
}
// -----
// a gate in bf16
func.func @f(%q: !x, %g: tensor<?x1xbf16>, %b: !b) -> !x {
  // error: expected g as a tensor [T,HV] like 'tensor<?x1xf32>'
  %o = deltanet.delta_rule gated, grouped, kv q(%q) k(%q) v(%q) g(%g) beta(%b) : (!x, !x, !x, tensor<?x1xbf16>, !b) -> !x
  return %o : !x
}
// -----
// a gate of every channel
func.func @f(%q: !x, %b: !b) -> !x {
  // error: expected g as a tensor [T,HV] like 'tensor<?x1xf32>'
  %o = deltanet.delta_rule gated, grouped, kv q(%q) k(%q) v(%q) g(%q) beta(%b) : (!x, !x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// cu_seqlens of floats
func.func @f(%q: !x, %b: !b, %cu: tensor<?xf32>) -> !x {
  // error: expected cu_seqlens as a tensor [N+1] of i32 or i64, got 'tensor<?xf32>'
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) cu_seqlens(%cu) : (!x, !x, !x, !b, tensor<?xf32>) -> !x
  return %o : !x
}
// -----
// cu_seqlens of unsigned numbers
func.func @f(%q: !x, %b: !b, %cu: tensor<?xui32>) -> !x {
  // error: expected cu_seqlens as a tensor [N+1] of i32 or i64, got 'tensor<?xui32>'
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) cu_seqlens(%cu) : (!x, !x, !x, !b, tensor<?xui32>) -> !x
  return %o : !x
}
// -----
// several states of one sequence
func.func @f(%q: !x, %b: !b, %s: tensor<9223372036854775807x1x16x16xf32>) -> !x {
  // error: expected states of N = 1 without cu_seqlens, got N = 9223372036854775807
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) state(%s) : (!x, !x, !x, !b, tensor<9223372036854775807x1x16x16xf32>) -> !x
  return %o : !x
}
// -----
// an eps that is no number
func.func @f(%q: !x, %b: !b) -> !x {
  // error: expected a finite l2norm_eps >= 0, got 0x7FC00000
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) {l2norm_eps = 0x7FC00000 : f32} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a scale in double precision
func.func @f(%q: !x, %b: !b) -> !x {
  // error: attribute 'scale' failed to satisfy constraint: 32-bit float attribute
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b) {scale = 1.0} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
