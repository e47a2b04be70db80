// RUN: delta-opt %s -deltanet-tile-to-registers -verify-diagnostics

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>

func.func @copy(%a: tensor<16x16xf32>, %o: tensor<16x16xf32>)
    -> tensor<16x16xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%n) in (1) shared_outs(%x = %o) -> (tensor<16x16xf32>) {
    // expected-error@+1 {{expected a pack or a product of tiles with 'deltanet.matrix_tiles', got another operation}}
    %c = linalg.copy {deltanet.matrix_tiles} ins(%a : tensor<16x16xf32>)
        outs(%x : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %x[0, 0] [16, 16] [1, 1]
          : tensor<16x16xf32> into tensor<16x16xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, columns = 32, matrix = amx>}
  return %r : tensor<16x16xf32>
}
