// RUN: delta-opt -deltanet-gpu-narrow-sums -split-input-file %s | FileCheck %s

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
!s = !fragment.tile<32x128xf32, #lanes>
!k = !fragment.tile<1x128xf32, #lanes>
!v = !fragment.tile<32x1xf32, #lanes>

// A token: what is stored, and the difference that the state gets, are computed by
// the lanes that keep the sums. 8 rows of a thread are one in each of 8 rows of lanes.
// CHECK: #[[$LANES:.+]] = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
// CHECK: #[[$ROWS:.+]] = #fragment.lanes<lanes = [8, 4], warps = [4, 1]>
// CHECK-LABEL: @token
//  CHECK-SAME: %[[P:[^:]+]]: !fragment
//       CHECK: %[[V:.+]] = fragment.load %{{.+}} dims [0] : memref<32xbf16> -> <32x1xbf16, #[[$ROWS]]>
//   CHECK-NOT: fragment.load
//       CHECK: %[[X:.+]] = fragment.map %[[V]] : (!fragment.tile<32x1xbf16, #[[$ROWS]]>) -> !fragment.tile<32x1xf32, #[[$ROWS]]>
//       CHECK: %[[READ:.+]] = fragment.reduce %[[P]] along 1 : <32x128xf32, #[[$LANES]]> -> <32x1xf32, #[[$ROWS]]>
//   CHECK-NOT: fragment.reduce
//       CHECK: %[[D:.+]] = fragment.map %[[X]], %[[READ]] : (!fragment.tile<32x1xf32, #[[$ROWS]]>
//       CHECK: %[[ALL:.+]] = fragment.broadcast %[[D]] : <32x1xf32, #[[$ROWS]]> to <32x1xf32, #[[$LANES]]>
//       CHECK: %[[NEW:.+]] = fragment.map %[[P]], %{{.+}}, %[[ALL]] :
//       CHECK: %[[OUT:.+]] = fragment.map %[[D]] : (!fragment.tile<32x1xf32, #[[$ROWS]]>) -> !fragment.tile<32x1xbf16, #[[$ROWS]]>
//       CHECK: fragment.store %[[OUT]], %{{.+}} dims [0] : <32x1xbf16, #[[$ROWS]]>
//   CHECK-NOT: fragment.map
//       CHECK: return %[[NEW]]
func.func @token(%p: !s, %k: !k, %v: memref<32xbf16>, %o: memref<32xbf16>) -> !s {
  %values = fragment.load %v dims [0] : memref<32xbf16> -> !fragment.tile<32x1xbf16, #lanes>
  %x = fragment.map %values : (!fragment.tile<32x1xbf16, #lanes>) -> !v {
  ^bb0(%a: bf16):
    %b = arith.extf %a : bf16 to f32
    fragment.yield %b : f32
  }
  %read = fragment.reduce %p along 1 : !s -> !v
  %delta = fragment.map %x, %read : (!v, !v) -> !v {
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    fragment.yield %c : f32
  }
  %new = fragment.map %p, %k, %delta : (!s, !k, !v) -> !s {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = math.fma %b, %c, %a : f32
    fragment.yield %r : f32
  }
  %out = fragment.map %delta : (!v) -> !fragment.tile<32x1xbf16, #lanes> {
  ^bb0(%a: f32):
    %b = arith.truncf %a : f32 to bf16
    fragment.yield %b : bf16
  }
  fragment.store %out, %o dims [0] : !fragment.tile<32x1xbf16, #lanes>, memref<32xbf16>
  return %new : !s
}

// -----

// Sums that wider tiles need at once stay, as do sums of columns, and maps with
// what no lane could keep: here an argument.
#lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>
!s = !fragment.tile<8x128xf32, #lanes>
!v = !fragment.tile<8x1xf32, #lanes>
// CHECK-LABEL: @kept
//       CHECK: %[[R:.+]] = fragment.reduce %{{.+}} along 1 : <8x128xf32, #lanes> -> <8x1xf32, #lanes>
//       CHECK: fragment.map %{{.+}}, %[[R]] :
//       CHECK: %[[C:.+]] = fragment.reduce %{{.+}} along 0
//       CHECK: fragment.store %[[C]]
//       CHECK: %[[Q:.+]] = fragment.reduce %{{.+}} along 1 : <8x128xf32, #lanes> -> <8x1xf32, #lanes>
//       CHECK: fragment.map %[[Q]], %{{.+}} : (!fragment.tile<8x1xf32, #lanes>
//   CHECK-NOT: fragment.broadcast
func.func @kept(%p: !s, %a: !v, %m: memref<128xf32>) -> (!s, !v) {
  %r = fragment.reduce %p along 1 : !s -> !v
  %t = fragment.map %p, %r : (!s, !v) -> !s {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %y : f32
    fragment.yield %z : f32
  }
  %c = fragment.reduce %t along 0 : !s -> !fragment.tile<1x128xf32, #lanes>
  fragment.store %c, %m dims [1] : !fragment.tile<1x128xf32, #lanes>, memref<128xf32>
  %q = fragment.reduce %t along 1 : !s -> !v
  %u = fragment.map %q, %a : (!v, !v) -> !v {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    fragment.yield %z : f32
  }
  return %t, %u : !s, !v
}
