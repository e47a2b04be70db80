// RUN: delta-opt %s -deltanet-assign-matrix-tiles -split-input-file -verify-diagnostics

func.func @no_whole_tiles(%a: tensor<32x48xf32>, %b: tensor<48x32xf32>,
                          %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{expected operands of whole tiles of 16 x 32 elements of bf16, got a part of 'tensor<32x48xf32>'}}
    %p = linalg.matmul ins(%a, %b : tensor<32x48xf32>, tensor<48x32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

func.func @offset(%a: tensor<64x32xf32>, %b: tensor<32x32xf32>,
    %c: tensor<32x32xf32>, %i: index) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    %part = tensor.extract_slice %a[%i, 0] [32, 32] [1, 1]
        : tensor<64x32xf32> to tensor<32x32xf32>
    // expected-error@+1 {{expected an operand at a multiple of the 16 elements of a tile, got a part of 'tensor<64x32xf32>' at an offset that is not known to be one}}
    %p = linalg.matmul
        ins(%part, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

#ml = affine_map<(m, n, l) -> (m, l)>
#nl = affine_map<(m, n, l) -> (n, l)>
#nm = affine_map<(m, n, l) -> (n, m)>

func.func @transposed_sums(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
    %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{expected operands as they lie or transposed, and sums as they lie, got }}
    %p = linalg.matmul indexing_maps = [#ml, #nl, #nm]
        ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

#ml = affine_map<(m, n, l) -> (m, l)>
#l = affine_map<(m, n, l) -> (l)>
#mn = affine_map<(m, n, l) -> (m, n)>

func.func @broadcast(%a: tensor<32x32xf32>, %b: tensor<32xf32>,
    %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{expected operands as they lie or transposed, and sums as they lie, got }}
    %p = linalg.matmul indexing_maps = [#ml, #l, #mn]
        ins(%a, %b : tensor<32x32xf32>, tensor<32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

func.func @bf16(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>,
    %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{expected tensors of f32, got 'tensor<32x32xbf16>'}}
    %p = linalg.matmul
        ins(%a, %b : tensor<32x32xbf16>, tensor<32x32xbf16>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

func.func @sums_of_f64(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
    %c: tensor<32x32xf64>) -> tensor<32x32xf64> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf64>) {
    // expected-error@+1 {{expected tensors of f32, got 'tensor<32x32xf64>'}}
    %p = linalg.matmul
        ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<32x32xf64>) -> tensor<32x32xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf64> into tensor<32x32xf64>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf64>
}

// -----

func.func @unknown_rows(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
    %c: tensor<?x32xf32>, %i: index) -> tensor<?x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<?x32xf32>) {
    // expected-error@+1 {{expected static rows and columns of whole tiles of 16 elements, got 'tensor<?x32xf32>'}}
    %p = linalg.matmul
        ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<?x32xf32>) -> tensor<?x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [%i, 32] [1, 1]
          : tensor<?x32xf32> into tensor<?x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<?x32xf32>
}

// -----

func.func @split_of_none(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
    %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{expected 'deltanet.split_operands' as array<i1: ...> of two, one an operand, got array<i1>}}
    %p = linalg.matmul {deltanet.split_operands = array<i1>}
        ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

func.func @split_of_three(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
    %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{expected 'deltanet.split_operands' as array<i1: ...> of two, one an operand, got array<i1: true, true, true>}}
    %p = linalg.matmul {deltanet.split_operands = array<i1: true, true, true>}
        ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}

// -----

func.func @split_of_i64(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>,
    %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %r = scf.forall (%n) in (1) shared_outs(%x = %c) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{expected 'deltanet.split_operands' as array<i1: ...> of two, one an operand, got array<i64: 1, 1>}}
    %p = linalg.matmul {deltanet.split_operands = array<i64: 1, 1>}
        ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<32x32xf32>
}
