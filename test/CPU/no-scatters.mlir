// REQUIRES: asm-x86
// RUN: delta-compile %s --isa=avx512 -o %t.avx512.s
// RUN: FileCheck %s --implicit-check-not=vscatter --implicit-check-not=vpscatter < %t.avx512.s
// RUN: delta-compile %s --isa=amx -o %t.amx.s
// RUN: FileCheck %s --implicit-check-not=vscatter --implicit-check-not=vpscatter < %t.amx.s

// The coefficients of single tokens are written far apart; LLVM must not make
// scatters of it: they are slow everywhere, and the emulator has none.

// CHECK: vfmadd

func.func @tokens(%q: tensor<?x2x64xbf16>, %k: tensor<?x2x64xbf16>,
                  %v: tensor<?x2x32xbf16>, %beta: tensor<?x2xf32>)
    -> tensor<?x2x32xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x2x32xbf16>,
         tensor<?x2xf32>) -> tensor<?x2x32xbf16>
  return %o : tensor<?x2x32xbf16>
}
