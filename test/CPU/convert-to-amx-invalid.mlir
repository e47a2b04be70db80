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

// -----

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2, fma = true, l1_bytes = 49152, l2_bytes = 2097152,
    streams = 1, matrix = amx>} {
func.func @nine(%a: memref<16x16x2xbf16>, %b: memref<16x16x2xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %s:7 = scf.for %l = %c0 to %c4 step %c1
      iter_args(%x0 = %zero, %x1 = %zero, %x2 = %zero, %x3 = %zero, %x4 = %zero,
                %x5 = %zero, %x6 = %zero)
      -> (vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>,
          vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>,
          vector<16x16xf32>) {
    %p = vector.transfer_read %a[%c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<16x16x2xbf16>, vector<16x16x2xbf16>
    %q = vector.transfer_read %b[%c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<16x16x2xbf16>, vector<16x16x2xbf16>
    %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %q1 = arith.extf %q : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %q2 = vector.transpose %q1, [0, 2, 1]
        : vector<16x16x2xf32> to vector<16x2x16xf32>
    %p3 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
    %q3 = vector.shape_cast %q2 : vector<16x2x16xf32> to vector<32x16xf32>
    // expected-error@+1 {{expected at most 8 tiles to be live beside a product, got 9}}
    %y0 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x0
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y1 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x1
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y2 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x2
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y3 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x3
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y4 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x4
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y5 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x5
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y6 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x6
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    scf.yield %y0, %y1, %y2, %y3, %y4, %y5, %y6
        : vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>,
          vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>,
          vector<16x16xf32>
  }
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
  %a = memref.alloc() : memref<16x16x2xbf16>
  %c = memref.alloc() : memref<16x16xf32>
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
  // expected-error@+1 {{expected products of tiles in a func.func, got one outside of any}}
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
}

// -----

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2, fma = true, l1_bytes = 49152, l2_bytes = 2097152,
    streams = 1, matrix = amx>} {
async.func @other_function(%a: memref<16x16x2xbf16>,
                           %c: memref<16x16xf32>) -> !async.token {
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
  // expected-error@+1 {{expected products of tiles in a func.func, got one outside of any}}
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}
}
