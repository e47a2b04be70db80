// RUN: delta-opt %s -deltanet-assign-matrix-tiles -verify-diagnostics

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
