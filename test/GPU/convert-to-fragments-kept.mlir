// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments | FileCheck %s

// What is no tile stays as it is, and reads and writes memory.

#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>

// Products of other types and shapes than tensor cores take: numbers of f32 that are
// not of tf32, matrices of dynamic size, ...

// CHECK-LABEL: func.func @floats
// CHECK: linalg.matmul
// CHECK-NOT: fragment.
// CHECK: return
func.func @floats(%a: tensor<32x32xf32>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %x = linalg.matmul ins(%a, %a : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK: linalg.matmul
// CHECK-NOT: fragment.
// CHECK: return
func.func @dynamic(%a: tensor<?x32xf16>, %b: tensor<32x32xf16>, %n: index,
                   %d: tensor<?x32xf32>)
    -> tensor<?x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<?x32xf32>) {
    %x = linalg.matmul ins(%a, %b : tensor<?x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<?x32xf32>) -> tensor<?x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [%n, 32] [1, 1]
          : tensor<?x32xf32> into tensor<?x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<?x32xf32>
}

// ... a vector in place of a matrix, or the transpose of a product.

// CHECK-LABEL: func.func @vector
// CHECK: linalg.matmul
// CHECK-NOT: fragment.
// CHECK: return
func.func @vector(%a: tensor<32xf16>, %b: tensor<32x32xf16>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %x = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k)>,
          affine_map<(m, n, k) -> (k, n)>,
          affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %b : tensor<32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @transposed_sums
// CHECK: linalg.matmul
// CHECK-NOT: fragment.
// CHECK: return
func.func @transposed_sums(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>,
                           %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %x = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
          affine_map<(m, n, k) -> (k, n)>,
          affine_map<(m, n, k) -> (n, m)>]
        ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// Sums of products whose reduction is none: another combination, ...

// CHECK-LABEL: func.func @maximum
// CHECK: %[[P:.+]] = fragment.mma
// CHECK: %[[STORED:.+]] = fragment.store %[[P]]
// CHECK: linalg.generic {{.*}} ins(%[[STORED]]
// CHECK:   arith.maximumf
// CHECK-NOT: fragment.reduce
// CHECK: return
func.func @maximum(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                   %d: tensor<32xf32>)
    -> tensor<32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %x = linalg.generic {indexing_maps = [#same, #row],
                           iterator_types = ["parallel", "reduction"]}
        ins(%p : tensor<32x32xf32>) outs(%o : tensor<32xf32>) {
    ^bb0(%e: f32, %sum: f32):
      %q = arith.maximumf %sum, %e : f32
      linalg.yield %q : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0] [32] [1]
          : tensor<32xf32> into tensor<32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32xf32>
}

// ... to a place that is no row or column, of columns that two warps have, ...

// CHECK-LABEL: func.func @one_place
// CHECK: fragment.mma
// CHECK: linalg.generic
// CHECK-NOT: fragment.reduce
// CHECK: return
func.func @one_place(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                     %d: tensor<1x32xf32>)
    -> tensor<1x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<1x32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %x = linalg.generic {indexing_maps = [#same, affine_map<(i, j) -> (0, j)>],
                           iterator_types = ["reduction", "parallel"]}
        ins(%p : tensor<32x32xf32>) outs(%o : tensor<1x32xf32>) {
    ^bb0(%e: f32, %sum: f32):
      %q = arith.addf %sum, %e : f32
      linalg.yield %q : f32
    } -> tensor<1x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [1, 32] [1, 1]
          : tensor<1x32xf32> into tensor<1x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<1x32xf32>
}

// CHECK-LABEL: func.func @two_warps
// CHECK: fragment.mma
// CHECK: linalg.generic
// CHECK-NOT: fragment.reduce
// CHECK: return
func.func @two_warps(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                     %d: tensor<32xf32>)
    -> tensor<32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %x = linalg.generic {indexing_maps = [#same, #column],
                           iterator_types = ["reduction", "parallel"]}
        ins(%p : tensor<32x32xf32>) outs(%o : tensor<32xf32>) {
    ^bb0(%e: f32, %sum: f32):
      %q = arith.addf %sum, %e : f32
      linalg.yield %q : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0] [32] [1]
          : tensor<32xf32> into tensor<32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32xf32>
}

// ... or with a branch or a read for each element.

// CHECK-LABEL: func.func @branch
// CHECK: fragment.mma
// CHECK: linalg.generic
// CHECK:   scf.if
// CHECK-NOT: fragment.reduce
// CHECK: return
func.func @branch(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>, %c: i1,
                  %d: tensor<32xf32>)
    -> tensor<32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %x = linalg.generic {indexing_maps = [#same, #row],
                           iterator_types = ["parallel", "reduction"]}
        ins(%p : tensor<32x32xf32>) outs(%o : tensor<32xf32>) {
    ^bb0(%e: f32, %sum: f32):
      %q = scf.if %c -> (f32) {
        %s = arith.addf %sum, %e : f32
        scf.yield %s : f32
      } else {
        scf.yield %sum : f32
      }
      linalg.yield %q : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0] [32] [1]
          : tensor<32xf32> into tensor<32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32xf32>
}

// CHECK-LABEL: func.func @read
// CHECK: fragment.mma
// CHECK: linalg.generic
// CHECK:   tensor.extract
// CHECK: return
func.func @read(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                %v: tensor<32xf32>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %x = linalg.generic {indexing_maps = [#same, #same],
                           iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) {
    ^bb0(%e: f32, %old: f32):
      %j = linalg.index 1 : index
      %w = tensor.extract %v[%j] : tensor<32xf32>
      %q = arith.addf %e, %w : f32
      linalg.yield %q : f32
    } -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// Other parts of a matrix than its first rows are stored from memory: some columns, or
// rows that are few for certain.

// CHECK-LABEL: func.func @columns
// CHECK: %[[STORED:.+]] = fragment.store
// CHECK: tensor.extract_slice %[[STORED]][0, 0] [32, 16]
// CHECK: tensor.insert_slice
// CHECK: return
func.func @columns(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                   %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %e = tensor.extract_slice %p[0, 0] [32, 16] [1, 1] : tensor<32x32xf32> to tensor<32x16xf32>
    %x = tensor.insert_slice %e into %o[0, 16] [32, 16] [1, 1]
        : tensor<32x16xf32> into tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @few_rows
// CHECK: %[[STORED:.+]] = fragment.store
// CHECK: tensor.extract_slice %[[STORED]][0, 0] [20, 32]
// CHECK: tensor.insert_slice
// CHECK: return
func.func @few_rows(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                    %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %e = tensor.extract_slice %p[0, 0] [20, 32] [1, 1] : tensor<32x32xf32> to tensor<20x32xf32>
    %x = tensor.insert_slice %e into %o[0, 0] [20, 32] [1, 1]
        : tensor<20x32xf32> into tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}
