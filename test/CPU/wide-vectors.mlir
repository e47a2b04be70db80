// Kernels of the levels with 512-bit vectors keep everything in registers, too.
// REQUIRES: asm-x86
// RUN: delta-compile %s --isa=avx512 -o %t.avx512.s
// RUN: delta-compile %s --isa=avx512_bf16 -o %t.bf16.s
// RUN: %python %S/Inputs/fma_loops.py %t.avx512.s | FileCheck %s
// RUN: %python %S/Inputs/fma_loops.py %t.bf16.s | FileCheck %s
// RUN: %python %S/Inputs/stack_accesses.py %t.avx512.s | FileCheck %s --check-prefix=STACK
// RUN: %python %S/Inputs/stack_accesses.py %t.bf16.s | FileCheck %s --check-prefix=STACK
// STACK: on the stack in inner loops 0

// Blocks of 6x16 are six multiply-adds a step of the reduction, however many
// steps LLVM takes a turn, each with its broadcast as an operand; next to them
// are one load a step and the loop's own instructions. A pass of 4x16 over two
// rows is 24 multiply-adds and stores the two rows. Nothing is on the stack.

// CHECK-NOT: fma 24 instructions {{(3[5-9]|[4-9][0-9]|[0-9]{3,})}}
// CHECK-DAG: fma 24 instructions 3{{[0-4]}} broadcasts {{[0-2]}} loads 0 stores 2
// CHECK-DAG: fma {{12 instructions 1[5-9] broadcasts 0 loads 2|24 instructions 3[0-4] broadcasts 0 loads 4}} stores 0
// CHECK-NOT: fma 24 instructions {{(3[5-9]|[4-9][0-9]|[0-9]{3,})}}
// CHECK-NOT: fma 12 instructions {{[2-9][0-9]}}
// CHECK:     calls 0

// Without AVX512-BF16, bf16 is rounded by integer code on whole vectors.
// RUN: FileCheck %s --check-prefix=INTEGER --implicit-check-not=vcvtneps2bf16 --implicit-check-not=vpextrw --implicit-check-not=vpinsrw < %t.avx512.s
// INTEGER-DAG: vpaddd {{.*}}%zmm
// INTEGER-DAG: vpmovdw %zmm

// With it, by one instruction a vector, and never by halves or single values.
// RUN: FileCheck %s --check-prefix=NATIVE --implicit-check-not="vcvtneps2bf16{{.*}}%xmm" --implicit-check-not=vpextrw --implicit-check-not=vpinsrw < %t.bf16.s
// NATIVE: vcvtneps2bf16 {{.*}}%ymm

func.func @wide(%q: tensor<?x2x128xbf16>, %k: tensor<?x2x128xbf16>,
                %v: tensor<?x4x128xbf16>, %g: tensor<?x4xf32>,
                %beta: tensor<?x4xf32>, %s: tensor<?x4x128x128xf32>,
                %cu: tensor<?xi32>)
    -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32, schedules = [
        #deltanet.schedule<recurrent, max_tokens = 15, tokens = 4,
            columns = 16, rows = 2, block = 64>,
        #deltanet.schedule<chunked, min_tokens = 16, chunk = 64, columns = 16,
            register_rows = 6>]}
      : (tensor<?x2x128xbf16>, tensor<?x2x128xbf16>, tensor<?x4x128xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x128x128xf32>,
         tensor<?xi32>)
      -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>)
  return %o, %f : tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>
}
