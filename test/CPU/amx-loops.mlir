// REQUIRES: asm-x86
// RUN: delta-compile %s --isa=amx -o %t.s
// RUN: FileCheck %s --check-prefix=CONFIG < %t.s
// RUN: FileCheck %s --check-prefix=LOOP < %t.s
// RUN: FileCheck %s --check-prefix=NONE < %t.s

// Tiles are configured once and released once, whatever is computed in between.

// CONFIG-COUNT-1: ldtilecfg
// CONFIG-NOT: {{ldtilecfg|tilerelease}}
// CONFIG: tilerelease
// CONFIG-NOT: {{ldtilecfg|tilerelease}}

// A step loads four tiles and multiplies four times; sums stay in tiles.

// LOOP: tilezero
// LOOP-COUNT-4: tileload
// LOOP-NOT: {{tileload|tilestored}}
// LOOP-COUNT-4: tdpbf16ps
// LOOP-COUNT-4: tileload
// LOOP-NOT: tilestored
// LOOP-COUNT-4: tdpbf16ps

// No call, no tile on the stack, no conversion of single elements.

// NONE-NOT: call
// NONE-NOT: tile{{loadd|stored}}{{.*}}Spill
// NONE-NOT: vcvtneps2bf16 {{.*}}%xmm{{[0-9]+}}, %xmm

func.func @chunked(%q: tensor<?x2x128xbf16>, %k: tensor<?x2x128xbf16>,
                   %v: tensor<?x4x128xbf16>, %g: tensor<?x4xf32>,
                   %beta: tensor<?x4xf32>, %s: tensor<?x4x128x128xf32>,
                   %cu: tensor<?xi32>)
    -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32, schedules = [#deltanet.schedule<
          chunked, columns = 32, register_rows = 8, matrix = amx>]}
      : (tensor<?x2x128xbf16>, tensor<?x2x128xbf16>, tensor<?x4x128xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x128x128xf32>,
         tensor<?xi32>)
      -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>)
  return %o, %f : tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>
}
