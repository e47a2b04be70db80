// RUN: delta-opt %s -deltanet-vectorize-tiles -split-input-file | FileCheck %s

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#transposed = affine_map<(i, j, r, p, e) -> (j, p, e, i, r)>
#tile = affine_map<(i, j, r, p, e) -> (i, j, r, p, e)>

// Rows of the matrix are columns of the tile: the rows 0 and 8 are rounded into
// one register, interleaved with others in lanes, and in the end even lanes
// make the first eight rows of the tile and odd ones the last.

// CHECK-LABEL: func.func @left_transposed
// CHECK-DAG:     %[[R0:.*]] = vector.transfer_read %{{.*}}[%c0, %c0, %c0, %c0, %c0]{{.*}} vector<16xf32>
// CHECK-DAG:     %[[R8:.*]] = vector.transfer_read %{{.*}}[%c0, %c4, %c0, %c0, %c0]{{.*}} vector<16xf32>
// CHECK:         %[[BOTH:.*]] = vector.shuffle %[[R0]], %[[R8]] [0, 1, 2, {{.*}} 31]
// CHECK:         %[[A:.*]] = arith.truncf %[[BOTH]] : vector<32xf32> to vector<32xbf16>
// CHECK-COUNT-7: arith.truncf
// CHECK:         vector.shuffle %[[A]], %{{.*}} [0, 32, 1, 33, 2, 34, 3, 35, 8,
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 1, 32, 33, 2, 3, 34, 35, 8,
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 32, 33, 34, 35, 8,
// CHECK-COUNT-8: arith.truncf
// CHECK-NOT:     vector.transpose
// CHECK:         %[[ROW0:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16,
// CHECK-COUNT-7: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16,
// CHECK-COUNT-8: vector.shuffle %{{.*}}, %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24,
// CHECK-NOT:     vector.shuffle
// CHECK:         %[[PAIRS:.*]] = vector.shape_cast %[[ROW0]]
// CHECK:         vector.transfer_write %[[PAIRS]], %{{.*}}[%c0, %c0, %c0, %c0, %c0]
// CHECK-COUNT-15: vector.transfer_write
func.func @left_transposed(%m: tensor<1x16x2x1x16xf32>,
                           %o: tensor<1x1x16x16x2xbf16>)
    -> tensor<1x1x16x16x2xbf16> attributes {deltanet.kernel = #kernel} {
  %t = linalg.generic {indexing_maps = [#transposed, #tile],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%m : tensor<1x16x2x1x16xf32>) outs(%o : tensor<1x1x16x16x2xbf16>)
      attrs = {deltanet.matrix_tiles} {
    ^bb0(%x: f32, %y: bf16):
      %r = arith.truncf %x : f32 to bf16
      linalg.yield %r : bf16 } -> tensor<1x1x16x16x2xbf16>
  return %t : tensor<1x1x16x16x2xbf16>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#transposed = affine_map<(i, j, p, c, e) -> (j, c, i, p, e)>
#tile = affine_map<(i, j, p, c, e) -> (i, j, p, c, e)>

// Pairs of a row stay together, so that half a row of the matrix needs a step
// less: 3 of 8 shuffles for each half of the tile.

// CHECK-LABEL: func.func @right_transposed
// CHECK-COUNT-8: arith.truncf
// CHECK-NOT:     [0, 32, 1,
// CHECK-COUNT-4: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16,
// CHECK-COUNT-4: vector.shuffle %{{.*}}, %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24,
// CHECK:         vector.shape_cast %{{.*}} : vector<8x2xf32> to vector<16xf32>
// CHECK-COUNT-8: arith.truncf
// CHECK-NOT:     [0, 32, 1,
// CHECK-COUNT-4: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16,
// CHECK-COUNT-4: vector.shuffle %{{.*}}, %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24,
// CHECK-NOT:     vector.{{shuffle|transpose}}
func.func @right_transposed(%m: tensor<1x16x1x16x2xf32>,
                            %o: tensor<1x1x16x16x2xbf16>)
    -> tensor<1x1x16x16x2xbf16> attributes {deltanet.kernel = #kernel} {
  %t = linalg.generic {indexing_maps = [#transposed, #tile],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%m : tensor<1x16x1x16x2xf32>) outs(%o : tensor<1x1x16x16x2xbf16>)
      attrs = {deltanet.matrix_tiles} {
    ^bb0(%x: f32, %y: bf16):
      %r = arith.truncf %x : f32 to bf16
      linalg.yield %r : bf16 } -> tensor<1x1x16x16x2xbf16>
  return %t : tensor<1x1x16x16x2xbf16>
}
