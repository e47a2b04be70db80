// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraints C21 to C23.

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

// expected-error@+1 {{expected a #deltanet.domain in 'deltanet.domain', got 1 : i64}}
func.func private @domain() attributes {deltanet.domain = 1}
