// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments -split-input-file | FileCheck %s

// Products of chunks by tensor cores, each with what is computed around it.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 64, io = f16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 64, staging = two_stage,
                               matrix = mma, warps = 4>
#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Both operands come from elsewhere: they are copied to shared memory, swizzled, one
// copy for both uses, and the left one is read from there. What sums are multiplied
// by is read as it is needed, rows and columns.

// CHECK-DAG: #[[$SUMS:.+]] = #fragment.accumulator<warps = [4, 1]>
// CHECK-DAG: #[[$LEFT:.+]] = #fragment.left<warps = [4, 1]>
// CHECK-LABEL: func.func @gram
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<9x64x32xf16>, %[[Q:[a-z0-9]+]]: tensor<9x64x32xf16>, %[[F:[a-z0-9]+]]: tensor<64xf32>
// CHECK: scf.forall (%[[I:.+]]) in (9)
// CHECK-DAG: %[[KI:.+]] = tensor.extract_slice %[[K]][%[[I]], 0, 0]
// CHECK-DAG: %[[QI:.+]] = tensor.extract_slice %[[Q]][%[[I]], 0, 0]
// CHECK-DAG: %[[KS:.+]] = fragment.copy_async %[[KI]] to %{{.*}} swizzled : tensor<64x32xf16>, tensor<64x32xf16>
// CHECK-DAG: %[[QS:.+]] = fragment.copy_async %[[QI]] to %{{.*}} swizzled
// CHECK-NOT: fragment.copy_async
// CHECK-DAG: %[[KL:.+]] = fragment.load %[[KS]] swizzled : tensor<64x32xf16> -> <64x32xf16, #[[$LEFT]]>
// CHECK-DAG: %[[KK:.+]] = fragment.mma %[[KL]], %[[KS]], %{{.*}} dims [1, 0] : <64x32xf16, #[[$LEFT]]>, tensor<64x32xf16>, <64x64xf32, #[[$SUMS]]>
// CHECK-DAG: %[[QL:.+]] = fragment.load %[[QS]] swizzled
// CHECK-DAG: %[[QK:.+]] = fragment.mma %[[QL]], %[[KS]], %{{.*}} dims [1, 0]
// CHECK: %[[COLUMNS:.+]] = fragment.load %[[F]] dims [1] : tensor<64xf32> -> <1x64xf32, #[[$SUMS]]>
// CHECK: %[[ROWS:.+]] = fragment.load %[[F]] dims [0] : tensor<64xf32> -> <64x1xf32, #[[$SUMS]]>
// CHECK: %[[SCALED:.+]]:2 = fragment.map %[[KK]], %[[QK]], %[[COLUMNS]], %[[ROWS]]
// CHECK-DAG: %[[J0:.+]] = fragment.index 1
// CHECK-DAG: %[[I0:.+]] = fragment.index 0
// CHECK:   arith.cmpi ule, %[[J0]], %[[I0]] : index
// CHECK-DAG: fragment.store %[[SCALED]]#0, %{{.*}} : <64x64xf32, #[[$SUMS]]>, tensor<64x64xf32>
// CHECK-DAG: fragment.store %[[SCALED]]#1, %{{.*}} : <64x64xf32, #[[$SUMS]]>, tensor<64x64xf32>
// CHECK-NOT: linalg
// CHECK: return
func.func @gram(%k: tensor<9x64x32xf16>, %q: tensor<9x64x32xf16>, %f: tensor<64xf32>,
                %d: tensor<9x64x64xf32>, %e: tensor<9x64x64xf32>)
    -> (tensor<9x64x64xf32>, tensor<9x64x64xf32>) attributes {deltanet.kernel = #kernel} {
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.forall (%i) in (9) shared_outs(%da = %d, %ea = %e)
      -> (tensor<9x64x64xf32>, tensor<9x64x64xf32>) {
    %ki = tensor.extract_slice %k[%i, 0, 0] [1, 64, 32] [1, 1, 1]
        : tensor<9x64x32xf16> to tensor<64x32xf16>
    %qi = tensor.extract_slice %q[%i, 0, 0] [1, 64, 32] [1, 1, 1]
        : tensor<9x64x32xf16> to tensor<64x32xf16>
    %do = tensor.extract_slice %da[%i, 0, 0] [1, 64, 64] [1, 1, 1]
        : tensor<9x64x64xf32> to tensor<64x64xf32>
    %eo = tensor.extract_slice %ea[%i, 0, 0] [1, 64, 64] [1, 1, 1]
        : tensor<9x64x64xf32> to tensor<64x64xf32>
    %a0 = bufferization.alloc_tensor() : tensor<64x64xf32>
    %a1 = linalg.fill ins(%zero : f32) outs(%a0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %kk = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%ki, %ki : tensor<64x32xf16>, tensor<64x32xf16>)
        outs(%a1 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %b0 = bufferization.alloc_tensor() : tensor<64x64xf32>
    %b1 = linalg.fill ins(%zero : f32) outs(%b0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %qk = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%qi, %ki : tensor<64x32xf16>, tensor<64x32xf16>)
        outs(%b1 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %s:2 = linalg.generic {indexing_maps = [#same, #same, #column, #row, #same, #same],
                           iterator_types = ["parallel", "parallel"]}
        ins(%kk, %qk, %f, %f : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>,
            tensor<64xf32>) outs(%do, %eo : tensor<64x64xf32>, tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %c: f32, %w: f32, %o0: f32, %o1: f32):
      %row = linalg.index 0 : index
      %column = linalg.index 1 : index
      %kept = arith.cmpi ule, %column, %row : index
      %x1 = arith.mulf %x, %c : f32
      %y1 = arith.mulf %y, %w : f32
      %y2 = arith.select %kept, %y1, %zero : f32
      linalg.yield %x1, %y2 : f32, f32
    } -> (tensor<64x64xf32>, tensor<64x64xf32>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s#0 into %da[%i, 0, 0] [1, 64, 64] [1, 1, 1]
          : tensor<64x64xf32> into tensor<9x64x64xf32>
      tensor.parallel_insert_slice %s#1 into %ea[%i, 0, 0] [1, 64, 64] [1, 1, 1]
          : tensor<64x64xf32> into tensor<9x64x64xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r#0, %r#1 : tensor<9x64x64xf32>, tensor<9x64x64xf32>
}

// -----

// A state that a loop carries. Where keys come from elsewhere and the state does not,
// the product is transposed: the state, rounded, is the left operand in registers, and
// the tiles of sums are [V,C]. Copies begin with the turn of the loop; o goes to memory
// through shared memory, by whole rows.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 64, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 64, staging = two_stage,
                               matrix = mma, warps = 4>
#same = affine_map<(i, j) -> (i, j)>

// CHECK-DAG: #[[$SUMS:.+]] = #fragment.accumulator<warps = [4, 1]>
// CHECK-DAG: #[[$LEFT:.+]] = #fragment.left<warps = [4, 1]>
// CHECK-DAG: #[[$ROWS:.+]] = #fragment.lanes<lanes = [2, 16], warps = [4, 1]>
// CHECK-LABEL: func.func @scan
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<9x64x32xf16>, %[[T:[a-z0-9]+]]: tensor<9x64x64xf32>, %[[S:[a-z0-9]+]]: tensor<32x64xf32>
// CHECK: scf.forall
// CHECK: %[[INITIAL:.+]] = fragment.load %[[S]] dims [1, 0] : tensor<32x64xf32> -> <64x32xf32, #[[$SUMS]]>
// CHECK: scf.for %[[C:.+]] = {{.*}} iter_args(%[[O:.+]] = %{{.*}}, %[[STATE:.+]] = %[[INITIAL]]) -> (tensor<?x64xbf16>, !fragment.tile<64x32xf32, #[[$SUMS]]>)
// CHECK-NEXT: %[[KC:.+]] = tensor.extract_slice %[[K]][%[[C]], 0, 0]
// CHECK-DAG:  %[[KS:.+]] = fragment.copy_async %[[KC]] to %{{.*}} swizzled : tensor<64x32xf16>
// CHECK-DAG:  %[[TC:.+]] = tensor.extract_slice %[[T]][%[[C]], 0, 0]
// CHECK-DAG:  %[[TS:.+]] = fragment.copy_async %[[TC]] to %{{.*}} swizzled : tensor<64x64xf32>
// CHECK: %[[HALF:.+]] = fragment.map %[[STATE]] : {{.*}} -> !fragment.tile<64x32xf16, #[[$SUMS]]>
// CHECK: %[[A:.+]] = fragment.cast %[[HALF]] : <64x32xf16, #[[$SUMS]]> to <64x32xf16, #[[$LEFT]]>
// CHECK: %[[X:.+]] = fragment.mma %[[A]], %[[KS]], %{{.*}} dims [1, 0] : <64x32xf16, #[[$LEFT]]>, tensor<64x32xf16>, <64x64xf32, #[[$SUMS]]>
// CHECK: %[[XL:.+]] = fragment.cast %[[X]] : <64x64xf32, #[[$SUMS]]> to <64x64xf32, #[[$LEFT]]>
// CHECK: %[[D:.+]] = fragment.mma %[[XL]], %[[TS]], %{{.*}} dims [1, 0] causal split_right : <64x64xf32, #[[$LEFT]]>, tensor<64x64xf32>, <64x64xf32, #[[$SUMS]]>
// CHECK: %[[NARROW:.+]] = fragment.map %[[D]] : {{.*}} -> !fragment.tile<64x64xbf16, #[[$SUMS]]>
// CHECK: %[[STAGED:.+]] = fragment.store %[[NARROW]], %{{.*}} dims [1, 0] swizzled : <64x64xbf16, #[[$SUMS]]>, tensor<64x64xbf16>
// CHECK: %[[WHOLE:.+]] = fragment.load %[[STAGED]] swizzled : tensor<64x64xbf16> -> <64x64xbf16, #[[$ROWS]]>
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[O]][%{{.*}}, 0] [%{{.*}}, 64]
// CHECK: fragment.store %[[WHOLE]], %[[PART]] : <64x64xbf16, #[[$ROWS]]>, tensor<?x64xbf16>
// CHECK: %[[B:.+]] = fragment.map %[[D]] : {{.*}} -> !fragment.tile<64x64xf16, #[[$SUMS]]>
// CHECK: %[[BL:.+]] = fragment.cast %[[B]]
// CHECK: %[[NEXT:.+]] = fragment.mma %[[BL]], %[[KS]], %[[STATE]] : <64x64xf16, #[[$LEFT]]>, tensor<64x32xf16>, <64x32xf32, #[[$SUMS]]>
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: fragment.store %{{.*}}#1, %{{.*}} dims [1, 0] : <64x32xf32, #[[$SUMS]]>, tensor<32x64xf32>
// CHECK-NOT: linalg
// CHECK: return
func.func @scan(%k: tensor<9x64x32xf16>, %t: tensor<9x64x64xf32>, %s: tensor<32x64xf32>,
                %n: index, %od: tensor<?x64xbf16>, %sd: tensor<32x64xf32>)
    -> (tensor<?x64xbf16>, tensor<32x64xf32>) attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.forall (%i) in (1) shared_outs(%oa = %od, %sa = %sd)
      -> (tensor<?x64xbf16>, tensor<32x64xf32>) {
    %s0 = bufferization.alloc_tensor() : tensor<32x64xf32>
    %initial = linalg.copy ins(%s : tensor<32x64xf32>) outs(%s0 : tensor<32x64xf32>)
        -> tensor<32x64xf32>
    %l:2 = scf.for %c = %c0 to %n step %c1 iter_args(%o = %oa, %state = %initial)
        -> (tensor<?x64xbf16>, tensor<32x64xf32>) {
      %half0 = bufferization.alloc_tensor() : tensor<32x64xf16>
      %half = linalg.copy ins(%state : tensor<32x64xf32>) outs(%half0 : tensor<32x64xf16>)
          -> tensor<32x64xf16>
      %kc = tensor.extract_slice %k[%c, 0, 0] [1, 64, 32] [1, 1, 1]
          : tensor<9x64x32xf16> to tensor<64x32xf16>
      %x0 = bufferization.alloc_tensor() : tensor<64x64xf32>
      %x1 = linalg.fill ins(%zero : f32) outs(%x0 : tensor<64x64xf32>)
          -> tensor<64x64xf32>
      %x = linalg.matmul ins(%kc, %half : tensor<64x32xf16>, tensor<32x64xf16>)
          outs(%x1 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %tc = tensor.extract_slice %t[%c, 0, 0] [1, 64, 64] [1, 1, 1]
          : tensor<9x64x64xf32> to tensor<64x64xf32>
      %d0 = bufferization.alloc_tensor() : tensor<64x64xf32>
      %d1 = linalg.fill ins(%zero : f32) outs(%d0 : tensor<64x64xf32>)
          -> tensor<64x64xf32>
      %d = linalg.matmul {deltanet.causal, deltanet.tf32,
                          deltanet.split_operands = array<i1: true, false>}
          ins(%tc, %x : tensor<64x64xf32>, tensor<64x64xf32>)
          outs(%d1 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %n0 = bufferization.alloc_tensor() : tensor<64x64xbf16>
      %narrow = linalg.copy ins(%d : tensor<64x64xf32>) outs(%n0 : tensor<64x64xbf16>)
          -> tensor<64x64xbf16>
      %valid = tensor.extract_slice %narrow[0, 0] [%n, 64] [1, 1]
          : tensor<64x64xbf16> to tensor<?x64xbf16>
      %o1 = tensor.insert_slice %valid into %o[%c, 0] [%n, 64] [1, 1]
          : tensor<?x64xbf16> into tensor<?x64xbf16>
      %b0 = bufferization.alloc_tensor() : tensor<64x64xf16>
      %b = linalg.copy ins(%d : tensor<64x64xf32>) outs(%b0 : tensor<64x64xf16>)
          -> tensor<64x64xf16>
      %next = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
          affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%kc, %b : tensor<64x32xf16>, tensor<64x64xf16>)
          outs(%state : tensor<32x64xf32>) -> tensor<32x64xf32>
      scf.yield %o1, %next : tensor<?x64xbf16>, tensor<32x64xf32>
    }
    %final = linalg.copy ins(%l#1 : tensor<32x64xf32>) outs(%sa : tensor<32x64xf32>)
        -> tensor<32x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %l#0 into %oa[0, 0] [%n, 64] [1, 1]
          : tensor<?x64xbf16> into tensor<?x64xbf16>
      tensor.parallel_insert_slice %final into %sa[0, 0] [32, 64] [1, 1]
          : tensor<32x64xf32> into tensor<32x64xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r#0, %r#1 : tensor<?x64xbf16>, tensor<32x64xf32>
}
