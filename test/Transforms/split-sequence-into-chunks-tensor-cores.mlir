// RUN: delta-opt %s -deltanet-form-kernels -deltanet-split-sequence-into-chunks | FileCheck %s

// With matrix = mma, products are of f16 and of tf32.

// gather: rows as they are, times a power of two that takes the largest below 2^15.
// What takes it back is a factor of the row, with the L2 norm.
// CHECK-DAG: #[[$SAME:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COLUMN:.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$TERMS_FIRST:.+]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-LABEL: func.func @gated
// CHECK-SAME: %[[SCALE:[a-z0-9]+]]: f32 {deltanet.role = #deltanet<role scale>}
// CHECK-DAG: %[[TO_HALF_RANGE:.+]] = arith.constant 268 : i32
// CHECK: %[[ROWS:.+]]:4 = scf.forall {{.*}} -> (tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32xf32>, tensor<?x2x32xf32>)
// CHECK:   %[[GIVEN:.+]] = tensor.pad %{{.*}} low[0, 0] high[%{{.*}}, 0]
// CHECK:   %[[LARGEST:.+]] = linalg.generic {{.*}}"reduction"]} ins(%[[GIVEN]]
// CHECK:     arith.maxnumf
// CHECK:   %[[SQUARES:.+]] = linalg.generic {{.*}}"reduction"]} ins(%[[GIVEN]]
// CHECK:     arith.addf
// CHECK:   %[[POWERS:.+]]:2 = linalg.generic {{.*}} ins(%[[LARGEST]], %[[SQUARES]]
// CHECK:     %[[EXPONENT:.+]] = arith.shrui
// CHECK:     arith.subi %[[TO_HALF_RANGE]], %[[EXPONENT]]
// CHECK:     %[[POWER:.+]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:     %[[BACK:.+]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:     %[[FACTOR:.+]] = arith.mulf %{{.*}}, %[[BACK]]
// CHECK:     linalg.yield %[[POWER]], %[[FACTOR]]
// CHECK:   linalg.generic {indexing_maps = [#[[$SAME]], #[[$ROW]], #[[$SAME]]]{{.*}} ins(%[[GIVEN]], %[[POWERS]]#0
// CHECK:     arith.truncf %{{.*}} : f32 to f16
// CHECK: #deltanet.domain<[gather], [chunk, key_head]>

// gram: whole products of these rows, then the factors of row and column.
// CHECK: %[[GRAM:.+]]:2 = scf.forall
// CHECK:   %[[K:.+]] = tensor.extract_slice %[[ROWS]]#0
// CHECK:   %[[Q:.+]] = tensor.extract_slice %[[ROWS]]#1
// CHECK:   %[[KC:.+]] = tensor.extract_slice %[[ROWS]]#2
// CHECK:   %[[QC:.+]] = tensor.extract_slice %[[ROWS]]#3
// CHECK:   linalg.matmul {{.*}} ins(%[[K]], %[[K]] : tensor<32x64xf16>, tensor<32x64xf16>) outs(%{{.*}} : tensor<32x32xf32>)
// CHECK:   %[[QK:.+]] = linalg.matmul {{.*}} ins(%[[Q]], %[[K]] :
// CHECK:   linalg.generic {indexing_maps = [#[[$SAME]], #[[$ROW]], #[[$COLUMN]], #[[$SAME]]]{{.*}} ins(%[[QK]], %[[QC]], %[[KC]]

// gates: beta as it is; those of the keys have their factors.
// CHECK: %[[GATES:.+]]:6 = scf.forall
// CHECK: deltanet.tril_inverse

// weights: a whole matrix at once, below the diagonal P rounded to the nearest tf32,
// where NaNs stay, and T as it is: products take it as two numbers.
// CHECK: %[[WEIGHTS:.+]]:2 = scf.forall
// CHECK-NOT: scf.for %
// CHECK:   arith.addi %{{.*}}, %c4096_i32
// CHECK:   arith.andi %{{.*}}, %c-8192_i32
// CHECK:   %[[IS_NAN:.+]] = arith.cmpf uno, %[[X:.+]], %[[X]]
// CHECK:   arith.select %[[IS_NAN]], %[[X]]
// CHECK: #deltanet.domain<[weights]

// scan: the state is scaled for each column by what came before it, ...
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[STATE:.+]] = %{{.*}}) -> (tensor<?x48xbf16>, tensor<64x48xf32>)
// CHECK:   %[[MOST:.+]] = linalg.generic {indexing_maps = [#[[$SAME]], #[[$COLUMN]]]{{.*}} ins(%[[STATE]]
// CHECK:   %[[S:.+]]:2 = linalg.generic {{.*}} ins(%[[MOST]]
// CHECK:     arith.subi %[[TO_HALF_RANGE]]
// CHECK:   %[[A:.+]] = linalg.generic {{.*}} ins(%[[STATE]], %[[S]]#0
// CHECK:     arith.truncf %{{.*}} : f32 to f16
// CHECK:   linalg.matmul ins(%{{.*}}, %[[A]] : tensor<32x64xf16>, tensor<64x48xf16>)
// CHECK:   %[[O:.+]] = linalg.generic
// CHECK:   linalg.matmul ins(%{{.*}}, %[[A]] :
// CHECK:   %[[ERROR:.+]] = linalg.generic {{.*}} tensor<32x48xbf16>
// CHECK:     arith.subf
// CHECK:     arith.cmpf uno

// ... the products of the causal matrices are of tf32, ...
// CHECK:   %[[T:.+]] = tensor.extract_slice %[[WEIGHTS]]#0
// CHECK:   %[[U:.+]] = linalg.matmul {deltanet.causal, deltanet.split_operands = array<i1: true, false>, deltanet.tf32} ins(%[[T]], %[[ERROR]]
// CHECK:   %[[D:.+]] = linalg.generic {{.*}} ins(%[[U]] :
// CHECK:     arith.cmpf uno
// CHECK:   %[[W:.+]] = linalg.generic {{.*}} ins(%[[U]], %{{.*}} :
// CHECK:   %[[B:.+]] = linalg.generic {{.*}} ins(%[[W]], %{{.*}} tensor<48xf32>
// CHECK:     arith.truncf %{{.*}} : f32 to f16
// CHECK:   %[[P:.+]] = tensor.extract_slice %[[WEIGHTS]]#1
// CHECK:   linalg.matmul {deltanet.causal, deltanet.tf32} ins(%[[P]], %[[D]] {{.*}} outs(%[[O]]

// ... and o is written before the state has its next value.
// CHECK:   tensor.insert_slice %{{.*}} : tensor<?x48xbf16> into tensor<?x48xbf16>
// CHECK:   %[[ADDED:.+]] = linalg.matmul indexing_maps = [#[[$TERMS_FIRST]], {{.*}} ins(%{{.*}}, %[[B]] : tensor<32x64xf16>, tensor<32x48xf16>)
// CHECK:   linalg.generic {{.*}} ins(%[[ADDED]], %{{.*}}, %{{.*}} outs(%[[STATE]]
// CHECK: #deltanet.domain<[scan], [sequence, key_head, member]>
func.func @gated(%q: tensor<?x2x64xbf16>, %k: tensor<?x2x64xbf16>,
                 %v: tensor<?x6x48xbf16>, %g: tensor<?x6xf32>,
                 %beta: tensor<?x6xf32>, %s: tensor<1x6x64x48xf32>)
    -> (tensor<?x6x48xbf16>, tensor<1x6x64x48xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s)
      {l2norm_eps = 1.0e-6 : f32, schedules = [#deltanet.schedule<
          chunked, value_slice = 48, chunk = 32, staging = two_stage, matrix = mma,
          warps = 3, intra_warps = 4>]}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x6x48xbf16>,
         tensor<?x6xf32>, tensor<?x6xf32>, tensor<1x6x64x48xf32>)
      -> (tensor<?x6x48xbf16>, tensor<1x6x64x48xf32>)
  return %o, %f : tensor<?x6x48xbf16>, tensor<1x6x64x48xf32>
}

// Without gates and norm the powers of two alone are factors: no root, no
// exponential; queries have the scale, too.
// CHECK-LABEL: func.func @delta
// CHECK-NOT: math.{{exp|sqrt}}
// CHECK-NOT: deltanet.decay
// CHECK: %[[ROWS:.+]]:4 = scf.forall {{.*}} -> (tensor<?x1x64x16xf16>, tensor<?x1x64x16xf16>, tensor<?x1x64xf32>, tensor<?x1x64xf32>)
// CHECK: #deltanet.domain<[scan], [sequence, key_head, member, columns]>
func.func @delta(%q: tensor<?x1x16xf16>, %k: tensor<?x1x16xf16>,
                 %v: tensor<?x1x64xf16>, %beta: tensor<?x1xf32>)
    -> tensor<?x1x64xf16> {
  %o = deltanet.delta_rule delta, grouped, vk q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<chunked, value_slice = 32,
                                       staging = two_stage, matrix = mma, warps = 2>]}
      : (tensor<?x1x16xf16>, tensor<?x1x16xf16>, tensor<?x1x64xf16>,
         tensor<?x1xf32>) -> tensor<?x1x64xf16>
  return %o : tensor<?x1x64xf16>
}

// What is of f32 enters as two numbers: of f16, where they are made beside each other,
// or of tf32, where products split them. What both leave is not multiplied.
// CHECK-LABEL: func.func @floats
// CHECK: %[[ROWS:.+]]:6 = scf.forall {{.*}} -> (tensor<?x1x32x16xf16>, tensor<?x1x32x16xf16>, tensor<?x1x32x16xf16>, tensor<?x1x32x16xf16>, tensor<?x1x32xf32>, tensor<?x1x32xf32>)
// CHECK:   %[[FIRST:.+]] = arith.truncf %[[KEY:.+]] : f32 to f16
// CHECK:   %[[WIDE:.+]] = arith.extf %[[FIRST]]
// CHECK:   %[[LEFT:.+]] = arith.subf %[[KEY]], %[[WIDE]]
// CHECK:   %[[SECOND:.+]] = arith.truncf %[[LEFT]] : f32 to f16
// CHECK:   linalg.yield %[[FIRST]], %[[SECOND]]
// CHECK: scf.forall
// CHECK:   %[[K:.+]] = tensor.extract_slice %[[ROWS]]#0
// CHECK:   %[[KR:.+]] = tensor.extract_slice %[[ROWS]]#1
// CHECK:   %[[A:.+]] = linalg.matmul {{.*}} ins(%[[KR]], %[[K]] :
// CHECK:   %[[B:.+]] = linalg.matmul {{.*}} ins(%[[K]], %[[KR]] : {{.*}} outs(%[[A]]
// CHECK:   linalg.matmul {{.*}} ins(%[[K]], %[[K]] : {{.*}} outs(%[[B]]
// CHECK: #deltanet.domain<[gram]
// CHECK-NOT: arith.cmpf uno
// CHECK-COUNT-2: linalg.matmul {deltanet.causal, deltanet.split_operands = array<i1: true, true>, deltanet.tf32}
func.func @floats(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                  %v: tensor<?x1x16xf32>, %beta: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<chunked, value_slice = 16, chunk = 32,
                                       staging = two_stage, matrix = mma, warps = 1>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
