// REQUIRES: asm-x86
// RUN: delta-compile %s --isa=amx -o %t.so --remarks=%t.yaml
// RUN: FileCheck %s < %t.yaml
// RUN: %if emulator %{ delta-run %t.so --kernel one_chunk --shape T=128 --emulate=amx %}

// All tokens are one chunk of four blocks, and there is no loop over chunks, nor
// over columns in it. Every block is read by the solves of those below.

// CHECK: packs of tiles written by 4 solves

func.func @one_chunk(%q: tensor<128x1x96xbf16>, %k: tensor<128x1x96xbf16>,
                     %v: tensor<128x1x64xbf16>, %g: tensor<128x1xf32>,
                     %beta: tensor<128x1xf32>)
    -> (tensor<128x1x64xbf16>, tensor<1x1x96x64xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta)
      {schedules = [#deltanet.schedule<
          chunked, columns = 16, chunk = 128, matrix = amx>]}
      : (tensor<128x1x96xbf16>, tensor<128x1x96xbf16>, tensor<128x1x64xbf16>,
         tensor<128x1xf32>, tensor<128x1xf32>)
      -> (tensor<128x1x64xbf16>, tensor<1x1x96x64xf32>)
  return %o, %f : tensor<128x1x64xbf16>, tensor<1x1x96x64xf32>
}
