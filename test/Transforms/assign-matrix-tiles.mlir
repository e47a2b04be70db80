// RUN: delta-opt %s -deltanet-assign-matrix-tiles -split-input-file | FileCheck %s
// RUN: delta-opt %s -deltanet-assign-matrix-tiles -split-input-file -remarks-filter=deltanet-layout -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// k S: keys are a left operand, packed once outside of the loop over blocks of
// columns; a block of the state is a right one. The zero that sums start from
// is split with them.

// CHECK-DAG: #[[$LEFT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
// CHECK-DAG: #[[$RIGHT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d1, d3)>
// CHECK-DAG: #[[$SUMS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1, d4)>
// CHECK-LABEL: func.func @state
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %[[K:.*]] {{\[}}[0, 1], [2, 3, 4]] output_shape [4, 16, 4, 16, 2]
// CHECK: %[[A:.*]] = linalg.generic {indexing_maps = [#[[$LEFT]], #{{.*}}]{{.*}} ins(%[[ROWS]] : {{.*}}) outs(%{{.*}} : tensor<4x4x16x16x2xbf16>) attrs = {deltanet.matrix_tiles}
// CHECK:   arith.truncf
// CHECK: scf.for
// CHECK:   tensor.expand_shape %{{.*}} {{\[}}[0, 1, 2], [3, 4]] output_shape [4, 16, 2, 2, 16]
// CHECK:   %[[B:.*]] = linalg.generic {indexing_maps = [#[[$RIGHT]], #{{.*}}]{{.*}} outs(%{{.*}} : tensor<4x2x16x16x2xbf16>) attrs = {deltanet.matrix_tiles}
// CHECK:   %[[ZERO:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<4x16x2x16xf32>)
// CHECK:   linalg.generic {indexing_maps = [{{.*}}, #[[$SUMS]]]{{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[ZERO]] : tensor<4x16x2x16xf32>) attrs = {deltanet.matrix_tiles}
// CHECK:   tensor.collapse_shape %{{.*}} : tensor<4x16x2x16xf32> into tensor<64x32xf32>
// REMARK: Function=state | Reason="the schedule says so", Remark="1 products of tiles on amx, 2 packs"
func.func @state(%k: tensor<64x128xf32>, %s: tensor<4x128x32xf32>,
                 %o: tensor<4x64x32xf32>) -> tensor<4x64x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%n) in (1) shared_outs(%out = %o) -> (tensor<4x64x32xf32>) {
    %all = scf.for %w = %c0 to %c4 step %c1 iter_args(%x = %out)
        -> (tensor<4x64x32xf32>) {
      %block = tensor.extract_slice %s[%w, 0, 0] [1, 128, 32] [1, 1, 1]
          : tensor<4x128x32xf32> to tensor<128x32xf32>
      %to = tensor.extract_slice %x[%w, 0, 0] [1, 64, 32] [1, 1, 1]
          : tensor<4x64x32xf32> to tensor<64x32xf32>
      %fill = linalg.fill ins(%zero : f32) outs(%to : tensor<64x32xf32>)
          -> tensor<64x32xf32>
      %ks = linalg.matmul ins(%k, %block : tensor<64x128xf32>,
                                           tensor<128x32xf32>)
          outs(%fill : tensor<64x32xf32>) -> tensor<64x32xf32>
      %next = tensor.insert_slice %ks into %x[%w, 0, 0] [1, 64, 32] [1, 1, 1]
          : tensor<64x32xf32> into tensor<4x64x32xf32>
      scf.yield %next : tensor<4x64x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %all into %out[0, 0, 0] [4, 64, 32] [1, 1, 1]
          : tensor<4x64x32xf32> into tensor<4x64x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<4x64x32xf32>
}

// -----

// kᵀ U and k kᵀ: transposed operands are packed transposed, and parts of a
// matrix are parts of its pack.

// CHECK-DAG: #[[$LEFTT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
// CHECK-DAG: #[[$RIGHTT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d0, d2, d4)>
// CHECK-LABEL: func.func @transposed
// CHECK-DAG: linalg.generic {indexing_maps = [#[[$LEFTT]], #{{.*}}]{{.*}} outs(%{{.*}} : tensor<8x2x16x16x2xbf16>)
// CHECK-DAG: %[[KEYS:.*]] = linalg.generic {indexing_maps = [#[[$RIGHTT]], #{{.*}}]{{.*}} outs(%{{.*}} : tensor<4x4x16x16x2xbf16>)
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0, 0, 0] [2, 4, 16, 16, 2] [1, 1, 1, 1, 1] : tensor<4x4x16x16x2xbf16>
// CHECK: tensor.extract_slice %[[KEYS]][0, %{{.*}}, 0, 0, 0] [4, 2, 16, 16, 2] [1, 1, 1, 1, 1] : tensor<4x4x16x16x2xbf16>
// REMARK: Remark="2 products of tiles on amx, 4 packs"
func.func @transposed(%k: tensor<64x128xf32>, %u: tensor<64x32xf32>,
                      %s: tensor<128x32xf32>, %kk: tensor<32x32xf32>)
    -> (tensor<128x32xf32>, tensor<32x32xf32>) {
  %r:2 = scf.forall (%n) in (1) shared_outs(%x = %s, %y = %kk)
      -> (tensor<128x32xf32>, tensor<32x32xf32>) {
    %c32 = arith.constant 32 : index
    %second = arith.muli %n, %c32 : index
    %first = arith.addi %second, %c32 : index
    %ku = linalg.matmul
        indexing_maps = [affine_map<(m, n, l) -> (l, m)>,
                         affine_map<(m, n, l) -> (l, n)>,
                         affine_map<(m, n, l) -> (m, n)>]
        ins(%k, %u : tensor<64x128xf32>, tensor<64x32xf32>)
        outs(%x : tensor<128x32xf32>) -> tensor<128x32xf32>
    %rows = tensor.extract_slice %k[%first, 0] [32, 128] [1, 1]
        : tensor<64x128xf32> to tensor<32x128xf32>
    %columns = tensor.extract_slice %k[%second, 0] [32, 128] [1, 1]
        : tensor<64x128xf32> to tensor<32x128xf32>
    %gram = linalg.matmul
        indexing_maps = [affine_map<(m, n, l) -> (m, l)>,
                         affine_map<(m, n, l) -> (n, l)>,
                         affine_map<(m, n, l) -> (m, n)>]
        ins(%rows, %columns : tensor<32x128xf32>, tensor<32x128xf32>)
        outs(%y : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %ku into %x[0, 0] [128, 32] [1, 1]
          : tensor<128x32xf32> into tensor<128x32xf32>
      tensor.parallel_insert_slice %gram into %y[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r#0, %r#1 : tensor<128x32xf32>, tensor<32x32xf32>
}

// -----

// Other schedules keep their products.

// CHECK-LABEL: func.func @vectors
// CHECK: linalg.matmul
func.func @vectors(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
                   %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked>}
  return %r : tensor<32x32xf32>
}

// -----

// U = T X, P U: the result of a product is an operand of the next one.

// CHECK-LABEL: func.func @chained
// CHECK: %[[U:.*]] = tensor.collapse_shape
// CHECK: tensor.expand_shape %[[U]] {{\[}}[0, 1, 2], [3, 4]]
// CHECK-NOT: linalg.matmul
// REMARK: Function=chained | Reason="the schedule says so", Remark="2 products of tiles on amx, 4 packs"
func.func @chained(%t: tensor<32x32xf32>, %x: tensor<32x32xf32>,
                   %p: tensor<32x32xf32>, %o: tensor<32x32xf32>,
                   %to: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%out = %o) -> (tensor<32x32xf32>) {
    %u = linalg.matmul ins(%t, %x : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%to : tensor<32x32xf32>) -> tensor<32x32xf32>
    %pu = linalg.matmul ins(%p, %u : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%out : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %pu into %out[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

// A left operand that is split is packed twice, rounded and as what rounding
// took away; small terms are added first. A part whose place is known is packed
// without the rest of its matrix.

// CHECK-LABEL: func.func @split
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[32, 0] [32, 32] [1, 1]
// CHECK: tensor.expand_shape %[[PART]]
// CHECK: %[[SMALL:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x1x16x16x2xbf16>)
// CHECK:   %[[REST:.*]] = arith.subf
// CHECK:   arith.truncf %[[REST]]
// CHECK: %[[ROUNDED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x1x16x16x2xbf16>)
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} ins(%[[SMALL]], %[[RIGHT:.*]] : {{.*}}) outs(
// CHECK: linalg.generic {{.*}} ins(%[[ROUNDED]], %[[RIGHT]] : {{.*}}) outs(%[[FIRST]] :
// CHECK-NOT: linalg.generic
// REMARK: Function=split | Reason="the schedule says so", Remark="1 products of tiles on amx, 3 packs"
func.func @split(%t: tensor<64x64xf32>, %x: tensor<32x32xf32>,
                 %o: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%out = %o) -> (tensor<32x32xf32>) {
    %part = tensor.extract_slice %t[32, 0] [32, 32] [1, 1]
        : tensor<64x64xf32> to tensor<32x32xf32>
    %u = linalg.matmul {deltanet.split_operands = array<i1: true, false>}
        ins(%part, %x : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%out : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %out[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, matrix = amx>}
  return %r : tensor<32x32xf32>
}
