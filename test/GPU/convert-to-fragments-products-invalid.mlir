// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments -split-input-file -verify-diagnostics

// Products that tensor cores cannot share or compute.

// 64 rows are four times 16, which three warps do not share, ...

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 48, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 3>
func.func @f(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %d: tensor<64x64xf32>)
    -> tensor<64x64xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<64x64xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected sums of multiples of 16 rows and 8 columns for each of 3 warps, got 'tensor<64x64xf32>'}}
    %x = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>)
        outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [64, 64] [1, 1]
          : tensor<64x64xf32> into tensor<64x64xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<64x64xf32>
}

// -----

// ... and transposed, they share rows of V alone.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 64, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 4>
func.func @f(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %h0 = bufferization.alloc_tensor() : tensor<32x32xf16>
    %h = linalg.copy ins(%b : tensor<32x32xf16>) outs(%h0 : tensor<32x32xf16>) -> tensor<32x32xf16>
    // expected-error@+1 {{'linalg.matmul' op expected sums of a multiple of 16 columns for each of 4 warps, got 'tensor<32x32xf32>'}}
    %x = linalg.matmul ins(%a, %h : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

// A tensor that would have to lie in two ways: as sums, and as their transpose, ...

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
#same = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
             %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    // expected-error@+1 {{'linalg.generic' op expected each tensor of a work item to lie in one way, got one that lies in two}}
    %x = linalg.generic {indexing_maps = [#same, affine_map<(i, j) -> (j, i)>, #same],
                           iterator_types = ["parallel", "parallel"]}
        ins(%p, %p : tensor<32x32xf32>, tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) {
    ^bb0(%e: f32, %t: f32, %old: f32):
      %q = arith.addf %e, %t : f32
      linalg.yield %q : f32
    } -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

// ... or as the operand in registers of two products, by its rows and its columns.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
             %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %h0 = bufferization.alloc_tensor() : tensor<32x32xf16>
    %h = linalg.copy ins(%b : tensor<32x32xf16>) outs(%h0 : tensor<32x32xf16>) -> tensor<32x32xf16>
    %x = linalg.matmul ins(%a, %h : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    // expected-error@+1 {{'linalg.matmul' op expected each tensor of a work item to lie in one way, got one that lies in two}}
    %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
          affine_map<(m, n, k) -> (n, k)>,
          affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %h : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%x : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

// Terms come 16 at a time, or 8 of tf32.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<32x24xf16>, %b: tensor<24x32xf16>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected sums of multiples of 16 terms, got 24}}
    %x = linalg.matmul ins(%a, %b : tensor<32x24xf16>, tensor<24x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<32x4xf32>, %b: tensor<4x32xf32>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected sums of multiples of 8 terms, got 4}}
    %x = linalg.matmul {deltanet.tf32} ins(%a, %b : tensor<32x4xf32>, tensor<4x32xf32>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

// More than a tile may have.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<2048x32xf16>, %b: tensor<32x32xf16>, %d: tensor<2048x32xf32>)
    -> tensor<2048x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<2048x32xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected rows and columns of 1 to 1024, got [2048, 32]}}
    %x = linalg.matmul ins(%a, %b : tensor<2048x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<2048x32xf32>) -> tensor<2048x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [2048, 32] [1, 1]
          : tensor<2048x32xf32> into tensor<2048x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<2048x32xf32>
}

// -----

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<32x2048xf16>, %b: tensor<2048x32xf16>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected rows and columns of 1 to 1024, got [32, 2048]}}
    %x = linalg.matmul ins(%a, %b : tensor<32x2048xf16>, tensor<2048x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

// What has a diagonal is square.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<32x64xf16>, %b: tensor<64x32xf16>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected a left operand with as many rows as columns, since it is causal, got 'tensor<32x64xf16>'}}
    %x = linalg.matmul {deltanet.causal} ins(%a, %b : tensor<32x64xf16>, tensor<64x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

// Rows that a block cannot share.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<?x5xbf16>, %n: index, %d: tensor<7x5xbf16>)
    -> tensor<7x5xbf16> attributes {deltanet.kernel = #kernel} {
  %zero = arith.constant 0.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<7x5xbf16>) {
    // expected-error@+1 {{'tensor.pad' op expected rows in multiples of 32 with #fragment.lanes<lanes = [32, 1], warps = [1, 2]>, or one, got 7}}
    %x = tensor.pad %a low[0, 0] high[%n, 0] {
    ^bb0(%k: index, %l: index):
      tensor.yield %zero : bf16
    } : tensor<?x5xbf16> to tensor<7x5xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [7, 5] [1, 1]
          : tensor<7x5xbf16> into tensor<7x5xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<7x5xbf16>
}

// -----

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 64, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 4>
func.func @f(%e: f16, %d: tensor<64x8xf32>)
    -> tensor<64x8xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<64x8xf32>) {
    %a0 = bufferization.alloc_tensor() : tensor<64x16xf16>
    %a = tensor.insert %e into %a0[%i, %i] : tensor<64x16xf16>
    %b0 = bufferization.alloc_tensor() : tensor<16x8xf16>
    %b = tensor.insert %e into %b0[%i, %i] : tensor<16x8xf16>
    // expected-error@+1 {{'linalg.matmul' op expected columns in multiples of 32 with #fragment.lanes<lanes = [16, 2], warps = [1, 4]>, or one, got 8}}
    %x = linalg.matmul ins(%a, %b : tensor<64x16xf16>, tensor<16x8xf16>)
        outs(%o : tensor<64x8xf32>) -> tensor<64x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [64, 8] [1, 1]
          : tensor<64x8xf32> into tensor<64x8xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<64x8xf32>
}

// -----

// What is split is of f32.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected operands of f32, since one is split, got 'f16'}}
    %x = linalg.matmul {deltanet.split_operands = array<i1: true, false>} ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// -----

// Which operand is split is told of both.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>
func.func @f(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    // expected-error@+1 {{'linalg.matmul' op expected 'deltanet.split_operands' as array<i1: ...> of two, one an operand, got unit}}
    %x = linalg.matmul {deltanet.split_operands = unit} ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}
