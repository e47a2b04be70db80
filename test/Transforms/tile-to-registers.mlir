// RUN: delta-opt %s -deltanet-tile-to-registers -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not delta-opt %s -deltanet-tile-to-registers -split-input-file -remarks-filter="deltanet-tiles" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, columns = 16, register_rows = 6>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// 64 rows are ten blocks of six and one of four. Fill and epilogue are computed
// where the block is; both products have accumulators of their own.

// REMARK: Reason="rows: register_rows of the schedule; columns: columns of the schedule"
// REMARK-SAME: 64x16 in blocks of 6x16, 2 operations fused
// REMARK: 64x16x128 in blocks of 6x16, 1 operations fused
// CHECK-LABEL: func.func @product
// CHECK:       scf.forall
// CHECK-NOT:     linalg
// CHECK:         scf.for %[[I:.*]] = %c0 to %c60 step %c6
// CHECK:           %[[F:.*]] = linalg.fill {{.*}} -> tensor<6x16xf32>
// CHECK:           %[[P:.*]] = scf.for %{{.*}} = %c0 to %c128 step %c1 iter_args(%[[ACC:.*]] = %[[F]]) -> (tensor<6x16xf32>)
// CHECK:             linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<6x1xf32>, tensor<1x16xf32>) outs(%[[ACC]] : tensor<6x16xf32>)
// CHECK:           } {deltanet.reduction}
// CHECK:           linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<6x16xf32>, tensor<6xf32>) outs(%{{.*}} : tensor<6x16xf32>)
// CHECK:         linalg.fill {{.*}} -> tensor<4x16xf32>
// CHECK:         scf.for %{{.*}} = %c0 to %c128
// CHECK:           linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x1xf32>, tensor<1x16xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4x16xf32>)
// CHECK:         scf.for %{{.*}} = %c0 to %c60 step %c6
// CHECK:           linalg.fill
// CHECK:           linalg.matmul
func.func @product(%a: tensor<64x128xf32>, %b: tensor<128x16xf32>,
                   %r: tensor<64xf32>, %o: tensor<2x64x16xf32>)
    -> tensor<2x64x16xf32> attributes {deltanet.kernel = #kernel} {
  %zero = arith.constant 0.0 : f32
  %x = scf.forall (%i) in (1) shared_outs(%y = %o) -> (tensor<2x64x16xf32>) {
    %e = tensor.empty() : tensor<64x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
    %p = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x16xf32>)
                       outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
    %d0 = tensor.extract_slice %y[0, 0, 0] [1, 64, 16] [1, 1, 1] : tensor<2x64x16xf32> to tensor<64x16xf32>
    %s = linalg.generic {indexing_maps = [#id, #row, #id],
        iterator_types = ["parallel", "parallel"]}
        ins(%p, %r : tensor<64x16xf32>, tensor<64xf32>) outs(%d0 : tensor<64x16xf32>) {
      ^bb0(%u: f32, %v: f32, %w: f32):
        %m = arith.mulf %u, %v : f32
        linalg.yield %m : f32 } -> tensor<64x16xf32>
    %q = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x16xf32>)
                       outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %y[0, 0, 0] [1, 64, 16] [1, 1, 1] : tensor<64x16xf32> into tensor<2x64x16xf32>
      tensor.parallel_insert_slice %q into %y[1, 0, 0] [1, 64, 16] [1, 1, 1] : tensor<64x16xf32> into tensor<2x64x16xf32>
    }
  } {deltanet.schedule = #schedule}
  return %x : tensor<2x64x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, columns = 16, register_rows = 4>
#am = affine_map<(m, n, k) -> (k, m)>
#bm = affine_map<(m, n, k) -> (k, n)>
#cm = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#sc = affine_map<(m, n) -> ()>

// S = a S + kᵀ d: the scaling becomes the beginning of the accumulators, and the
// loop over columns is the outer one.

// CHECK-LABEL: func.func @update
// CHECK:       scf.forall
// CHECK:         scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %c128 step %c4
// CHECK:             %[[S:.*]] = linalg.generic {{.*}} ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x16xf32>)
// CHECK:             scf.for %{{.*}} = %c0 to %c64 step %c1 iter_args(%[[ACC:.*]] = %[[S]])
// CHECK:               linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x4xf32>, tensor<1x16xf32>) outs(%[[ACC]] : tensor<4x16xf32>)
func.func @update(%a: f32, %k: tensor<64x128xf32>, %d: tensor<64x32xf32>,
                  %s: tensor<128x32xf32>) -> tensor<128x32xf32>
    attributes {deltanet.kernel = #kernel} {
  %x = scf.forall (%i) in (1) shared_outs(%y = %s) -> (tensor<128x32xf32>) {
    %s0 = linalg.generic {indexing_maps = [#sc, #id],
        iterator_types = ["parallel", "parallel"]}
        ins(%a : f32) outs(%y : tensor<128x32xf32>) {
      ^bb0(%u: f32, %v: f32):
        %m = arith.mulf %u, %v : f32
        linalg.yield %m : f32 } -> tensor<128x32xf32>
    %s1 = linalg.generic {indexing_maps = [#am, #bm, #cm],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%k, %d : tensor<64x128xf32>, tensor<64x32xf32>) outs(%s0 : tensor<128x32xf32>) {
      ^bb0(%u: f32, %v: f32, %w: f32):
        %m = arith.mulf %u, %v : f32
        %n = arith.addf %w, %m : f32
        linalg.yield %n : f32 } -> tensor<128x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s1 into %y[0, 0] [128, 32] [1, 1] : tensor<128x32xf32> into tensor<128x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %x : tensor<128x32xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, columns = 16, register_rows = 6>

// A remainder of two rows shares the rows of the last block of six.

// CHECK-LABEL: func.func @remainder
// CHECK:         %[[R:.*]] = scf.for %{{.*}} = %c0 to %c24 step %c6
// CHECK:           linalg.matmul {{.*}} outs(%{{.*}} : tensor<6x16xf32>)
// CHECK:         scf.for %{{.*}} = %c24 to %c32 step %c4 iter_args(%{{.*}} = %[[R]])
// CHECK:           linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x16xf32>)
// CHECK-NOT:     linalg.matmul
func.func @remainder(%a: tensor<32x16xf32>, %b: tensor<16x16xf32>,
                     %c: tensor<32x16xf32>) -> tensor<32x16xf32>
    attributes {deltanet.kernel = #kernel} {
  %x = scf.forall (%i) in (1) shared_outs(%y = %c) -> (tensor<32x16xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x16xf32>)
                       outs(%y : tensor<32x16xf32>) -> tensor<32x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %y[0, 0] [32, 16] [1, 1] : tensor<32x16xf32> into tensor<32x16xf32>
    }
  } {deltanet.schedule = #schedule}
  return %x : tensor<32x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, columns = 16, register_rows = 6>
#rows = affine_map<(b, m, n) -> (b, m)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#tr = affine_map<(b, m, n) -> (b, n, m)>

// Scaled rows and their transpose in one pass: blocks of 8x8, not columns.

// CHECK-LABEL: func.func @packed
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c8
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %c64 step %c8
// CHECK:             linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<1x8x8xf32>, tensor<1x8x8xf32>)
func.func @packed(%f: tensor<2x16xf32>, %k: tensor<2x16x64xf32>,
                  %p: tensor<2x64x16xf32>)
    -> (tensor<2x16x64xf32>, tensor<2x64x16xf32>)
    attributes {deltanet.kernel = #kernel} {
  %x:2 = scf.forall (%i) in (1) shared_outs(%y = %k, %z = %p)
      -> (tensor<2x16x64xf32>, tensor<2x64x16xf32>) {
    %s:2 = linalg.generic {indexing_maps = [#rows, #id, #tr],
        iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%f : tensor<2x16xf32>)
        outs(%y, %z : tensor<2x16x64xf32>, tensor<2x64x16xf32>) {
      ^bb0(%u: f32, %v: f32, %w: f32):
        %m = arith.mulf %u, %v : f32
        linalg.yield %m, %m : f32, f32 } -> (tensor<2x16x64xf32>, tensor<2x64x16xf32>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s#0 into %y[0, 0, 0] [2, 16, 64] [1, 1, 1] : tensor<2x16x64xf32> into tensor<2x16x64xf32>
      tensor.parallel_insert_slice %s#1 into %z[0, 0, 0] [2, 64, 16] [1, 1, 1] : tensor<2x64x16xf32> into tensor<2x64x16xf32>
    }
  } {deltanet.schedule = #schedule}
  return %x#0, %x#1 : tensor<2x16x64xf32>, tensor<2x64x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
#schedule = #deltanet.schedule<recurrent, columns = 16, tokens = 2>
#id = affine_map<(m, n) -> (m, n)>
#tr = affine_map<(m, n) -> (n, m)>
#row = affine_map<(m, n) -> (m)>
#v = affine_map<(m) -> (m)>

// Copies of any number of rows, exponentials, sums of rows, transpositions.

// CHECK-LABEL: func.func @rows
// CHECK:       scf.forall
// CHECK:         scf.for %{{.*}} = %c0 to %[[N:.*]] step %c1
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %c128 step %c64
// CHECK:             linalg.generic {{.*}} ins(%{{.*}} : tensor<1x64xbf16>) outs(%{{.*}} : tensor<1x64xf32>)
// CHECK:         scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK:           linalg.generic {{.*}} ins(%{{.*}} : tensor<16xf32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK:         scf.for %{{.*}} = %c0 to %c64 step %c1 iter_args
// CHECK-NOT:       scf.for
// CHECK:           linalg.generic {{.*}} ins(%{{.*}} : tensor<1x128xf32>) outs(%{{.*}} : tensor<1xf32>)
// CHECK:         scf.for %{{.*}} = %c0 to %c128 step %c8
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %c64 step %c8
// CHECK:             linalg.generic {{.*}} ins(%{{.*}} : tensor<8x8xf32>) outs(%{{.*}} : tensor<8x8xf32>)
func.func @rows(%n: index, %q: tensor<?x128xbf16>, %g: tensor<64xf32>,
                %a: tensor<64x128xf32>, %sums: tensor<64xf32>,
                %exps: tensor<64xf32>, %t: tensor<128x64xf32>)
    -> (tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128x64xf32>)
    attributes {deltanet.kernel = #kernel} {
  %x:4 = scf.forall (%i) in (1) shared_outs(%a0 = %a, %e0 = %exps, %s0 = %sums, %t0 = %t)
      -> (tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128x64xf32>) {
    %src = tensor.extract_slice %q[%i, 0] [%n, 128] [1, 1] : tensor<?x128xbf16> to tensor<?x128xbf16>
    %dst = tensor.extract_slice %a0[0, 0] [%n, 128] [1, 1] : tensor<64x128xf32> to tensor<?x128xf32>
    %c = linalg.generic {indexing_maps = [#id, #id],
        iterator_types = ["parallel", "parallel"]}
        ins(%src : tensor<?x128xbf16>) outs(%dst : tensor<?x128xf32>) {
      ^bb0(%u: bf16, %v: f32):
        %w = arith.extf %u : bf16 to f32
        linalg.yield %w : f32 } -> tensor<?x128xf32>
    %a1 = tensor.insert_slice %c into %a0[0, 0] [%n, 128] [1, 1] : tensor<?x128xf32> into tensor<64x128xf32>
    %e1 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
        ins(%g : tensor<64xf32>) outs(%e0 : tensor<64xf32>) {
      ^bb0(%u: f32, %v: f32):
        %w = math.exp %u : f32
        linalg.yield %w : f32 } -> tensor<64xf32>
    %s1 = linalg.generic {indexing_maps = [#id, #row],
        iterator_types = ["parallel", "reduction"]}
        ins(%a1 : tensor<64x128xf32>) outs(%s0 : tensor<64xf32>) {
      ^bb0(%u: f32, %v: f32):
        %w = arith.mulf %u, %u : f32
        %z = arith.addf %v, %w : f32
        linalg.yield %z : f32 } -> tensor<64xf32>
    %t1 = linalg.generic {indexing_maps = [#tr, #id],
        iterator_types = ["parallel", "parallel"]}
        ins(%a1 : tensor<64x128xf32>) outs(%t0 : tensor<128x64xf32>) {
      ^bb0(%u: f32, %v: f32):
        linalg.yield %u : f32 } -> tensor<128x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a1 into %a0[0, 0] [64, 128] [1, 1] : tensor<64x128xf32> into tensor<64x128xf32>
      tensor.parallel_insert_slice %e1 into %e0[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
      tensor.parallel_insert_slice %s1 into %s0[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
      tensor.parallel_insert_slice %t1 into %t0[0, 0] [128, 64] [1, 1] : tensor<128x64xf32> into tensor<128x64xf32>
    }
  } {deltanet.schedule = #schedule}
  return %x#0, %x#1, %x#2, %x#3 : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128x64xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

func.func @no_schedule(%o: tensor<4xf32>) -> tensor<4xf32>
    attributes {deltanet.kernel = #kernel} {
  // expected-error @+1 {{'scf.forall' op expected attribute 'deltanet.schedule' on a parallel loop of a kernel}}
  %x = scf.forall (%i) in (1) shared_outs(%y = %o) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  return %x : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @not_a_kernel
// CHECK:       linalg.exp {{.*}} -> tensor<64x64xf32>
func.func @not_a_kernel(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = linalg.exp ins(%x : tensor<64x64xf32>) outs(%x : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, columns = 8, register_rows = 4>

// A single row is not cut at the columns of a register block: a loop that wrote
// it in parts would still read the rows above from the same tensor.

// CHECK-LABEL: func.func @one_row
// CHECK:       %[[E:.*]] = linalg.fill {{.*}} -> tensor<1x16xf32>
// CHECK-NEXT:  scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args(%[[ACC:.*]] = %[[E]]) -> (tensor<1x16xf32>)
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<1x1xf32>, tensor<1x16xf32>) outs(%[[ACC]] : tensor<1x16xf32>)
func.func @one_row(%a: tensor<1x16xf32>, %b: tensor<16x16xf32>,
                   %o: tensor<1x16xf32>)
    -> tensor<1x16xf32> attributes {deltanet.kernel = #kernel} {
  %zero = arith.constant 0.0 : f32
  %x = scf.forall (%i) in (1) shared_outs(%y = %o) -> (tensor<1x16xf32>) {
    %f = linalg.fill ins(%zero : f32) outs(%y : tensor<1x16xf32>) -> tensor<1x16xf32>
    %p = linalg.matmul ins(%a, %b : tensor<1x16xf32>, tensor<16x16xf32>)
                       outs(%f : tensor<1x16xf32>) -> tensor<1x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %y[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<1x16xf32>
    }
  } {deltanet.schedule = #schedule}
  return %x : tensor<1x16xf32>
}
