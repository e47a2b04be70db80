// RUN: delta-opt %s -deltanet-expand-recurrence -cse | FileCheck %s

// An item is a sequence, a value head and 32 of 64 columns of V. It copies its
// part of the state, which lies as [V,K], and carries it from token to token.
// Value heads of a key head are neighbours.

// CHECK-LABEL: func.func @vk
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x2x16xbf16>, %[[K:[a-z0-9]+]]: tensor<?x2x16xbf16>, %[[V:[a-z0-9]+]]: tensor<?x6x64xbf16>, %[[G:[a-z0-9]+]]: tensor<?x6xf32>, %[[B:[a-z0-9]+]]: tensor<?x6xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<?x6x64x16xf32>, %[[CU:[a-z0-9]+]]: tensor<?xi32>, %[[SCALE:[a-z0-9]+]]: f32
// CHECK: %[[ENTRIES:.+]] = tensor.dim %[[CU]]
// CHECK: %[[N:.+]] = arith.subi %[[ENTRIES]], %c1
// CHECK: scf.forall (%[[SEQ:.+]], %[[H:.+]], %[[X:.+]], %[[SLICE:.+]]) in (%[[N]], 2, 3, 2) shared_outs(%[[OA:.+]] = %{{.*}}, %[[SA:.+]] = %{{.*}})
// CHECK:   %[[FIRST:.+]] = arith.muli %[[H]], %c3
// CHECK:   %[[HV:.+]] = arith.addi %[[FIRST]], %{{.+}}
// CHECK:   %[[COLUMN:.+]] = arith.muli %[[SLICE]], %c32
// CHECK:   tensor.extract %[[CU]][%[[SEQ]]]
// CHECK:   %[[BEGIN:.+]] = arith.index_cast
// CHECK:   %[[LENGTH:.+]] = arith.subi %{{.*}}, %[[BEGIN]]
// CHECK:   %[[ROWS:.+]] = tensor.extract_slice %[[OA]][%[[BEGIN]], %[[HV]], %[[COLUMN]]] [%[[LENGTH]], 1, 32]
// CHECK:   %[[FINAL:.+]] = tensor.extract_slice %[[SA]][%[[SEQ]], %[[HV]], %[[COLUMN]], 0] [1, 1, 32, 16]
// CHECK:   %[[INITIAL:.+]] = tensor.extract_slice %[[S]][%[[SEQ]], %[[HV]], %[[COLUMN]], 0] [1, 1, 32, 16]
// CHECK:   %[[COPY:.+]] = linalg.copy ins(%[[INITIAL]] : tensor<1x32x16xf32>) outs(%[[FINAL]] : tensor<1x32x16xf32>)
// CHECK:   %[[R:.+]]:2 = scf.for %[[I:.+]] = %c0 to %[[LENGTH]] step %c1 iter_args(%[[O:.+]] = %[[ROWS]], %[[STATE:.+]] = %[[COPY]])
// CHECK:     %[[T:.+]] = arith.addi %[[BEGIN]], %[[I]]
// CHECK:     tensor.extract_slice %[[K]][%[[T]], %[[H]], 0] [1, 1, 16]
// CHECK:     %[[KEY:.+]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK:     tensor.extract_slice %[[Q]][%[[T]], %[[H]], 0] [1, 1, 16]
// CHECK:     %[[QUERY:.+]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK:     tensor.extract_slice %[[V]][%[[T]], %[[HV]], %[[COLUMN]]] [1, 1, 32]
// CHECK:     %[[VALUES:.+]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x32xf32>)
// CHECK:     %[[GATE:.+]] = tensor.extract %[[G]][%[[T]], %[[HV]]]
// CHECK:     %[[DECAY:.+]] = math.exp %[[GATE]]
// CHECK:     tensor.insert %[[DECAY]] into %{{.*}}[%c0, %c0] : tensor<1x2xf32>
// CHECK:     %[[BETA:.+]] = tensor.extract %[[B]][%[[T]], %[[HV]]]
// CHECK:     %[[FACTORS:.+]] = tensor.insert %[[BETA]] into %{{.*}}[%c0, %c1] : tensor<1x2xf32>
// CHECK:     linalg.dot ins(%[[KEY]], %[[QUERY]]
// CHECK:     %[[PRODUCT:.+]] = tensor.extract %{{.*}}[] : tensor<f32>
// CHECK:     %[[OUT:.+]], %[[NEW:.+]] = deltanet.token_step vk state(%[[STATE]]) key(%[[KEY]]) query(%[[QUERY]]) values(%[[VALUES]]) factors(%[[FACTORS]]) product(%[[PRODUCT]]) scale(%[[SCALE]]) outs(%{{.*}}, %[[STATE]])
// CHECK:     %[[PLACE:.+]] = tensor.extract_slice %[[O]][%[[I]], 0] [1, 32]
// CHECK:     %[[NARROW:.+]] = linalg.generic {{.*}} ins(%[[OUT]] : tensor<1x32xf32>) outs(%[[PLACE]] : tensor<1x32xbf16>)
// CHECK:     %[[NEXT:.+]] = tensor.insert_slice %[[NARROW]] into %[[O]][%[[I]], 0] [1, 32]
// CHECK:     scf.yield %[[NEXT]], %[[NEW]]
// CHECK:   tensor.parallel_insert_slice %[[R]]#0 into %[[OA]][%[[BEGIN]], %[[HV]], %[[COLUMN]]] [%[[LENGTH]], 1, 32]
// CHECK:   tensor.parallel_insert_slice %[[R]]#1 into %[[SA]][%[[SEQ]], %[[HV]], %[[COLUMN]], 0] [1, 1, 32, 16]
// CHECK: {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 2>}
func.func @vk(%q: tensor<?x2x16xbf16>, %k: tensor<?x2x16xbf16>,
              %v: tensor<?x6x64xbf16>, %g: tensor<?x6xf32>, %b: tensor<?x6xf32>,
              %s: tensor<?x6x64x16xf32>, %cu: tensor<?xi32>, %scale: f32,
              %od: tensor<?x6x64xbf16>, %sd: tensor<?x6x64x16xf32>)
    -> (tensor<?x6x64xbf16>, tensor<?x6x64x16xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, vk q(%q) k(%k) v(%v) g(%g) beta(%b)
      state(%s) cu_seqlens(%cu) scale(%scale) outs(%od, %sd)
      {schedules = [#deltanet.schedule<recurrent, value_slice = 32,
                                       state = registers, warps = 2>]}
      : (tensor<?x2x16xbf16>, tensor<?x2x16xbf16>, tensor<?x6x64xbf16>,
         tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6x64x16xf32>, tensor<?xi32>,
         f32, tensor<?x6x64xbf16>, tensor<?x6x64x16xf32>)
      -> (tensor<?x6x64xbf16>, tensor<?x6x64x16xf32>)
  return %o, %f : tensor<?x6x64xbf16>, tensor<?x6x64x16xf32>
}

// Without initial and final states the state [K,V] is scratch that begins with
// zeros, and all columns are one slice. Value heads of a key head are H apart;
// nothing decays; rows get unit length, and one of zeros keeps it.

// CHECK-LABEL: func.func @kv
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?x2x32xf32>, %[[K:[a-z0-9]+]]: tensor<?x2x32xf32>
// CHECK: scf.forall (%{{.*}}, %[[H:.+]], %[[X:.+]], %{{.*}}) in (%c1, 2, 3, 1) shared_outs(%{{[a-z0-9]+}} = %{{[a-z0-9]+}})
// CHECK:   %[[OFFSET:.+]] = arith.muli %[[X]], %c2
// CHECK:   %[[HV:.+]] = arith.addi %[[H]], %[[OFFSET]]
// CHECK:   %[[LENGTH:.+]] = tensor.dim
// CHECK:   %[[SCRATCH:.+]] = bufferization.alloc_tensor() : tensor<1x32x16xf32>
// CHECK:   %[[ZEROS:.+]] = linalg.fill ins(%cst{{.*}} : f32) outs(%[[SCRATCH]]
// CHECK:   %[[R:.+]]:2 = scf.for %{{.*}} = %c0 to %[[LENGTH]] step %c1 iter_args(%{{.*}} = %{{.*}}, %[[STATE:.+]] = %[[ZEROS]])
// CHECK:     tensor.extract_slice %[[K]][%{{.*}}, %[[H]], 0]
// CHECK:     %[[ROW:.+]] = linalg.copy
// CHECK:     linalg.dot ins(%[[ROW]], %[[ROW]]
// CHECK:     %[[SQUARE:.+]] = tensor.extract
// CHECK:     %[[SUM:.+]] = arith.addf %[[SQUARE]], %[[EPS:.+]] : f32
// CHECK:     arith.cmpf oeq, %[[SUM]]
// CHECK:     math.sqrt %[[SUM]]
// CHECK:     %[[FACTOR:.+]] = arith.select
// CHECK:     %[[KEY:.+]] = linalg.generic {{.*}} outs(%[[ROW]] : tensor<32xf32>)
// CHECK:       arith.mulf %{{.*}}, %[[FACTOR]]
// CHECK:     linalg.dot
// CHECK:     %[[QUERY:.+]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<32xf32>)
// CHECK-NOT: math.exp
// CHECK:     tensor.insert %[[ONE:.+]] into %{{.*}}[%c0, %c0] : tensor<1x2xf32>
// CHECK:     linalg.dot ins(%[[KEY]], %[[QUERY]]
// CHECK:     deltanet.token_step kv state(%[[STATE]]) key(%[[KEY]]) query(%[[QUERY]])
// CHECK:   tensor.parallel_insert_slice %[[R]]#0
// CHECK-NOT: tensor.parallel_insert_slice
// CHECK: return
func.func @kv(%q: tensor<?x2x32xf32>, %k: tensor<?x2x32xf32>, %v: tensor<?x6x16xf32>,
              %b: tensor<?x6xf32>, %scale: f32, %od: tensor<?x6x16xf32>)
    -> tensor<?x6x16xf32> {
  %o = deltanet.delta_rule delta, tiled, kv q(%q) k(%k) v(%v) beta(%b) scale(%scale)
      outs(%od)
      {l2norm_eps = 1.0e-6 : f32,
       schedules = [#deltanet.schedule<recurrent, value_slice = 16,
                                       state = registers, warps = 1>]}
      : (tensor<?x2x32xf32>, tensor<?x2x32xf32>, tensor<?x6x16xf32>, tensor<?x6xf32>,
         f32, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
  return %o : tensor<?x6x16xf32>
}

// Lengths from 2 to 9 only: others keep what is in the destinations. Zeros are
// put where the final state comes.

// CHECK-LABEL: func.func @range
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %{{.*}}, %[[SA:.+]] = %{{.*}})
// CHECK: %[[O:.+]] = tensor.extract_slice {{.*}} : tensor<7x1x16xf32> to tensor<?x16xf32>
// CHECK: %[[FINAL:.+]] = tensor.extract_slice %[[SA]][%{{.*}}, %{{.*}}, 0, %{{.*}}] [1, 1, 48, 16] [1, 1, 1, 1]
// CHECK: %[[LOW:.+]] = arith.cmpi sge, %[[LENGTH:.+]], %c2
// CHECK: %[[HIGH:.+]] = arith.cmpi sle, %[[LENGTH]], %c9
// CHECK: %[[SERVED:.+]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: %[[R:.+]]:2 = scf.if %[[SERVED]]
// CHECK:   linalg.fill ins(%{{.*}} : f32) outs(%[[FINAL]] : tensor<1x48x16xf32>)
// CHECK:   scf.for
// CHECK:     deltanet.token_step kv
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[O]], %[[FINAL]]
// CHECK: tensor.parallel_insert_slice %[[R]]#0
// CHECK: tensor.parallel_insert_slice %[[R]]#1 into %[[SA]]
func.func @range(%q: tensor<7x1x48xf32>, %v: tensor<7x1x16xf32>, %b: tensor<7x1xf32>,
                 %scale: f32, %od: tensor<7x1x16xf32>, %sd: tensor<1x1x48x16xf32>)
    -> (tensor<7x1x16xf32>, tensor<1x1x48x16xf32>) {
  %o, %f = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      scale(%scale) outs(%od, %sd)
      {schedules = [#deltanet.schedule<recurrent, min_tokens = 2, max_tokens = 9,
                                       value_slice = 16, state = registers,
                                       warps = 2>]}
      : (tensor<7x1x48xf32>, tensor<7x1x48xf32>, tensor<7x1x16xf32>, tensor<7x1xf32>,
         f32, tensor<7x1x16xf32>, tensor<1x1x48x16xf32>)
      -> (tensor<7x1x16xf32>, tensor<1x1x48x16xf32>)
  return %o, %f : tensor<7x1x16xf32>, tensor<1x1x48x16xf32>
}
