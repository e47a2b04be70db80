// RUN: delta-opt %s -deltanet-cpu-convert-to-amx -split-input-file -verify-diagnostics

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2, fma = true, l1_bytes = 49152, l2_bytes = 2097152,
    streams = 1, matrix = amx>} {
func.func @other_use(%a: memref<16x16x2xbf16>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  // expected-error@+1 {{expected sums of tiles to be zero, read, carried by loops, added to or written, got another use of 'vector<16x16xf32>'}}
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  %n = arith.negf %s : vector<16x16xf32>
  vector.transfer_write %n, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}
}

// -----

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2, fma = true, l1_bytes = 49152, l2_bytes = 2097152,
    streams = 1, matrix = amx>} {
func.func @two_uses(%a: memref<16x16x2xbf16>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  // expected-error@+1 {{expected one use of sums of tiles, which a second one would copy through memory, got 2}}
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}
}

// -----

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2, fma = true, l1_bytes = 49152, l2_bytes = 2097152,
    streams = 1, matrix = amx>} {
func.func private @f()
func.func @call(%a: memref<16x16x2xbf16>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  // expected-error@+1 {{expected no call beside tiles, which are configured again after each}}
  func.call @f() : () -> ()
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}
}
