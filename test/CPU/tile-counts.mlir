// REQUIRES: emulator, asm-x86
// RUN: delta-compile %s --isa=amx -o %t.so
// RUN: delta-run %t.so --kernel chunked --shape T=512 --emulate=amx --counts=%t.json
// RUN: %python %S/Inputs/check_counts.py %t.json %S/Inputs/tile_counts.json 16

// What one chunk of 64 tokens and value head costs at K = V = 128, with two value
// heads to a key head: 8 chunks of 2 heads ran. A count beyond its budget fails,
// and so does a number of tile products that is not that of the formula
// (countTileProducts of the cost model, 560).

func.func @chunked(%q: tensor<?x1x128xbf16>, %k: tensor<?x1x128xbf16>,
                   %v: tensor<?x2x128xbf16>, %g: tensor<?x2xf32>,
                   %beta: tensor<?x2xf32>, %s: tensor<?x2x128x128xf32>)
    -> (tensor<?x2x128xbf16>, tensor<?x2x128x128xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s)
      {l2norm_eps = 1.0e-6 : f32, schedules = [#deltanet.schedule<
          chunked, columns = 32, register_rows = 8, matrix = amx>]}
      : (tensor<?x1x128xbf16>, tensor<?x1x128xbf16>, tensor<?x2x128xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x128x128xf32>)
      -> (tensor<?x2x128xbf16>, tensor<?x2x128x128xf32>)
  return %o, %f : tensor<?x2x128xbf16>, tensor<?x2x128x128xf32>
}
