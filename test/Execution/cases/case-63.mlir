// Channels that tiles cannot hold: a remark says why there are none, and where
// the others have them.
// REQUIRES: asm-x86
// RUN: delta-compile %s --isa=amx -o %t.s --remarks=%t.yaml
// RUN: FileCheck %s --check-prefix=REMARK < %t.yaml
// RUN: FileCheck %s < %t.s

// REMARK-DAG: amx is for K in multiples of 32
// REMARK-DAG: as many as the recurrence takes

// CHECK-LABEL: no_tiles.run:
// CHECK-NOT: tdpbf16ps
// CHECK-LABEL: odd_tiles.run:
// CHECK: tdpbf16ps

func.func @no_tiles(%q: tensor<63x1x80xbf16>, %k: tensor<63x1x80xbf16>,
                    %v: tensor<63x2x80xbf16>, %g: tensor<63x2xf32>,
                    %beta: tensor<63x2xf32>) -> tensor<63x2x80xbf16> {
  %o = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta)
      : (tensor<63x1x80xbf16>, tensor<63x1x80xbf16>, tensor<63x2x80xbf16>,
         tensor<63x2xf32>, tensor<63x2xf32>) -> tensor<63x2x80xbf16>
  return %o : tensor<63x2x80xbf16>
}

func.func @odd_tiles(%q: tensor<63x1x96xbf16>, %k: tensor<63x1x96xbf16>,
                     %v: tensor<63x2x80xbf16>, %g: tensor<63x2xf32>,
                     %beta: tensor<63x2xf32>) -> tensor<63x2x80xbf16> {
  %o = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta)
      : (tensor<63x1x96xbf16>, tensor<63x1x96xbf16>, tensor<63x2x80xbf16>,
         tensor<63x2xf32>, tensor<63x2xf32>) -> tensor<63x2x80xbf16>
  return %o : tensor<63x2x80xbf16>
}
