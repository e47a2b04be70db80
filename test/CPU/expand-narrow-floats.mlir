// RUN: delta-opt %s --deltanet-cpu-expand-narrow-floats --split-input-file --verify-diagnostics | FileCheck %s

#avx2 = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256,
    vector_registers = 16, vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 262144, streams = 4,
    matrix = none>
module attributes {deltanet.target = #avx2} {

// bf16: integer code below AVX512-BF16.
// CHECK-LABEL: func.func @bf16(
// CHECK-SAME:    %[[M:.*]]: memref<?x16xi16>
// CHECK:         %[[X:.*]] = vector.load %[[M]]{{.*}} : memref<?x16xi16>, vector<16xi16>
// CHECK:         %[[W:.*]] = arith.extui %[[X]] : vector<16xi16> to vector<16xi32>
// CHECK:         %[[S:.*]] = arith.shli %[[W]]
// CHECK:         %[[F:.*]] = arith.bitcast %[[S]] : vector<16xi32> to vector<16xf32>
// CHECK:         %[[NAN:.*]] = arith.cmpf uno, %[[F]], %[[F]]
// CHECK:         arith.select %[[NAN]]
// CHECK:         %[[R:.*]] = arith.trunci %{{.*}} : vector<16xi32> to vector<16xi16>
// CHECK:         vector.store %[[R]], %[[M]]
// CHECK-NOT:     bf16
func.func @bf16(%m: memref<?x16xbf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %x = vector.load %m[%i, %c0] : memref<?x16xbf16>, vector<16xbf16>
  %f = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %r = arith.truncf %f : vector<16xf32> to vector<16xbf16>
  vector.store %r, %m[%i, %c0] : memref<?x16xbf16>, vector<16xbf16>
  return
}

// f16: the level has conversions; values still move as i16.
// CHECK-LABEL: func.func @f16(
// CHECK-SAME:    %[[M:.*]]: memref<?xi16>
// CHECK:         %[[X:.*]] = memref.load %[[M]]
// CHECK:         %[[H:.*]] = arith.bitcast %[[X]] : i16 to f16
// CHECK:         %[[F:.*]] = arith.extf %[[H]] : f16 to f32
// CHECK:         %[[N:.*]] = arith.truncf %[[F]] : f32 to f16
// CHECK:         %[[B:.*]] = arith.bitcast %[[N]] : f16 to i16
// CHECK:         memref.store %[[B]], %[[M]]
func.func @f16(%m: memref<?xf16>, %i: index) {
  %x = memref.load %m[%i] : memref<?xf16>
  %f = arith.extf %x : f16 to f32
  %r = arith.truncf %f : f32 to f16
  memref.store %r, %m[%i] : memref<?xf16>
  return
}

// Constants, carried values, shuffles and views change their type only.
// CHECK-LABEL: func.func @moves(
// CHECK-DAG:     arith.constant 16256 : i16
// CHECK-DAG:     arith.constant dense<[16256, -16384]> : vector<2xi16>
// CHECK:         memref.view %{{.*}} : memref<64xi8> to memref<32xi16>
// CHECK:         vector.transfer_read %{{.*}} : memref<32xi16>, vector<2xi16>
// CHECK:         scf.for {{.*}} -> (vector<2xi16>)
// CHECK:           vector.interleave %{{.*}} : vector<2xi16> -> vector<4xi16>
// CHECK-NOT:     bf16
func.func @moves(%b: memref<64xi8>, %n: index) -> vector<2xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : bf16
  %pair = arith.constant dense<[1.0, -2.0]> : vector<2xbf16>
  %v = memref.view %b[%c0][] : memref<64xi8> to memref<32xbf16>
  %x = vector.transfer_read %v[%c0], %one : memref<32xbf16>, vector<2xbf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (vector<2xbf16>) {
    %w = vector.interleave %a, %pair : vector<2xbf16> -> vector<4xbf16>
    %y = vector.extract_strided_slice %w {offsets = [1], sizes = [2], strides = [1]}
        : vector<4xbf16> to vector<2xbf16>
    scf.yield %y : vector<2xbf16>
  }
  return %r : vector<2xbf16>
}

// Products of narrow operands are widened first.
// CHECK-LABEL: func.func @product(
// CHECK-SAME:    vector<4x2xi16>
// CHECK:         arith.extui
// CHECK:         arith.extui
// CHECK:         vector.contract {{.*}} : vector<4x2xf32>, vector<2x8xf32> into vector<4x8xf32>
func.func @product(%a: vector<4x2xbf16>, %b: vector<2x8xbf16>,
                   %c: vector<4x8xf32>) -> vector<4x8xf32> {
  %r = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      %a, %b, %c : vector<4x2xbf16>, vector<2x8xbf16> into vector<4x8xf32>
  return %r : vector<4x8xf32>
}

// A kernel's signature changes, what it computes does not.
// CHECK-LABEL: func.func private @kernel(memref<?x1x16xi16>)
// CHECK-SAME:    io = bf16
func.func private @kernel(memref<?x1x16xbf16>) attributes {
  deltanet.kernel = #deltanet.kernel<rule = delta, head_map = grouped,
      state_layout = kv, h = 1, hv = 1, k = 16, v = 16, io = bf16,
      scale = 2.5e-01 : f32>}

// CHECK-LABEL: func.func @untouched(
// CHECK-NEXT:    arith.addf
func.func @untouched(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
}

// -----

#avx512_bf16 = #deltanet.target<arch = x86_64, isa = avx512_bf16,
    vector_bits = 512, vector_registers = 32, vector_units = 2, fma = true, l1_bytes = 32768,
    l2_bytes = 1048576, streams = 1, matrix = none>
module attributes {deltanet.target = #avx512_bf16} {
// The level rounds to bf16 in one instruction; widening is a shift as ever.
// CHECK-LABEL: func.func @bf16_native(
// CHECK-SAME:    %[[M:.*]]: memref<?x16xi16>
// CHECK:         arith.shli
// CHECK:         %[[F:.*]] = arith.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK-NOT:     arith.cmpf
// CHECK:         %[[N:.*]] = arith.truncf %[[F]] : vector<16xf32> to vector<16xbf16>
// CHECK-NEXT:    %[[B:.*]] = arith.bitcast %[[N]] : vector<16xbf16> to vector<16xi16>
// CHECK-NEXT:    vector.store %[[B]], %[[M]]
func.func @bf16_native(%m: memref<?x16xbf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %x = vector.load %m[%i, %c0] : memref<?x16xbf16>, vector<16xbf16>
  %f = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %r = arith.truncf %f : vector<16xf32> to vector<16xbf16>
  vector.store %r, %m[%i, %c0] : memref<?x16xbf16>, vector<16xbf16>
  return
}
}

// -----

#avx512 = #deltanet.target<arch = x86_64, isa = avx512,
    vector_bits = 512, vector_registers = 32, vector_units = 2, fma = true, l1_bytes = 32768,
    l2_bytes = 1048576, streams = 1, matrix = none>
module attributes {deltanet.target = #avx512} {
// AVX-512 without BF16 has conversions of f16 only.
// CHECK-LABEL: func.func @bf16_in_integers(
// CHECK-NOT:     bf16
// CHECK:         arith.cmpf uno
// CHECK-NOT:     bf16
// CHECK:         return
func.func @bf16_in_integers(%f: vector<16xf32>) -> vector<16xbf16> {
  %r = arith.truncf %f : vector<16xf32> to vector<16xbf16>
  return %r : vector<16xbf16>
}
// CHECK-LABEL: func.func @f16(
// CHECK:         arith.truncf %{{.*}} : vector<16xf32> to vector<16xf16>
func.func @f16(%f: vector<16xf32>) -> vector<16xf16> {
  %r = arith.truncf %f : vector<16xf32> to vector<16xf16>
  return %r : vector<16xf16>
}
}

// -----

#generic = #deltanet.target<arch = x86_64, isa = generic, vector_bits = 128,
    vector_registers = 16, vector_units = 2, fma = false, l1_bytes = 32768, l2_bytes = 262144, streams = 4,
    matrix = none>
module attributes {deltanet.target = #generic} {
// Without conversions of f16 in the machine: integer code.
// CHECK-LABEL: func.func @f16(
// CHECK-NOT:     f16
func.func @f16(%x: vector<4xf16>) -> vector<4xf16> {
  %f = arith.extf %x : vector<4xf16> to vector<4xf32>
  %r = arith.truncf %f : vector<4xf32> to vector<4xf16>
  return %r : vector<4xf16>
}
}

// -----

module attributes {deltanet.target = #deltanet.target<arch = x86_64,
    isa = generic, vector_bits = 128, vector_registers = 16, vector_units = 2, fma = false,
    l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {
func.func @arithmetic(%x: bf16) -> bf16 {
  // expected-error@+1 {{expected narrow floats only to be moved, or converted from and to f32, got this operation}}
  %y = arith.addf %x, %x : bf16
  return %y : bf16
}
}

// -----

module attributes {deltanet.target = #deltanet.target<arch = x86_64,
    isa = generic, vector_bits = 128, vector_registers = 16, vector_units = 2, fma = false,
    l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {
// CHECK-LABEL: func.func @to_nearest
// CHECK-NOT: arith.truncf
func.func @to_nearest(%x: f32) -> bf16 {
  %y = arith.truncf %x to_nearest_even : f32 to bf16
  return %y : bf16
}
}

// -----

module attributes {deltanet.target = #deltanet.target<arch = x86_64,
    isa = generic, vector_bits = 128, vector_registers = 16, vector_units = 2, fma = false,
    l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {
func.func @upward(%x: f32) -> bf16 {
  // expected-error@+1 {{expected narrow floats to be rounded to the nearest, ties to even, got upward}}
  %y = arith.truncf %x upward : f32 to bf16
  return %y : bf16
}
}

// -----

// expected-error@+1 {{expected a #deltanet.target in 'deltanet.target', got none}}
module {
}
