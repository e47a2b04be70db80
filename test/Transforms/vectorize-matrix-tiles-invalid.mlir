// RUN: delta-opt %s -deltanet-vectorize-tiles -split-input-file -verify-diagnostics

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>

func.func @fill(%o: tensor<16x16xf32>, %x: f32) -> tensor<16x16xf32>
    attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected a pack or a product of tiles with 'deltanet.matrix_tiles', got another operation of type '(f32, tensor<16x16xf32>) -> tensor<16x16xf32>'}}
  %r = linalg.fill {deltanet.matrix_tiles} ins(%x : f32)
      outs(%o : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>

func.func @reduction(%a: tensor<4x16x4x16xf32>, %o: tensor<16x16xf32>)
    -> tensor<16x16xf32> attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected a pack or a product of tiles}}
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x16x4x16xf32>)
      outs(%o : tensor<16x16xf32>) dimensions = [0, 2] {deltanet.matrix_tiles}
  return %r : tensor<16x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#left = affine_map<(i, j, r, p, e) -> (i, r, j, p, e)>
#tile = affine_map<(i, j, r, p, e) -> (i, j, r, p, e)>

// The operands of a pack, but another body.

func.func @index(%m: tensor<1x16x1x16x2xf32>, %o: tensor<1x1x16x16x2xbf16>)
    -> tensor<1x1x16x16x2xbf16> attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected a pack or a product of tiles}}
  %t = linalg.generic {indexing_maps = [#left, #tile],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%m : tensor<1x16x1x16x2xf32>) outs(%o : tensor<1x1x16x16x2xbf16>)
      attrs = {deltanet.matrix_tiles} {
    ^bb0(%x: f32, %y: bf16):
      %i = linalg.index 2 : index
      %r = arith.truncf %x : f32 to bf16
      linalg.yield %r : bf16 } -> tensor<1x1x16x16x2xbf16>
  return %t : tensor<1x1x16x16x2xbf16>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#left = affine_map<(i, j, r, p, e) -> (i, r, j, p, e)>
#tile = affine_map<(i, j, r, p, e) -> (i, j, r, p, e)>

func.func @two_tiles(%m: tensor<2x16x1x16x2xf32>, %o: tensor<2x1x16x16x2xbf16>)
    -> tensor<2x1x16x16x2xbf16> attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected a pack of one tile, got one of 'tensor<2x1x16x16x2xbf16>'}}
  %t = linalg.generic {indexing_maps = [#left, #tile],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%m : tensor<2x16x1x16x2xf32>) outs(%o : tensor<2x1x16x16x2xbf16>)
      attrs = {deltanet.matrix_tiles} {
    ^bb0(%x: f32, %y: bf16):
      %r = arith.truncf %x : f32 to bf16
      linalg.yield %r : bf16 } -> tensor<2x1x16x16x2xbf16>
  return %t : tensor<2x1x16x16x2xbf16>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 128, v = 16, io = f32, scale = 1.0 : f32>
#left = affine_map<(m, n, l, r, c, p, e) -> (m, l, r, p, e)>
#right = affine_map<(m, n, l, r, c, p, e) -> (l, n, p, c, e)>
#sums = affine_map<(m, n, l, r, c, p, e) -> (m, r, n, c)>

// A product of tiles, but for the difference instead of the sum.

func.func @difference(%a: tensor<1x2x16x16x2xbf16>, %b: tensor<2x1x16x16x2xbf16>,
                      %o: tensor<1x16x1x16xf32>) -> tensor<1x16x1x16xf32>
    attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected a pack or a product of tiles}}
  %t = linalg.generic {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction", "parallel",
                        "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<1x2x16x16x2xbf16>, tensor<2x1x16x16x2xbf16>)
      outs(%o : tensor<1x16x1x16xf32>) attrs = {deltanet.matrix_tiles} {
    ^bb0(%x: bf16, %y: bf16, %z: f32):
      %l = arith.extf %x : bf16 to f32
      %r = arith.extf %y : bf16 to f32
      %p = arith.mulf %l, %r : f32
      %s = arith.subf %z, %p : f32
      linalg.yield %s : f32 } -> tensor<1x16x1x16xf32>
  return %t : tensor<1x16x1x16xf32>
}
