// RUN: delta-opt %s -deltanet-sink-packs -split-input-file -allow-unregistered-dialect | FileCheck %s
// RUN: delta-opt %s -deltanet-sink-packs -split-input-file -allow-unregistered-dialect -remarks-filter="deltanet-layout" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The matrix is the destination of a result that stays rows.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @other_result
// CHECK: deltanet.tril_solve {{.*}} -> (tensor<32x16xf32>, tensor<32x16xf32>)
// CHECK: linalg.generic
// REMARK: Reason="others read its rows as they are", Remark="kept a pack in a pass of its own"
func.func @other_result(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>,
    %f: tensor<32xf32>)
    -> (tensor<2x1x16x16x2xbf16>, tensor<32x16xf32>) {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() : tensor<64x16xf32>
  %d = tensor.extract_slice %m[0, 0] [32, 16] [1, 1]
      : tensor<64x16xf32> to tensor<32x16xf32>
  %u:2 = deltanet.tril_solve matrix(%a) rhs(%x) factors(%f, %f, %f)
      outs(%e, %d)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32xf32>, tensor<32xf32>,
         tensor<32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> (tensor<32x16xf32>, tensor<32x16xf32>)
  %i = tensor.insert_slice %u#0 into %m[0, 0] [32, 16] [1, 1]
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
  return %p, %u#1 : tensor<2x1x16x16x2xbf16>, tensor<32x16xf32>
}

// -----

// One matrix of both results.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @both_results
// CHECK: deltanet.tril_solve {{.*}} -> (tensor<32x16xf32>, tensor<32x16xf32>)
// CHECK: linalg.generic
// REMARK: Reason="the solves are not one below the other", Remark="kept a pack in a pass of its own"
func.func @both_results(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>,
    %f: tensor<32xf32>)
    -> tensor<2x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %g = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() : tensor<64x16xf32>
  %u:2 = deltanet.tril_solve matrix(%a) rhs(%x) factors(%f, %f, %f)
      outs(%e, %g)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32xf32>, tensor<32xf32>,
         tensor<32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> (tensor<32x16xf32>, tensor<32x16xf32>)
  %h = tensor.insert_slice %u#0 into %m[0, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %i = tensor.insert_slice %u#1 into %h[32, 0] [32, 16] [1, 1]
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

// A destination from elsewhere gives way to new scratch.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @given_destination
// CHECK: %[[TILES:.+]] = bufferization.alloc_tensor() : tensor<1x1x16x16x2xbf16>
// CHECK: %[[U:.+]] = deltanet.tril_solve {{.*}} outs(%[[TILES]])
// CHECK-NOT: linalg.generic
// CHECK: return %[[U]]
// REMARK: 1 packs of tiles written by 1 solves
func.func @given_destination(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>,
    %m: tensor<32x16xf32>) -> tensor<1x1x16x16x2xbf16> {
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%m)
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
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16x16x2xbf16>
  return %p : tensor<1x1x16x16x2xbf16>
}

// -----

// The same in a loop, whose destination it is.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @destination_of_a_loop
// CHECK: scf.forall
// CHECK: %[[TILES:.+]] = bufferization.alloc_tensor() : tensor<1x1x16x16x2xbf16>
// CHECK: deltanet.tril_solve {{.*}} outs(%[[TILES]])
// CHECK-NOT: linalg.generic
// CHECK: scf.forall.in_parallel
// REMARK: 1 packs of tiles written by 1 solves
func.func @destination_of_a_loop(%a: tensor<32x32xf32>,
    %x: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %all = scf.forall (%n) in (4) shared_outs(%m = %x) -> (tensor<32x16xf32>) {
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%m)
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
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16x16x2xbf16>
    %c0 = arith.constant 0 : index
    %first = tensor.extract %p[%c0, %c0, %c0, %c0, %c0] : tensor<1x1x16x16x2xbf16>
    %wide = arith.extf %first : bf16 to f32
    %one = tensor.from_elements %wide : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %m[%n, 0] [1, 1] [1, 1]
          : tensor<1x1xf32> into tensor<32x16xf32>
    }
  }
  return %all : tensor<32x16xf32>
}

// -----

// Tiles of the first rows that are used after the second solve come from what
// that has left: read as they were before, they would be copied.
#right = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
#same = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @used_later
// CHECK: %[[FIRST:.+]] = deltanet.tril_solve
// CHECK: %[[HALF:.+]] = tensor.insert_slice %[[FIRST]]
// CHECK: "test.use"(%[[FIRST]])
// CHECK: %[[SECOND:.+]] = deltanet.tril_solve
// CHECK: %[[ALL:.+]] = tensor.insert_slice %[[SECOND]] into %[[HALF]][1, 0, 0, 0, 0]
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[ALL]][0, 0, 0, 0, 0] [1, 1, 16, 16, 2]
// CHECK: "test.use"(%[[PART]])
// CHECK: "test.use"(%[[SECOND]])
// CHECK: return %[[ALL]]
// REMARK: 3 packs of tiles written by 2 solves
func.func @used_later(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>)
    -> tensor<2x1x16x16x2xbf16> {
  %e = bufferization.alloc_tensor() : tensor<32x16xf32>
  %g = bufferization.alloc_tensor() : tensor<32x16xf32>
  %m = bufferization.alloc_tensor() : tensor<64x16xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%e)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %h = tensor.insert_slice %u into %m[0, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %su = tensor.expand_shape %u [[0, 1, 2], [3, 4]]
      output_shape [1, 16, 2, 1, 16]
      : tensor<32x16xf32> into tensor<1x16x2x1x16xf32>
  %suo = bufferization.alloc_tensor() : tensor<1x1x16x16x2xbf16>
  %q = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%su : tensor<1x16x2x1x16xf32>)
      outs(%suo : tensor<1x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16x16x2xbf16>
  "test.use"(%q) : (tensor<1x1x16x16x2xbf16>) -> ()
  %v = deltanet.tril_solve matrix(%a) rhs(%x) outs(%g)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  %i = tensor.insert_slice %v into %h[32, 0] [32, 16] [1, 1]
      : tensor<32x16xf32> into tensor<64x16xf32>
  %sv = tensor.expand_shape %v [[0, 1, 2], [3, 4]]
      output_shape [1, 16, 2, 1, 16]
      : tensor<32x16xf32> into tensor<1x16x2x1x16xf32>
  %svo = bufferization.alloc_tensor() : tensor<1x1x16x16x2xbf16>
  %w = linalg.generic {indexing_maps = [#right, #same], iterator_types = [
      "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%sv : tensor<1x16x2x1x16xf32>)
      outs(%svo : tensor<1x1x16x16x2xbf16>) attrs = {deltanet.matrix_tiles} {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16x16x2xbf16>
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
  "test.use"(%q) : (tensor<1x1x16x16x2xbf16>) -> ()
  "test.use"(%w) : (tensor<1x1x16x16x2xbf16>) -> ()
  return %p : tensor<2x1x16x16x2xbf16>
}
