// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments -split-input-file | FileCheck %s

// Rows that are padded with zeros, and reductions, with tensor cores.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vector = affine_map<(i) -> (i)>

// Rows that no product reads lie as lanes read them best. The first sum begins with
// what is there; what else is computed of the sums alone is a tile, too.

// CHECK-DAG: #[[$LANES:.+]] = #fragment.lanes<lanes = [4, 8], warps = [2, 1]>
// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<?x32xbf16>, %[[N:[a-z0-9]+]]: index, %[[BIAS:[a-z0-9]+]]: tensor<32xf32>
// CHECK: %[[FEW:.+]] = tensor.extract_slice %[[K]]
// CHECK: %[[ROWS:.+]] = fragment.load %[[FEW]] : tensor<?x32xbf16> -> <32x32xbf16, #[[$LANES]]>
// CHECK: %[[SQUARES:.+]] = fragment.map %[[ROWS]]
// CHECK:   %[[X:.+]] = arith.extf
// CHECK:   arith.mulf %[[X]], %[[X]]
// CHECK: %[[SUMS:.+]] = fragment.reduce %[[SQUARES]] along 1 : <32x32xf32, #[[$LANES]]> -> <32x1xf32, #[[$LANES]]>
// CHECK: %[[BEGIN:.+]] = fragment.load %[[BIAS]] dims [0] : tensor<32xf32> -> <32x1xf32, #[[$LANES]]>
// CHECK: %[[ALL:.+]] = fragment.map %[[BEGIN]], %[[SUMS]]
// CHECK-NEXT: ^bb0(%[[B0:.+]]: f32, %[[S0:.+]]: f32):
// CHECK-NEXT:   arith.addf %[[B0]], %[[S0]]
// CHECK: %[[SIZES:.+]] = fragment.map %[[ROWS]]
// CHECK:   math.absf
// CHECK: %[[MOST:.+]] = fragment.reduce max %[[SIZES]] along 1
// CHECK: fragment.map %{{.*}}, %[[MOST]]
// CHECK:   arith.maxnumf
// CHECK: fragment.map %{{.*}}, %{{.*}} -> !fragment.tile<32x1xf32, #[[$LANES]]>
// CHECK:   arith.divf
// CHECK: fragment.map %[[ROWS]], %{{.*}} -> !fragment.tile<32x32xf16, #[[$LANES]]>
// CHECK-NOT: linalg
// CHECK: return
func.func @gather(%k: tensor<?x32xbf16>, %n: index, %bias: tensor<32xf32>,
                  %d: tensor<32x32xf16>) -> tensor<32x32xf16>
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (1) shared_outs(%da = %d) -> (tensor<32x32xf16>) {
    %few = tensor.extract_slice %k[%i, 0] [%n, 32] [1, 1]
        : tensor<?x32xbf16> to tensor<?x32xbf16>
    %left = arith.subi %c32, %n : index
    %rows = tensor.pad %few low[0, 0] high[%left, 0] {
    ^bb0(%a: index, %b: index):
      tensor.yield %none : bf16
    } : tensor<?x32xbf16> to tensor<32x32xbf16>
    %sums = linalg.generic {indexing_maps = [#same, #row],
                            iterator_types = ["parallel", "reduction"]}
        ins(%rows : tensor<32x32xbf16>) outs(%bias : tensor<32xf32>) {
    ^bb0(%x: bf16, %sum: f32):
      %wide = arith.extf %x : bf16 to f32
      %square = arith.mulf %wide, %wide : f32
      %more = arith.addf %sum, %square : f32
      linalg.yield %more : f32
    } -> tensor<32xf32>
    %m0 = bufferization.alloc_tensor() : tensor<32xf32>
    %m1 = linalg.fill ins(%zero : f32) outs(%m0 : tensor<32xf32>) -> tensor<32xf32>
    %most = linalg.generic {indexing_maps = [#same, #row],
                            iterator_types = ["parallel", "reduction"]}
        ins(%rows : tensor<32x32xbf16>) outs(%m1 : tensor<32xf32>) {
    ^bb0(%x: bf16, %largest: f32):
      %wide = arith.extf %x : bf16 to f32
      %size = math.absf %wide : f32
      %more = arith.maxnumf %size, %largest : f32
      linalg.yield %more : f32
    } -> tensor<32xf32>
    %f0 = bufferization.alloc_tensor() : tensor<32xf32>
    %f = linalg.generic {indexing_maps = [#vector, #vector, #vector],
                         iterator_types = ["parallel"]}
        ins(%sums, %most : tensor<32xf32>, tensor<32xf32>) outs(%f0 : tensor<32xf32>) {
    ^bb0(%x: f32, %y: f32, %old: f32):
      %z = arith.divf %x, %y : f32
      linalg.yield %z : f32
    } -> tensor<32xf32>
    %s = linalg.generic {indexing_maps = [#same, #row, #same],
                         iterator_types = ["parallel", "parallel"]}
        ins(%rows, %f : tensor<32x32xbf16>, tensor<32xf32>)
        outs(%da : tensor<32x32xf16>) {
    ^bb0(%x: bf16, %y: f32, %old: f16):
      %wide = arith.extf %x : bf16 to f32
      %z = arith.mulf %wide, %y : f32
      %half = arith.truncf %z : f32 to f16
      linalg.yield %half : f16
    } -> tensor<32x32xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %da[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf16> into tensor<32x32xf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf16>
}

// -----

// Rows that are used with the sums of a transposed product go through shared memory,
// copied at the begin; the sums of its columns are those along rows of the tile.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
#same = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK-DAG: #[[$SUMS:.+]] = #fragment.accumulator<warps = [2, 1]>
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<?x32xbf16>, %{{.*}}: index, %[[K:[a-z0-9]+]]: tensor<32x32xf16>, %[[S:[a-z0-9]+]]: tensor<32x32xf16>
// CHECK-NOT: tensor.pad
// CHECK-DAG: %[[VC:.+]] = fragment.copy_async %{{.*}} to %{{.*}} swizzled : tensor<?x32xbf16>, tensor<32x32xbf16>
// CHECK-DAG: fragment.copy_async %[[K]] to
// CHECK-DAG: %[[STATE:.+]] = fragment.load %[[S]] : tensor<32x32xf16> -> <32x32xf16, #[[$SUMS]]>
// CHECK: %[[X:.+]] = fragment.mma
// CHECK: %[[VALUES:.+]] = fragment.load %[[VC]] dims [1, 0] swizzled : tensor<32x32xbf16> -> <32x32xbf16, #[[$SUMS]]>
// CHECK: %[[ERROR:.+]] = fragment.map %[[X]], %[[VALUES]]
// CHECK:   arith.subf
// CHECK: fragment.reduce %{{.*}} along 1 : <32x32xf32, #[[$SUMS]]> -> <32x1xf32, #[[$SUMS]]>
// CHECK: fragment.store %{{.*}} dims [0] : <32x1xf32, #[[$SUMS]]>, tensor<32xf32>
// CHECK-NOT: linalg
// CHECK: return
func.func @transposed(%v: tensor<?x32xbf16>, %n: index, %k: tensor<32x32xf16>,
                      %s: tensor<32x32xf16>, %d: tensor<32xf32>) -> tensor<32xf32>
    attributes {deltanet.kernel = #kernel} {
  %c32 = arith.constant 32 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (1) shared_outs(%da = %d) -> (tensor<32xf32>) {
    %a0 = bufferization.alloc_tensor() : tensor<32x32xf16>
    %a = linalg.transpose ins(%s : tensor<32x32xf16>) outs(%a0 : tensor<32x32xf16>)
        permutation = [1, 0]
    %x0 = bufferization.alloc_tensor() : tensor<32x32xf32>
    %x1 = linalg.fill ins(%zero : f32) outs(%x0 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %x = linalg.matmul ins(%k, %a : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%x1 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %few = tensor.extract_slice %v[%i, 0] [%n, 32] [1, 1]
        : tensor<?x32xbf16> to tensor<?x32xbf16>
    %left = arith.subi %c32, %n : index
    %rows = tensor.pad %few low[0, 0] high[%left, 0] {
    ^bb0(%a1: index, %b1: index):
      tensor.yield %none : bf16
    } : tensor<?x32xbf16> to tensor<32x32xbf16>
    %e0 = bufferization.alloc_tensor() : tensor<32x32xf32>
    %e = linalg.generic {indexing_maps = [#same, #same, #same],
                         iterator_types = ["parallel", "parallel"]}
        ins(%x, %rows : tensor<32x32xf32>, tensor<32x32xbf16>)
        outs(%e0 : tensor<32x32xf32>) {
    ^bb0(%p: f32, %q: bf16, %old: f32):
      %wide = arith.extf %q : bf16 to f32
      %y = arith.subf %wide, %p : f32
      linalg.yield %y : f32
    } -> tensor<32x32xf32>
    %sums = linalg.generic {indexing_maps = [#same, #column],
                            iterator_types = ["reduction", "parallel"]}
        ins(%e : tensor<32x32xf32>) outs(%da : tensor<32xf32>) {
    ^bb0(%p: f32, %sum: f32):
      %more = arith.addf %sum, %p : f32
      linalg.yield %more : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sums into %da[0] [32] [1]
          : tensor<32xf32> into tensor<32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32xf32>
}
