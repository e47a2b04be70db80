// REQUIRES: asm-nvptx
// RUN: delta-opt %s --deltanet-gpu-expand-math --convert-to-llvm -o %t.mlir
// RUN: delta-translate --nvvm-to-ptx --chip=sm_80 %t.mlir | FileCheck %s --implicit-check-not=approx

// Roots and quotients are rounded correctly, and flush subnormals as CPUs do.

// CHECK: sqrt.rn.ftz.f32
// CHECK: rcp.rn.ftz.f32
// CHECK: div.rn.ftz.f32
llvm.func @roots(%x: f32, %o: !llvm.ptr<1>) attributes {nvvm.kernel,
    passthrough = [["denormal-fp-math-f32", "preserve-sign,preserve-sign"]]} {
  %y = math.rsqrt %x : f32
  %z = arith.divf %y, %x : f32
  llvm.store %z, %o : f32, !llvm.ptr<1>
  llvm.return
}
