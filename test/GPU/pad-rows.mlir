// RUN: delta-opt -deltanet-gpu-pad-rows -split-input-file %s | FileCheck %s

#sums = #fragment.accumulator<warps = [4, 1]>
#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
!sums = !fragment.tile<64x64xf32, #sums>

// Written as blocks, read as an accumulator.
// CHECK-LABEL: @blocks
//       CHECK: %[[P:.+]] = bufferization.alloc_tensor() : tensor<64x72xf32>
//       CHECK: %[[M:.+]] = tensor.extract_slice %[[P]][0, 0] [64, 64] [1, 1]
//       CHECK: %[[B:.+]] = tensor.expand_shape %[[M]] {{\[\[}}0, 1], [2, 3]]
//       CHECK: linalg.fill ins(%{{.+}}) outs(%[[B]] : tensor<4x16x4x16xf32>)
func.func @blocks() -> !sums {
  %zero = arith.constant 0.0 : f32
  %m = bufferization.alloc_tensor() : tensor<4x16x4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%m : tensor<4x16x4x16xf32>) -> tensor<4x16x4x16xf32>
  %r = tensor.collapse_shape %f [[0, 1], [2, 3]] : tensor<4x16x4x16xf32> into tensor<64x64xf32>
  %t = fragment.load %r : tensor<64x64xf32> -> !sums
  return %t : !sums
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
!sums = !fragment.tile<64x64xf32, #sums>

// Written as an accumulator, read as blocks and as a slice.
// CHECK-LABEL: @written
//       CHECK: alloc_tensor() : tensor<64x72xf32>
func.func @written(%t: !sums) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %m = bufferization.alloc_tensor() : tensor<64x64xf32>
  %w = fragment.store %t, %m : !sums, tensor<64x64xf32>
  %b = tensor.expand_shape %w [[0, 1], [2]] output_shape [4, 16, 64]
      : tensor<64x64xf32> into tensor<4x16x64xf32>
  %s = tensor.extract_slice %w[16, 0] [16, 16] [1, 1] : tensor<64x64xf32> to tensor<16x16xf32>
  %x = tensor.extract %b[%c0, %c0, %c0] : tensor<4x16x64xf32>
  %y = tensor.extract %s[%c0, %c0] : tensor<16x16xf32>
  return %x, %y : f32, f32
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
!sums = !fragment.tile<64x64xf32, #sums>

// No conflicts: rows of 192 bytes, elements of 16 bits, swizzled, whole rows by each
// warp, transposed, one column. Rows that are joined, by a later user, too, and those
// of a tensor that is given or carried.
// CHECK-LABEL: @others
//   CHECK-NOT: extract_slice
//       CHECK: return
func.func @others(%t: !sums, %n: !fragment.tile<64x48xf32, #sums>,
    %h: !fragment.tile<64x64xbf16, #sums>, %l: !fragment.tile<64x128xf32, #lanes>,
    %c: !fragment.tile<64x1xf32, #sums>, %given: tensor<64x64xf32>) -> tensor<4096xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m0 = bufferization.alloc_tensor() : tensor<64x48xf32>
  %w0 = fragment.store %n, %m0 : !fragment.tile<64x48xf32, #sums>, tensor<64x48xf32>
  %m1 = bufferization.alloc_tensor() : tensor<64x64xbf16>
  %w1 = fragment.store %h, %m1 : !fragment.tile<64x64xbf16, #sums>, tensor<64x64xbf16>
  %m2 = bufferization.alloc_tensor() : tensor<64x64xf32>
  %w2 = fragment.store %t, %m2 swizzled : !sums, tensor<64x64xf32>
  %m3 = bufferization.alloc_tensor() : tensor<64x128xf32>
  %w3 = fragment.store %l, %m3 : !fragment.tile<64x128xf32, #lanes>, tensor<64x128xf32>
  %m4 = bufferization.alloc_tensor() : tensor<64x64xf32>
  %w4 = fragment.store %t, %m4 dims [1, 0] : !sums, tensor<64x64xf32>
  %m5 = bufferization.alloc_tensor() : tensor<64x1xf32>
  %w5 = fragment.store %c, %m5 : !fragment.tile<64x1xf32, #sums>, tensor<64x1xf32>
  %m6 = bufferization.alloc_tensor() : tensor<64x64xf32>
  %w6 = fragment.store %t, %m6 : !sums, tensor<64x64xf32>
  %joined = tensor.collapse_shape %w6 [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
  %w7 = fragment.store %t, %given : !sums, tensor<64x64xf32>
  %m8 = bufferization.alloc_tensor() : tensor<64x64xf32>
  %carried = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %m8) -> tensor<64x64xf32> {
    scf.yield %x : tensor<64x64xf32>
  }
  %w8 = fragment.store %t, %m8 : !sums, tensor<64x64xf32>
  return %joined : tensor<4096xf32>
}
