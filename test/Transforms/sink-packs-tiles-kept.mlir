// RUN: delta-opt %s -deltanet-sink-packs -split-input-file | FileCheck %s
// RUN: delta-opt %s -deltanet-sink-packs -split-input-file -remarks-filter="deltanet-layout" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Rows with gaps between them are no tiles.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @every_other_row
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x16xf32>
// CHECK: linalg.generic
// REMARK: Reason="the rows of a solve are not whole tiles", Remark="kept a pack in a pass of its own"
func.func @every_other_row(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> tensor<2x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() : tensor<64x16xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %i = tensor.insert_slice %u into %m[0, 0] [32, 16] [2, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %s = tensor.expand_shape %i [[0, 1, 2], [3, 4]]
      output_shape [2, 16, 2, 1, 16]
      : tensor<64x16xf32> into tensor<2x16x2x1x16xf32>
  %so = bufferization.alloc_tensor() : tensor<2x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x16x2x1x16xf32>)
      outs(%so : tensor<2x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x1x16x16x2xbf16>
  return %p : tensor<2x1x16x16x2xbf16>
}

// -----

// Nor are rows that are narrower than the matrix.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @every_other_column
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x16xf32>
// CHECK: linalg.generic
// REMARK: Reason="the rows of a solve are not whole tiles", Remark="kept a pack in a pass of its own"
func.func @every_other_column(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> tensor<1x2x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() : tensor<32x32xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %i = tensor.insert_slice %u into %m[0, 0] [32, 16] [1, 2]
      : tensor<32x16xf32> into tensor<32x32xf32>
  %s = tensor.expand_shape %i [[0, 1, 2], [3, 4]]
      output_shape [1, 16, 2, 2, 16]
      : tensor<32x32xf32> into tensor<1x16x2x2x16xf32>
  %so = bufferization.alloc_tensor() : tensor<1x2x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x16x2x2x16xf32>)
      outs(%so : tensor<1x2x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x16x16x2xbf16>
  return %p : tensor<1x2x16x16x2xbf16>
}

// -----

// The rows that no solve makes are those of %t.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @into_a_copy
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x16xf32>
// CHECK: linalg.generic
// REMARK: Reason="its rows are not those of solves alone", Remark="kept a pack in a pass of its own"
func.func @into_a_copy(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>,
    %t: tensor<64x16xf32>)
    -> tensor<2x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() copy(%t) : tensor<64x16xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %i = tensor.insert_slice %u into %m[0, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %s = tensor.expand_shape %i [[0, 1, 2], [3, 4]]
      output_shape [2, 16, 2, 1, 16]
      : tensor<64x16xf32> into tensor<2x16x2x1x16xf32>
  %so = bufferization.alloc_tensor() : tensor<2x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x16x2x1x16xf32>)
      outs(%so : tensor<2x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x1x16x16x2xbf16>
  return %p : tensor<2x1x16x16x2xbf16>
}

// -----

// The rows of the second solve are above those of the first.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @last_first
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x16xf32>
// CHECK: linalg.generic
// REMARK: Reason="the solves are not one below the other", Remark="kept a pack in a pass of its own"
func.func @last_first(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> tensor<2x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %g = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() : tensor<64x16xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %v = deltanet.tril_solve matrix(%a) rhs(%x) outs(%g)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %h = tensor.insert_slice %v into %m[0, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %i = tensor.insert_slice %u into %h[32, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %s = tensor.expand_shape %i [[0, 1, 2], [3, 4]]
      output_shape [2, 16, 2, 1, 16]
      : tensor<64x16xf32> into tensor<2x16x2x1x16xf32>
  %so = bufferization.alloc_tensor() : tensor<2x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x16x2x1x16xf32>)
      outs(%so : tensor<2x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x1x16x16x2xbf16>
  return %p : tensor<2x1x16x16x2xbf16>
}

// -----

// The second solve takes the place of the first.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @over_each_other
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x16xf32>
// CHECK: linalg.generic
// REMARK: Reason="the solves are not one below the other", Remark="kept a pack in a pass of its own"
func.func @over_each_other(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> tensor<2x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %g = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() : tensor<64x16xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %v = deltanet.tril_solve matrix(%a) rhs(%x) outs(%g)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %h = tensor.insert_slice %u into %m[0, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %i = tensor.insert_slice %v into %h[0, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %s = tensor.expand_shape %i [[0, 1, 2], [3, 4]]
      output_shape [2, 16, 2, 1, 16]
      : tensor<64x16xf32> into tensor<2x16x2x1x16xf32>
  %so = bufferization.alloc_tensor() : tensor<2x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x16x2x1x16xf32>)
      outs(%so : tensor<2x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x1x16x16x2xbf16>
  return %p : tensor<2x1x16x16x2xbf16>
}

// -----

// What solves round is rounded to nearest.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @rounded_down
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x16xf32>
// CHECK: linalg.generic
func.func @rounded_down(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> tensor<1x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %s = tensor.expand_shape %u [[0, 1, 2], [3, 4]]
      output_shape [1, 16, 2, 1, 16]
      : tensor<32x16xf32> into tensor<1x16x2x1x16xf32>
  %so = bufferization.alloc_tensor() : tensor<1x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x16x2x1x16xf32>)
      outs(%so : tensor<1x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in toward_zero : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16x16x2xbf16>
  return %p : tensor<1x1x16x16x2xbf16>
}

// -----

// Pairs of columns, not of rows.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @split_columns
// CHECK: deltanet.tril_solve {{.*}} -> tensor<32x32xf32>
// CHECK: linalg.generic
// REMARK: Reason="it is not that of a right-hand side", Remark="kept a pack in a pass of its own"
func.func @split_columns(%a: tensor<32x32xf32>, %x: tensor<32x32xf32>)
    -> tensor<2x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x32xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
      -> tensor<32x32xf32>
  %s = tensor.expand_shape %u [[0, 1], [2, 3, 4]]
      output_shape [2, 16, 2, 1, 16]
      : tensor<32x32xf32> into tensor<2x16x2x1x16xf32>
  %so = bufferization.alloc_tensor() : tensor<2x1x16x16x2xbf16>
  %p = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x16x2x1x16xf32>)
      outs(%so : tensor<2x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x1x16x16x2xbf16>
  return %p : tensor<2x1x16x16x2xbf16>
}
