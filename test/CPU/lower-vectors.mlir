// RUN: delta-opt %s --deltanet-cpu-lower-vectors --split-input-file | FileCheck %s

#avx2 = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256,
    vector_registers = 16, vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 262144, streams = 4,
    matrix = none>
module attributes {deltanet.target = #avx2} {

// CHECK-LABEL: func.func @product(
// CHECK-NOT:     vector.contract
// CHECK-NOT:     vector.outerproduct
// CHECK-COUNT-2: vector.fma %{{.*}} : vector<16xf32>
// CHECK-NOT:     vector.fma
func.func @product(%a: vector<2x1xf32>, %b: vector<1x16xf32>,
                   %c: vector<2x16xf32>) -> vector<2x16xf32> {
  %r = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      %a, %b, %c : vector<2x1xf32>, vector<1x16xf32> into vector<2x16xf32>
  return %r : vector<2x16xf32>
}

// Pieces of rows are shuffles, and lane numbers a constant.
// CHECK-LABEL: func.func @pieces(
// CHECK-DAG:     arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xindex>
// CHECK-DAG:     vector.shuffle %{{.*}}, %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
// CHECK-NOT:     vector.extract_strided_slice
// CHECK-NOT:     vector.step
func.func @pieces(%a: vector<16xf32>) -> (vector<8xf32>, vector<8xindex>) {
  %x = vector.extract_strided_slice %a {offsets = [8], sizes = [8], strides = [1]}
      : vector<16xf32> to vector<8xf32>
  %i = vector.step : vector<8xindex>
  return %x, %i : vector<8xf32>, vector<8xindex>
}

// Transfers of several dimensions: one load or store a row, no loop.
// CHECK-LABEL: func.func @transfers(
// CHECK-NOT:     scf.for
// CHECK-COUNT-2: vector.load %{{.*}} : memref<?x16xf32, strided<[?, 1]>>, vector<16xf32>
// CHECK-COUNT-2: vector.store %{{.*}} : memref<2x16xf32>, vector<16xf32>
// CHECK-NOT:     vector.transfer
func.func @transfers(%m: memref<?x16xf32, strided<[?, 1]>>,
                     %s: memref<2x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%i, %c0], %z {in_bounds = [true, true]}
      : memref<?x16xf32, strided<[?, 1]>>, vector<2x16xf32>
  vector.transfer_write %x, %s[%c0, %c0] {in_bounds = [true, true]}
      : vector<2x16xf32>, memref<2x16xf32>
  return
}

// Scalars are loaded and broadcast.
// CHECK-LABEL: func.func @broadcast(
// CHECK:         %[[X:.*]] = memref.load
// CHECK:         %[[V:.*]] = vector.broadcast %[[X]] : f32 to vector<8xf32>
// CHECK:         return %[[V]]
func.func @broadcast(%m: memref<16xf32>, %i: index) -> vector<8xf32> {
  %z = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%i], %z
      {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>}
      : memref<16xf32>, vector<8xf32>
  return %x : vector<8xf32>
}

// A row may be summed in any order.
// CHECK-LABEL: func.func @sum(
// CHECK:         vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<16xf32> into f32
func.func @sum(%x: vector<16xf32>) -> f32 {
  %r = vector.reduction <add>, %x : vector<16xf32> into f32
  return %r : f32
}

// Sums over rows are vertical.
// CHECK-LABEL: func.func @sum_rows(
// CHECK-NOT:     vector.reduction
// CHECK-COUNT-3: arith.addf %{{.*}} : vector<8xf32>
// CHECK-NOT:     vector.reduction
func.func @sum_rows(%x: vector<3x8xf32>, %a: vector<8xf32>) -> vector<8xf32> {
  %r = vector.multi_reduction <add>, %x, %a [0] : vector<3x8xf32> to vector<8xf32>
  return %r : vector<8xf32>
}

// 24 shuffles of two registers.
// CHECK-LABEL: func.func @transpose(
// CHECK-COUNT-24: vector.shuffle %{{.*}} : vector<8xf32>, vector<8xf32>
// CHECK-NOT:     vector.shuffle
func.func @transpose(%x: vector<8x8xf32>) -> vector<8x8xf32> {
  %r = vector.transpose %x, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %r : vector<8x8xf32>
}

// Rows that make up a matrix are not taken apart into elements.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[A:.*]]: vector<8xf32>, %[[B:.*]]: vector<8xf32>)
// CHECK-NOT:     elements
// CHECK:         vector.insert %[[A]], %{{.*}} [0]
// CHECK:         vector.insert %[[B]], %{{.*}} [1]
func.func @rows(%a: vector<8xf32>, %b: vector<8xf32>) -> vector<2x8xf32> {
  %z = arith.constant dense<0.0> : vector<2x8xf32>
  %x = vector.insert %a, %z [0] : vector<8xf32> into vector<2x8xf32>
  %y = vector.insert %b, %x [1] : vector<8xf32> into vector<2x8xf32>
  return %y : vector<2x8xf32>
}

// Unit dimensions in the middle: the steps must not undo each other for ever.
// CHECK-LABEL: func.func @unit_dimension(
// CHECK-COUNT-2: vector.load %{{.*}}, vector<16xf32>
// CHECK-COUNT-2: vector.store %{{.*}}, vector<16xf32>
func.func @unit_dimension(%m: memref<?x1x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%c0, %c0, %c0], %z {in_bounds = [true, true],
      permutation_map = affine_map<(t, h, k) -> (t, k)>}
      : memref<?x1x16xf32>, vector<2x16xf32>
  vector.transfer_write %x, %m[%i, %c0, %c0] {in_bounds = [true, true],
      permutation_map = affine_map<(t, h, k) -> (t, k)>}
      : vector<2x16xf32>, memref<?x1x16xf32>
  return
}

// Loops keep what they say about unrolling.
// CHECK-LABEL: func.func @annotated(
// CHECK:         scf.for
// CHECK:         } {loop_annotation = #
func.func @annotated(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %z, %m[%i] : memref<?xf32>
  } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  return
}
}

// -----

module attributes {deltanet.target = #deltanet.target<arch = x86_64,
    isa = generic, vector_bits = 128, vector_registers = 16, vector_units = 2, fma = false,
    l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {

// Without a fused multiply-add in the machine.
// CHECK-LABEL: func.func @split(
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}} : vector<4xf32>
// CHECK:         arith.addf %[[P]], %
// CHECK:         %[[Q:.*]] = arith.mulf %{{.*}} : f32
// CHECK:         arith.addf %[[Q]], %
// CHECK-NOT:     fma
func.func @split(%a: vector<4xf32>, %x: f32) -> (vector<4xf32>, f32) {
  %v = vector.fma %a, %a, %a : vector<4xf32>
  %s = math.fma %x, %x, %x : f32
  return %v, %s : vector<4xf32>, f32
}

// 128-bit vectors transpose in blocks of 4x4.
// CHECK-LABEL: func.func @transpose(
// CHECK-COUNT-32: vector.shuffle %{{.*}} {{\[(0, 4, 1, 5|2, 6, 3, 7|0, 1, 4, 5|2, 3, 6, 7)\]}} :
// CHECK-NOT:     vector.shuffle %{{.*}} {{\[(0, 4, 1, 5|2, 6, 3, 7|0, 1, 4, 5|2, 3, 6, 7)\]}} :
func.func @transpose(%x: vector<8x8xf32>) -> vector<8x8xf32> {
  %r = vector.transpose %x, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %r : vector<8x8xf32>
}
}

// -----

module attributes {deltanet.target = #deltanet.target<arch = x86_64,
    isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2, fma = true,
    l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {

// Canonicalization would make a shape cast of the elements again, for ever.
// CHECK-LABEL: func.func @shape(
// CHECK-NOT:     vector.shape_cast
// CHECK-COUNT-4: vector.insert {{.*}} : f32 into vector<4x1xf32>
func.func @shape(%x: vector<4xf32>) -> vector<4x1xf32> {
  %y = vector.shape_cast %x : vector<4xf32> to vector<4x1xf32>
  return %y : vector<4x1xf32>
}

// Vectors of the machine stay as they are.
// CHECK-LABEL: func.func @unchanged(
// CHECK-NEXT:    %[[X:.*]] = vector.load
// CHECK-NEXT:    %[[Y:.*]] = vector.fma %[[X]], %[[X]], %[[X]] : vector<8xf32>
// CHECK-NEXT:    vector.store %[[Y]]
// CHECK-NEXT:    return
func.func @unchanged(%m: memref<?xf32>, %i: index) {
  %x = vector.load %m[%i] : memref<?xf32>, vector<8xf32>
  %y = vector.fma %x, %x, %x : vector<8xf32>
  vector.store %y, %m[%i] : memref<?xf32>, vector<8xf32>
  return
}
}
