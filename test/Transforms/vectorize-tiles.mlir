// RUN: delta-opt %s -deltanet-vectorize-tiles -split-input-file -verify-diagnostics | FileCheck %s

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// The accumulator is one vector from the fill to the epilogue; memory is touched
// where the block is written. Two steps of the reduction a turn.

// CHECK-LABEL: func.func @block
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<6x128xf32>, %[[B:[a-z0-9]+]]: tensor<128x16xf32>
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<6x16xf32>
// CHECK-NOT:   linalg
// CHECK:       %[[P:.*]] = scf.for %[[K:.*]] = %c0 to %c128 step %c2 iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (vector<6x16xf32>)
// CHECK:         vector.transfer_read %[[A]][%c0, %[[K]]]
// CHECK:         vector.transfer_read %[[B]][%[[K]], %c0]
// CHECK:         %[[N0:.*]] = vector.contract {{.*}}, %[[ACC]] : vector<6x1xf32>, vector<1x16xf32> into vector<6x16xf32>
// CHECK:         %[[N1:.*]] = vector.contract {{.*}}, %[[N0]] : vector<6x1xf32>, vector<1x16xf32> into vector<6x16xf32>
// CHECK:         scf.yield %[[N1]] : vector<6x16xf32>
// CHECK-NEXT:  }
// CHECK-NOT:   deltanet.reduction
// CHECK:       %[[M:.*]] = arith.mulf %[[P]], %{{.*}} : vector<6x16xf32>
// CHECK-NEXT:  %[[W:.*]] = vector.transfer_write %[[M]]
// CHECK-NEXT:  return %[[W]]
func.func @block(%a: tensor<6x128xf32>, %b: tensor<128x16xf32>,
                 %r: tensor<6xf32>, %o: tensor<6x16xf32>) -> tensor<6x16xf32>
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %e = bufferization.alloc_tensor() : tensor<6x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  %p = scf.for %k = %c0 to %c128 step %c1 iter_args(%acc = %f) -> (tensor<6x16xf32>) {
    %ak = tensor.extract_slice %a[0, %k] [6, 1] [1, 1] : tensor<6x128xf32> to tensor<6x1xf32>
    %bk = tensor.extract_slice %b[%k, 0] [1, 16] [1, 1] : tensor<128x16xf32> to tensor<1x16xf32>
    %n = linalg.matmul ins(%ak, %bk : tensor<6x1xf32>, tensor<1x16xf32>)
                       outs(%acc : tensor<6x16xf32>) -> tensor<6x16xf32>
    scf.yield %n : tensor<6x16xf32>
  } {deltanet.reduction}
  %s = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %r : tensor<6x16xf32>, tensor<6xf32>) outs(%o : tensor<6x16xf32>) {
    ^bb0(%u: f32, %v: f32, %w: f32):
      %m = arith.mulf %u, %v : f32
      linalg.yield %m : f32 } -> tensor<6x16xf32>
  return %s : tensor<6x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// Rows lose their unit dimension; a copy stays one of vectors, and a sum along a
// row is folded to sixteen lanes before they are added.

// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<?x32xbf16>
// CHECK:       %[[R:.*]] = vector.transfer_read %[[Q]]{{.*}} : tensor<?x32xbf16>, vector<32xbf16>
// CHECK:       %[[X:.*]] = arith.extf %[[R]] : vector<32xbf16> to vector<32xf32>
// CHECK:       vector.transfer_write %[[X]], %{{.*}} : vector<32xf32>, tensor<4x32xf32>
// CHECK:       %[[S:.*]] = arith.mulf %{{.*}} : vector<32xf32>
// CHECK-DAG:   %[[LO:.*]] = vector.extract_strided_slice %[[S]] {offsets = [0], sizes = [16], strides = [1]}
// CHECK-DAG:   %[[HI:.*]] = vector.extract_strided_slice %[[S]] {offsets = [16], sizes = [16], strides = [1]}
// CHECK:       %[[SUM:.*]] = arith.addf %[[LO]], %[[HI]] : vector<16xf32>
// CHECK:       vector.reduction <add>, %[[SUM]] fastmath<reassoc> : vector<16xf32> into f32
func.func @rows(%i: index, %q: tensor<?x32xbf16>, %a: tensor<4x32xf32>,
                %s: tensor<4xf32>) -> (tensor<4x32xf32>, tensor<4xf32>)
    attributes {deltanet.kernel = #kernel} {
  %q1 = tensor.extract_slice %q[%i, 0] [1, 32] [1, 1] : tensor<?x32xbf16> to tensor<1x32xbf16>
  %a1 = tensor.extract_slice %a[2, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<1x32xf32>
  %c = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%q1 : tensor<1x32xbf16>) outs(%a1 : tensor<1x32xf32>) {
    ^bb0(%u: bf16, %v: f32):
      %w = arith.extf %u : bf16 to f32
      linalg.yield %w : f32 } -> tensor<1x32xf32>
  %a2 = tensor.insert_slice %c into %a[2, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<4x32xf32>
  %x = tensor.extract_slice %a2[%i, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<1x32xf32>
  %s1 = tensor.extract_slice %s[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %s2 = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x32xf32>) outs(%s1 : tensor<1xf32>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.mulf %u, %u : f32
      %z = arith.addf %v, %w : f32
      linalg.yield %z : f32 } -> tensor<1xf32>
  %s3 = tensor.insert_slice %s2 into %s[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return %a2, %s3 : tensor<4x32xf32>, tensor<4xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

// The sums of a causal row of blocks end at a multiple of the blocks' side: two
// steps a turn leave nothing. An end that says nothing keeps its last step.

// CHECK-LABEL: func.func @causal
// CHECK-SAME:    %{{.*}}: tensor<4x64xf32>, %{{.*}}: tensor<64x16xf32>, %{{.*}}: tensor<4x16xf32>, %[[N:.*]]: index
// CHECK:       scf.for %[[ROW:.*]] = %c0 to %c64 step %c16
// CHECK:         %[[END:.*]] = arith.addi %[[ROW]], %c16
// CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %c2
// CHECK-COUNT-2:   vector.contract
// CHECK-NOT:     vector.contract
// CHECK:       scf.for %{{.*}} = %c0 to %[[EVEN:.*]] step %c2
// CHECK-COUNT-2: vector.contract
// CHECK:       scf.for %{{.*}} = %[[EVEN]] to %[[N]] step %c1
// CHECK:         vector.contract
func.func @causal(%a: tensor<4x64xf32>, %b: tensor<64x16xf32>,
                  %c: tensor<4x16xf32>, %n: index) -> tensor<4x16xf32>
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %x = scf.for %row = %c0 to %c64 step %c16 iter_args(%y = %c) -> (tensor<4x16xf32>) {
    %end = arith.addi %row, %c16 : index
    %p = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %y) -> (tensor<4x16xf32>) {
      %u = tensor.extract_slice %a[0, %k] [4, 1] [1, 1] : tensor<4x64xf32> to tensor<4x1xf32>
      %v = tensor.extract_slice %b[%k, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<1x16xf32>
      %q = linalg.matmul ins(%u, %v : tensor<4x1xf32>, tensor<1x16xf32>)
                         outs(%acc : tensor<4x16xf32>) -> tensor<4x16xf32>
      scf.yield %q : tensor<4x16xf32>
    } {deltanet.reduction}
    scf.yield %p : tensor<4x16xf32>
  }
  %z = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<4x16xf32>) {
    %u = tensor.extract_slice %a[0, %k] [4, 1] [1, 1] : tensor<4x64xf32> to tensor<4x1xf32>
    %v = tensor.extract_slice %b[%k, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<1x16xf32>
    %q = linalg.matmul ins(%u, %v : tensor<4x1xf32>, tensor<1x16xf32>)
                       outs(%acc : tensor<4x16xf32>) -> tensor<4x16xf32>
    scf.yield %q : tensor<4x16xf32>
  } {deltanet.reduction}
  return %z : tensor<4x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>

func.func @dynamic(%x: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {deltanet.kernel = #kernel} {
  // expected-error @+1 {{'linalg.exp' op expected a tile of static sizes, got 'tensor<?x64xf32>'}}
  %y = linalg.exp ins(%x : tensor<?x64xf32>) outs(%x : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// CHECK-LABEL: func.func @not_a_kernel
// CHECK:       linalg.exp {{.*}} -> tensor<64xf32>
func.func @not_a_kernel(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = linalg.exp ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
