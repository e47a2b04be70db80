// REQUIRES: asm-nvptx
// RUN: not delta-translate --nvvm-to-ptx --chip=sm_1 %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not delta-translate --nvvm-to-ptx --chip=gfx90a %s 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not delta-translate --nvvm-to-ptx --chip=sm_80 --split-input-file %s 2>&1 | FileCheck %s
// RUN: not delta-translate --nvvm-to-ptx %s 2>&1 | FileCheck %s --check-prefix=NONE

// CHIP: invalid.mlir:{{.*}} error: expected a chip that LLVM knows, such as sm_80 or sm_90a, got 'sm_1'
// OTHER: error: expected a chip that LLVM knows, such as sm_80 or sm_90a, got 'gfx90a'

// NONE: invalid.mlir:{{.*}} error: expected a #deltanet.gpu_target in 'deltanet.target', got none

// CHECK: error: expected a function with nvvm.kernel, got none
llvm.func @no_kernel() {
  llvm.return
}

// -----

// CHECK: error: expected kernels without calls, got one of '__nv_expf'
llvm.func @__nv_expf(f32) -> f32
llvm.func @calls(%x: f32, %o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %y = llvm.call @__nv_expf(%x) : (f32) -> f32
  llvm.store %y, %o : f32, !llvm.ptr<1>
  llvm.return
}

// -----

// CHECK: error: expected kernels without results, got one of 'gives'
llvm.func @gives(%x: i32) -> i32 attributes {nvvm.kernel} {
  llvm.return %x : i32
}
