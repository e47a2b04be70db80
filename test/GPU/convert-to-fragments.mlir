// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments -split-input-file | FileCheck %s

// A loop over tokens carries a state [V,K] as a tile: it is loaded before, stored
// after, and nothing in between needs memory. Keys lie along rows of threads,
// values along columns; v and o are in bf16.

#row = affine_map<(i, j) -> (i, j)>
#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 128, v = 32, io = bf16, scale = 1.0 : f32>

// CHECK: #[[$LANES:.+]] = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
// CHECK-LABEL: func.func @vk
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x128xf32>, %[[V:[a-z0-9]+]]: tensor<?x32xbf16>, %[[G:[a-z0-9]+]]: tensor<?x2xf32>, %[[S:[a-z0-9]+]]: tensor<1x32x128xf32>, %[[SCALE:[a-z0-9]+]]: f32
// CHECK-NOT: alloc_tensor
// CHECK-NOT: linalg
// CHECK: scf.forall (%{{.*}}) in (1) shared_outs(%[[OA:.+]] = %{{.*}}, %[[SA:.+]] = %{{.*}})
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[S]][0, 0, 0] [1, 32, 128] {{.*}} to tensor<32x128xf32>
// CHECK: %[[INITIAL:.+]] = fragment.load %[[PART]] : tensor<32x128xf32> -> <32x128xf32, #[[$LANES]]>
// CHECK: %[[FINAL:.+]] = tensor.extract_slice %[[SA]][0, 0, 0] [1, 32, 128]
// CHECK: %[[R:.+]]:2 = scf.for %[[T:.+]] = %c0 to %{{.*}} iter_args(%[[O:.+]] = %[[OA]], %[[STATE:.+]] = %[[INITIAL]]) -> (tensor<?x32xbf16>, !fragment.tile<32x128xf32, #[[$LANES]]>)
// CHECK:   %[[K:.+]] = fragment.load %{{.*}} dims [1] : tensor<128xf32> -> <1x128xf32, #[[$LANES]]>
// CHECK:   %[[VALUE:.+]] = fragment.load %{{.*}} dims [0] : tensor<32xbf16> -> <32x1xbf16, #[[$LANES]]>
// CHECK:   %[[WIDE:.+]] = fragment.map %[[VALUE]]
// CHECK:     arith.extf
// CHECK:   %[[BETA:.+]] = tensor.extract %[[G]][%[[T]], %c1]
// CHECK:   %[[SQUARES:.+]] = fragment.map %[[K]]
// CHECK:     arith.mulf %[[X:.+]], %[[X]] fastmath<contract>
// CHECK:   %[[SUM:.+]] = fragment.reduce %[[SQUARES]] along 1 : <1x128xf32
// CHECK:   %[[PRODUCT:.+]] = fragment.extract %[[SUM]]

// What the state reads by key; query and key are one here.

// CHECK:   %[[PRODUCTS:.+]] = fragment.map %[[STATE]], %[[K]]
// CHECK:     arith.mulf
// CHECK:   %[[READ:.+]] = fragment.reduce %[[PRODUCTS]] along 1 : <32x128xf32
// CHECK:   %[[DELTA:.+]] = fragment.map %[[WIDE]], %[[READ]]
// CHECK-NEXT: ^bb0(%[[V0:.+]]: f32, %[[R0:.+]]: f32):
// CHECK-NEXT: %[[D0:.+]] = arith.mulf %[[DECAY:.+]], %[[R0]] fastmath<contract>
// CHECK-NEXT: %[[D1:.+]] = arith.subf %[[V0]], %[[D0]] fastmath<contract>
// CHECK-NEXT: %[[D2:.+]] = arith.mulf %[[BETA]], %[[D1]] fastmath<contract>
// CHECK-NEXT: fragment.yield %[[D2]]
// CHECK:   %[[OUT:.+]] = fragment.map %[[READ]], %[[DELTA]]
// CHECK-NEXT: ^bb0(%[[R1:.+]]: f32, %[[D:.+]]: f32):
// CHECK-NEXT: %[[O0:.+]] = arith.mulf %[[DECAY]], %[[R1]] fastmath<contract>
// CHECK-NEXT: %[[O2:.+]] = math.fma %[[PRODUCT]], %[[D]], %[[O0]]
// CHECK-NEXT: %[[O3:.+]] = arith.mulf %[[SCALE]], %[[O2]] fastmath<contract>
// CHECK-NEXT: fragment.yield %[[O3]]
// CHECK:   %[[NEW:.+]] = fragment.map %[[STATE]], %[[K]], %[[DELTA]]
// CHECK-NEXT: ^bb0(%[[S0:.+]]: f32, %[[K0:.+]]: f32, %[[D:.+]]: f32):
// CHECK-NEXT: %[[S1:.+]] = arith.mulf %[[DECAY]], %[[S0]] fastmath<contract>
// CHECK-NEXT: %[[S3:.+]] = math.fma %[[K0]], %[[D]], %[[S1]]
// CHECK-NEXT: fragment.yield %[[S3]]
// CHECK:   %[[NARROW:.+]] = fragment.map %[[OUT]]
// CHECK:     arith.truncf
// CHECK:   fragment.store %[[NARROW]], %{{.*}} dims [0] : <32x1xbf16, #[[$LANES]]>, tensor<32xbf16>
// CHECK:   scf.yield %{{.*}}, %[[NEW]]
// CHECK: fragment.store %[[R]]#1, %[[FINAL]] : <32x128xf32, #[[$LANES]]>, tensor<32x128xf32>
// CHECK-NOT: fragment.{{load|map|store}}
// CHECK: return
func.func @vk(%q: tensor<?x128xf32>, %v: tensor<?x32xbf16>, %g: tensor<?x2xf32>,
              %s: tensor<1x32x128xf32>, %scale: f32, %od: tensor<?x32xbf16>,
              %sd: tensor<1x32x128xf32>) -> (tensor<?x32xbf16>, tensor<1x32x128xf32>)
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %q, %c0 : tensor<?x128xf32>
  %r:2 = scf.forall (%i) in (1) shared_outs(%oa = %od, %sa = %sd)
      -> (tensor<?x32xbf16>, tensor<1x32x128xf32>) {
    %initial = linalg.copy ins(%s : tensor<1x32x128xf32>)
        outs(%sa : tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
    %t:2 = scf.for %token = %c0 to %n step %c1 iter_args(%o = %oa, %state = %initial)
        -> (tensor<?x32xbf16>, tensor<1x32x128xf32>) {
      %row = tensor.extract_slice %q[%token, 0] [1, 128] [1, 1]
          : tensor<?x128xf32> to tensor<128xf32>
      %key0 = bufferization.alloc_tensor() : tensor<128xf32>
      %key = linalg.copy ins(%row : tensor<128xf32>) outs(%key0 : tensor<128xf32>)
          -> tensor<128xf32>
      %value = tensor.extract_slice %v[%token, 0] [1, 32] [1, 1]
          : tensor<?x32xbf16> to tensor<1x32xbf16>
      %values0 = bufferization.alloc_tensor() : tensor<1x32xf32>
      %values = linalg.generic {indexing_maps = [#row, #row],
                                iterator_types = ["parallel", "parallel"]}
          ins(%value : tensor<1x32xbf16>) outs(%values0 : tensor<1x32xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %wide = arith.extf %in : bf16 to f32
        linalg.yield %wide : f32
      } -> tensor<1x32xf32>
      %gate = tensor.extract %g[%token, %c0] : tensor<?x2xf32>
      %beta = tensor.extract %g[%token, %c1] : tensor<?x2xf32>
      %decay = math.exp %gate : f32
      %factors0 = bufferization.alloc_tensor() : tensor<1x2xf32>
      %factors1 = tensor.insert %decay into %factors0[%c0, %c0] : tensor<1x2xf32>
      %factors = tensor.insert %beta into %factors1[%c0, %c1] : tensor<1x2xf32>
      %product0 = bufferization.alloc_tensor() : tensor<f32>
      %product1 = linalg.fill ins(%zero : f32) outs(%product0 : tensor<f32>)
          -> tensor<f32>
      %product2 = linalg.dot ins(%key, %key : tensor<128xf32>, tensor<128xf32>)
          outs(%product1 : tensor<f32>) -> tensor<f32>
      %product = tensor.extract %product2[] : tensor<f32>
      %out0 = bufferization.alloc_tensor() : tensor<1x32xf32>
      %out, %new = deltanet.token_step vk state(%state) key(%key) query(%key)
          values(%values) factors(%factors) product(%product) scale(%scale)
          outs(%out0, %state)
          : (tensor<1x32x128xf32>, tensor<128xf32>, tensor<128xf32>,
             tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>,
             tensor<1x32x128xf32>) -> (tensor<1x32xf32>, tensor<1x32x128xf32>)
      %place = tensor.extract_slice %o[%token, 0] [1, 32] [1, 1]
          : tensor<?x32xbf16> to tensor<1x32xbf16>
      %narrow = linalg.generic {indexing_maps = [#row, #row],
                                iterator_types = ["parallel", "parallel"]}
          ins(%out : tensor<1x32xf32>) outs(%place : tensor<1x32xbf16>) {
      ^bb0(%in: f32, %b: bf16):
        %x = arith.truncf %in : f32 to bf16
        linalg.yield %x : bf16
      } -> tensor<1x32xbf16>
      %o1 = tensor.insert_slice %narrow into %o[%token, 0] [1, 32] [1, 1]
          : tensor<1x32xbf16> into tensor<?x32xbf16>
      scf.yield %o1, %new : tensor<?x32xbf16>, tensor<1x32x128xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t#0 into %oa[0, 0] [%n, 32] [1, 1]
          : tensor<?x32xbf16> into tensor<?x32xbf16>
      tensor.parallel_insert_slice %t#1 into %sa[0, 0, 0] [1, 32, 128] [1, 1, 1]
          : tensor<1x32x128xf32> into tensor<1x32x128xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32,
                                            state = registers, warps = 4>}
  return %r#0, %r#1 : tensor<?x32xbf16>, tensor<1x32x128xf32>
}

// -----

// A state [K,V] without an initial and a final one: K is the rows of one warp,
// and what a turn makes of the state is all that is left of it. The factors come
// from memory, and to the dot product something is added.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 48, v = 16, io = f32, scale = 1.0 : f32>

// CHECK: #[[$LANES:.+]] = #fragment.lanes<lanes = [16, 2], warps = [1, 2]>
// CHECK-LABEL: func.func @kv
// CHECK-SAME: %{{.*}}: tensor<?x48xf32>, %{{.*}}: tensor<?x16xf32>, %[[FACTORS:[a-z0-9]+]]: tensor<1x2xf32>, %[[BIAS:[a-z0-9]+]]: tensor<f32>
// CHECK-NOT: alloc_tensor
// CHECK-NOT: linalg
// CHECK: %[[ZERO:.+]] = fragment.map : () -> !fragment.tile<48x16xf32, #[[$LANES]]> {
// CHECK-NEXT: fragment.yield %cst : f32
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[STATE:.+]] = %[[ZERO]]) -> (tensor<?x16xf32>, !fragment.tile<48x16xf32, #[[$LANES]]>)
// CHECK-DAG: %[[K:.+]] = fragment.load %{{.*}} dims [0] : tensor<48xf32> -> <48x1xf32, #[[$LANES]]>
// CHECK-DAG: %[[VALUES:.+]] = fragment.load %{{.*}} dims [1] : tensor<16xf32> -> <1x16xf32, #[[$LANES]]>
// CHECK-DAG: %[[SUM:.+]] = fragment.extract %{{.*}} : <1x1xf32, #[[$LANES]]>
// CHECK-DAG: %[[GIVEN:.+]] = tensor.extract %[[BIAS]][]
// CHECK-DAG: arith.addf %[[GIVEN]], %[[SUM]] fastmath<contract>
// CHECK-DAG: tensor.extract %[[FACTORS]][%c0, %c0]
// CHECK-DAG: tensor.extract %[[FACTORS]][%c0, %c1]
// CHECK:   fragment.reduce %{{.*}} along 0 : <48x16xf32, #[[$LANES]]>
// CHECK:   fragment.store %{{.*}} dims [1] : <1x16xf32, #[[$LANES]]>, tensor<16xf32>
// CHECK:   %[[NEW:.+]] = fragment.map %[[STATE]], %[[K]], %{{.*}} -> !fragment.tile<48x16xf32
// CHECK:   scf.yield %{{.*}}, %[[NEW]]
// CHECK-NOT: fragment.{{load|map|store}}
// CHECK: return
func.func @kv(%q: tensor<?x48xf32>, %v: tensor<?x16xf32>, %factors: tensor<1x2xf32>,
              %bias: tensor<f32>, %scale: f32, %od: tensor<?x16xf32>)
    -> tensor<?x16xf32> attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %q, %c0 : tensor<?x48xf32>
  %r = scf.forall (%i) in (1) shared_outs(%oa = %od) -> (tensor<?x16xf32>) {
    %initial0 = bufferization.alloc_tensor() : tensor<1x48x16xf32>
    %initial = linalg.fill ins(%zero : f32) outs(%initial0 : tensor<1x48x16xf32>)
        -> tensor<1x48x16xf32>
    %t:2 = scf.for %token = %c0 to %n step %c1 iter_args(%o = %oa, %state = %initial)
        -> (tensor<?x16xf32>, tensor<1x48x16xf32>) {
      %key = tensor.extract_slice %q[%token, 0] [1, 48] [1, 1]
          : tensor<?x48xf32> to tensor<48xf32>
      %values = tensor.extract_slice %v[%token, 0] [1, 16] [1, 1]
          : tensor<?x16xf32> to tensor<1x16xf32>
      %dot = linalg.dot ins(%key, %key : tensor<48xf32>, tensor<48xf32>)
          outs(%bias : tensor<f32>) -> tensor<f32>
      %product = tensor.extract %dot[] : tensor<f32>
      %place = tensor.extract_slice %o[%token, 0] [1, 16] [1, 1]
          : tensor<?x16xf32> to tensor<1x16xf32>
      %out, %new = deltanet.token_step kv state(%state) key(%key) query(%key)
          values(%values) factors(%factors) product(%product) scale(%scale)
          outs(%place, %state)
          : (tensor<1x48x16xf32>, tensor<48xf32>, tensor<48xf32>, tensor<1x16xf32>,
             tensor<1x2xf32>, f32, f32, tensor<1x16xf32>, tensor<1x48x16xf32>)
          -> (tensor<1x16xf32>, tensor<1x48x16xf32>)
      %o1 = tensor.insert_slice %out into %o[%token, 0] [1, 16] [1, 1]
          : tensor<1x16xf32> into tensor<?x16xf32>
      scf.yield %o1, %new : tensor<?x16xf32>, tensor<1x48x16xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t#0 into %oa[0, 0] [%n, 16] [1, 1]
          : tensor<?x16xf32> into tensor<?x16xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16,
                                            state = registers, warps = 2>}
  return %r : tensor<?x16xf32>
}
