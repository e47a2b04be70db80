// RUN: delta-opt %s -deltanet-sink-packs -split-input-file | FileCheck %s
// RUN: delta-opt %s -deltanet-sink-packs -split-input-file -remarks-filter="deltanet-layout" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Two solves, one below the other in one matrix, of which products take all and
// the first part: the solves write both packs.

#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @solved
// REMARK: 2 packs of tiles written by 2 solves
// CHECK: %[[TILES:.*]] = bufferization.alloc_tensor() : tensor<2x1x16x16x2xbf16>
// CHECK: %[[TO:.*]] = tensor.extract_slice %[[TILES]][0, 0, 0, 0, 0] [1, 1, 16, 16, 2]
// CHECK: %[[FIRST:.*]] = deltanet.tril_solve {{.*}} outs(%[[TO]])
// CHECK: %[[HALF:.*]] = tensor.insert_slice %[[FIRST]] into %[[TILES]][0, 0, 0, 0, 0]
// CHECK: %[[SECOND:.*]] = deltanet.tril_solve
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[SECOND]] into %[[HALF]][1, 0, 0, 0, 0]
// CHECK-NOT: linalg.generic
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[ALL]][0, 0, 0, 0, 0] [1, 1, 16, 16, 2]
// CHECK: return %[[ALL]], %[[PART]]
func.func @solved(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> (tensor<2x1x16x16x2xbf16>, tensor<1x1x16x16x2xbf16>) {
  %m = bufferization.alloc_tensor() : tensor<64x16xf32>
  %m0 = tensor.extract_slice %m[0, 0] [32, 16] [1, 1]
      : tensor<64x16xf32> to tensor<32x16xf32>
  %u0 = deltanet.tril_solve matrix(%a) rhs(%x) outs(%m0)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %half = tensor.insert_slice %u0 into %m[0, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %split0 = tensor.expand_shape %u0 [[0, 1, 2], [3, 4]]
      output_shape [1, 16, 2, 1, 16]
      : tensor<32x16xf32> into tensor<1x16x2x1x16xf32>
  %o0 = bufferization.alloc_tensor() : tensor<1x1x16x16x2xbf16>
  %p0 = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%split0 : tensor<1x16x2x1x16xf32>)
      outs(%o0 : tensor<1x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16x16x2xbf16>
  %m1 = tensor.extract_slice %half[32, 0] [32, 16] [1, 1]
      : tensor<64x16xf32> to tensor<32x16xf32>
  %u1 = deltanet.tril_solve matrix(%a) rhs(%x) outs(%m1)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %whole = tensor.insert_slice %u1 into %half[32, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %split = tensor.expand_shape %whole [[0, 1, 2], [3, 4]]
      output_shape [2, 16, 2, 1, 16]
      : tensor<64x16xf32> into tensor<2x16x2x1x16xf32>
  %o = bufferization.alloc_tensor() : tensor<2x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%split : tensor<2x16x2x1x16xf32>)
      outs(%o : tensor<2x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x1x16x16x2xbf16>
  return %p, %p0 : tensor<2x1x16x16x2xbf16>, tensor<1x1x16x16x2xbf16>
}

// -----

// Rows that something else reads stay rows.

#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @read
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x16xf32>
// CHECK: linalg.generic
// REMARK: Reason="others read its rows as they are", Remark="kept a pack in a pass of its own"
func.func @read(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> (tensor<1x1x16x16x2xbf16>, tensor<32x16xf32>) {
  %m = bufferization.alloc_tensor() : tensor<32x16xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%m)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %split = tensor.expand_shape %u [[0, 1, 2], [3, 4]]
      output_shape [1, 16, 2, 1, 16]
      : tensor<32x16xf32> into tensor<1x16x2x1x16xf32>
  %o = bufferization.alloc_tensor() : tensor<1x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%split : tensor<1x16x2x1x16xf32>)
      outs(%o : tensor<1x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16x16x2xbf16>
  return %p, %u : tensor<1x1x16x16x2xbf16>, tensor<32x16xf32>
}
