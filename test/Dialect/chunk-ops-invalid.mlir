// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraints C21 to C23 and C27.

func.func @c21_type(%slot: index, %cu: tensor<?xf32>) -> index {
  // expected-error@+1 {{expected cu_seqlens as a tensor [N+1] of i32 or i64, got 'tensor<?xf32>'}}
  %n = deltanet.slot_sequence %slot in %cu {chunk = 64 : i64} : tensor<?xf32>
  return %n : index
}

// -----

func.func @c21_chunk(%slot: index, %cu: tensor<?xi64>) -> index {
  // expected-error@+1 {{expected a chunk of 16, 32, 64 or 128 tokens, got 48}}
  %n = deltanet.slot_sequence %slot in %cu {chunk = 48 : i64} : tensor<?xi64>
  return %n : index
}

// -----

func.func @c22_gates(%g: tensor<48xf32>) {
  // expected-error@+1 {{expected gates as a tensor [C] of f32 with C of 16, 32, 64 or 128, got 'tensor<48xf32>'}}
  %d, %p, %s = deltanet.decay %g
      : tensor<48xf32> -> tensor<48x48xf32>, tensor<48xf32>, tensor<48xf32>
  return
}

// -----

func.func @c22_matrix(%g: tensor<64xf32>) {
  // expected-error@+1 {{expected matrix as 'tensor<64x64xf32>', got 'tensor<64x32xf32>'}}
  %d, %p, %s = deltanet.decay %g
      : tensor<64xf32> -> tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>
  return
}

// -----

func.func @c22_suffix(%g: tensor<64xf32>) {
  // expected-error@+1 {{expected suffix as 'tensor<64xf32>', got 'tensor<32xf32>'}}
  %d, %p, %s = deltanet.decay %g
      : tensor<64xf32> -> tensor<64x64xf32>, tensor<64xf32>, tensor<32xf32>
  return
}

// -----

func.func @c23_square(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{expected matrix as a tensor [C,C] of f32 with C of 16, 32, 64 or 128, got 'tensor<64x32xf32>'}}
  %t = deltanet.tril_inverse %a : tensor<64x32xf32>
  return %t : tensor<64x32xf32>
}

// -----

func.func @c23_element(%a: tensor<16x16xbf16>) -> tensor<16x16xbf16> {
  // expected-error@+1 {{expected matrix as a tensor [C,C] of f32}}
  %t = deltanet.tril_inverse %a : tensor<16x16xbf16>
  return %t : tensor<16x16xbf16>
}

// -----

func.func @c27_matrix(%a: tensor<12x12xf32>, %x: tensor<12x64xf32>) {
  // expected-error@+1 {{expected matrix as a tensor [B,B] of f32 with B a multiple of 8 from 8 to 128, got 'tensor<12x12xf32>'}}
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%x)
      : (tensor<12x12xf32>, tensor<12x64xf32>, tensor<12x64xf32>)
      -> tensor<12x64xf32>
  return
}

// -----

func.func @c27_matrix_rank(%a: tensor<?xf32>, %x: tensor<16x64xf32>) {
  // expected-error@+1 {{expected matrix as a tensor [B,B] of f32 with B a multiple of 8 from 8 to 128, got 'tensor<?xf32>'}}
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%x)
      : (tensor<?xf32>, tensor<16x64xf32>, tensor<16x64xf32>)
      -> tensor<16x64xf32>
  return
}

// -----

func.func @c27_rhs(%a: tensor<16x16xf32>, %x: tensor<16x?xf32>) {
  // expected-error@+1 {{expected rhs as a tensor [16,W] of f32 with W a multiple of 16, got 'tensor<16x?xf32>'}}
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%x)
      : (tensor<16x16xf32>, tensor<16x?xf32>, tensor<16x?xf32>)
      -> tensor<16x?xf32>
  return
}

// -----

func.func @c27_one_destination(%a: tensor<16x16xf32>, %x: tensor<16x16xf32>,
                               %f: tensor<16xf32>) {
  // expected-error@+1 {{expected two destinations and results with factors, got 1 and 1}}
  %u = deltanet.tril_solve matrix(%a) rhs(%x) factors(%f, %f, %f) outs(%x)
      : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>,
         tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>)
      -> tensor<16x16xf32>
  return
}

// -----

func.func @c27_factors(%a: tensor<16x16xf32>, %x: tensor<16x16xf32>,
                       %f: tensor<16xf32>, %c: tensor<8xf32>) {
  // expected-error@+1 {{expected shares as 'tensor<16xf32>', got 'tensor<8xf32>'}}
  %r:2 = deltanet.tril_solve matrix(%a) rhs(%x) factors(%f, %c, %f) outs(%x, %x)
      : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<8xf32>,
         tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)
      -> (tensor<16x16xf32>, tensor<16x16xf32>)
  return
}

// -----

func.func @c27_passes(%a: tensor<16x16xf32>, %x: tensor<16x16xf32>,
                      %f: tensor<16xf32>) {
  // expected-error@+1 {{expected factors, shares and passes, all or none}}
  %r:2 = "deltanet.tril_solve"(%a, %x, %f, %f, %x, %x)
      {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 1>}
      : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>,
         tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)
      -> (tensor<16x16xf32>, tensor<16x16xf32>)
  return
}

// -----

func.func @c27_destination(%a: tensor<16x16xf32>, %x: tensor<16x16xf32>,
                           %o: tensor<16x32xf32>) {
  // expected-error@+1 {{expected destinations as 'tensor<16x16xf32>', got 'tensor<16x32xf32>'}}
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%o)
      : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>)
      -> tensor<16x16xf32>
  return
}

// -----

func.func @c27_tiles(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>,
                     %o: tensor<1x2x16x16x2xbf16>) {
  // expected-error@+1 {{expected destinations as 'tensor<32x16xf32>' or 'tensor<1x1x16x16x2xbf16>', got 'tensor<1x2x16x16x2xbf16>'}}
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%o)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<1x2x16x16x2xbf16>)
      -> tensor<1x2x16x16x2xbf16>
  return
}

// -----

func.func @c27_result(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>) {
  // expected-error@+1 {{expected results of the types of their destinations, 'tensor<32x16xf32>', got 'tensor<1x1x16x16x2xbf16>'}}
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%x)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<1x1x16x16x2xbf16>
  return
}

// -----

// expected-error@+1 {{expected a #deltanet.domain in 'deltanet.domain', got 1 : i64}}
func.func private @domain() attributes {deltanet.domain = 1}
