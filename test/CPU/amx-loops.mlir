// REQUIRES: asm-x86
// RUN: delta-compile %s --isa=amx -o %t.s --remarks=%t.yaml
// RUN: FileCheck %s --check-prefix=LAYOUT < %t.yaml
// RUN: FileCheck %s --check-prefix=CONFIG < %t.s
// RUN: FileCheck %s --check-prefix=LOOP < %t.s
// RUN: FileCheck %s --check-prefix=NONE < %t.s
// RUN: %python %S/Inputs/pack_loops.py %t.s | FileCheck %s --check-prefix=PACK
// RUN: %python %S/Inputs/stack_accesses.py %t.s | FileCheck %s --check-prefix=STACK

// The state stays in L1 while a chunk works on 32 of its columns, solves and all.

// LAYOUT: the state lies in blocks of 32 columns
// LAYOUT: packs of tiles written by 2 solves

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

// A tile of a transposed left operand is 16 loads, roundings and stores, and four
// steps of 16 shuffles by lanes; one of a right operand, whose pairs stay
// together, has three steps. Nothing is on the stack, and no step looks up
// indices.

// PACK-NOT: shuffles {{[1-9][0-9]*}} indexed {{[1-9]}}
// PACK-DAG: rounds 16 shuffles 64 indexed 0 stores 16 instructions {{1[12][0-9]$}}
// PACK-DAG: rounds 16 shuffles 48 indexed 0 stores 16 instructions {{(9[0-9]|10[0-9])$}}
// PACK-NOT: shuffles {{[1-9][0-9]*}} indexed {{[1-9]}}

// No tile is spilled, no vector in a loop, and few elsewhere: not in the rows that
// are solved eight at a time either, whose loop has another inside.

// STACK: on the stack in inner loops 0 vectors {{[0-9]}} tiles 0

// No call, no conversion of single elements.

// NONE-NOT: call
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
