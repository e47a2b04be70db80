// A library with kernels for CPUs and GPUs needs no driver: not to load, not to
// run on a CPU. Asked for a GPU there, it says that there is none.
// REQUIRES: asm-x86, asm-nvptx
// RUN: delta-compile %s --isa=generic --sm=80 --cuda=none -o %t.so
// RUN: llvm-readobj --needed-libs %t.so | FileCheck %s --check-prefix=NEEDED --implicit-check-not=cuda
// NEEDED: NeededLibraries [

// RUN: delta-run %t.so --kernel gdn --lengths=70 | FileCheck %s
// CHECK: variant generic
// CHECK: o reference {{.*}} pass

// RUN: mkdir -p %t.none && not env LD_LIBRARY_PATH=%t.none delta-run %t.so --kernel gdn --device=cuda:9 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: delta-run: error: GPU: {{.*}}expected

func.func @gdn(%q: tensor<?x1x64xbf16>, %k: tensor<?x1x64xbf16>,
               %v: tensor<?x2x64xbf16>, %g: tensor<?x2xf32>,
               %beta: tensor<?x2xf32>, %s: tensor<1x2x64x64xf32>)
    -> (tensor<?x2x64xbf16>, tensor<1x2x64x64xf32>) {
  %r:2 = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s)
      : (tensor<?x1x64xbf16>, tensor<?x1x64xbf16>, tensor<?x2x64xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>, tensor<1x2x64x64xf32>)
      -> (tensor<?x2x64xbf16>, tensor<1x2x64x64xf32>)
  return %r#0, %r#1 : tensor<?x2x64xbf16>, tensor<1x2x64x64xf32>
}
