// The object for a level uses its instructions and none beyond it: AVX encodings
// all have mnemonics with a leading v.
// REQUIRES: asm-x86
// RUN: delta-compile %s --target=x86_64-linux-gnu --isa=generic -o %t.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --implicit-check-not="{{[[:space:]]v[a-z]}}" --implicit-check-not=ymm
// CHECK: mulps

// RUN: delta-compile %s --target=x86_64-linux-gnu --isa=avx2 -o %t.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=AVX2 --implicit-check-not=zmm
// AVX2: vfmadd{{.*}}ymm

// RUN: delta-compile %s --target=x86_64-linux-gnu --isa=avx512 -o %t.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=AVX512 --implicit-check-not=bf16 --implicit-check-not=tile
// AVX512: vfmadd{{.*}}zmm

// RUN: delta-compile %s --target=x86_64-linux-gnu --isa=avx512_bf16 -o %t.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=BF16 --implicit-check-not=tile
// BF16: vcvtne{{.*}}bf16

// RUN: delta-compile %s --target=x86_64-linux-gnu --isa=amx -o %t.o --schedule="#deltanet.schedule<chunked, columns = 32, matrix = amx>"
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=AMX
// AMX: tdpbf16ps

func.func @gdn(%q: tensor<?x2x64xbf16>, %k: tensor<?x2x64xbf16>,
               %v: tensor<?x2x64xbf16>, %g: tensor<?x2xf32>,
               %beta: tensor<?x2xf32>, %s: tensor<1x2x64x64xf32>)
    -> (tensor<?x2x64xbf16>, tensor<1x2x64x64xf32>) {
  %r:2 = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 15, tokens = 2>,
                    #deltanet.schedule<chunked, min_tokens = 16>]}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x2x64xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>, tensor<1x2x64x64xf32>)
      -> (tensor<?x2x64xbf16>, tensor<1x2x64x64xf32>)
  return %r#0, %r#1 : tensor<?x2x64xbf16>, tensor<1x2x64x64xf32>
}
