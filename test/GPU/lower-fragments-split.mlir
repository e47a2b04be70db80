// REQUIRES: asm-nvptx
// DEFINE: %{splits} =
// DEFINE: %{product} = sed 's/SPLITS/%{splits}/' %s > %t.mlir && %python %S/Inputs/kernels.py %t.mlir %t.ptx \
// DEFINE:   && delta-ptxsim %t.ptx --kernel=product --grid=1 --block=32 --arg=x=in:f32:16x8:iota \
// DEFINE:      --arg=r=in:f32:16x8:iota --arg=y=out:f32:16x16 --print=y:2

// Both operands have elements n (1 + 2^-12), of which TF32 holds n alone. Σ k (8 j + k) is 224 j + 140:
// each operand that is split adds its 2^-12; what both leave, 2^-24, is not multiplied.
// RUN: %{product} | FileCheck %s --check-prefix=NONE
// NONE: product: {{.*}} 0 findings
// NONE-NEXT: y: 140 364
// REDEFINE: %{splits} = split_left
// RUN: %{product} | FileCheck %s --check-prefix=ONE
// REDEFINE: %{splits} = split_right
// RUN: %{product} | FileCheck %s --check-prefix=ONE
// ONE: product: {{.*}} 0 findings
// ONE-NEXT: y: 140.0341{{[0-9]*}} 364.0888
// REDEFINE: %{splits} = split_left split_right
// RUN: %{product} | FileCheck %s --check-prefix=BOTH
// BOTH: product: {{.*}} 0 findings
// BOTH-NEXT: y: 140.0683{{[0-9]*}} 364.177
#left = #fragment.left<warps = [1, 1]>
#lanes = #fragment.lanes<lanes = [16, 2], warps = [1, 1]>
#sums = #fragment.accumulator<warps = [1, 1]>
func.func @product(%x: memref<16x8xf32, 1>, %r: memref<16x8xf32, 1>,
                   %y: memref<16x16xf32, 1>) attributes {nvvm.reqntid = array<i32: 32>} {
  %zero = arith.constant 0.0 : f32
  %more = arith.constant 1.000244140625 : f32
  %arena = memref.get_global @arena : memref<1024xi8, 3>
  %c0 = arith.constant 0 : index
  %shared = memref.view %arena[%c0][] : memref<1024xi8, 3> to memref<16x8xf32, 3>
  %left = fragment.load %x : memref<16x8xf32, 1> -> <16x8xf32, #left>
  %l = fragment.map %left : (!fragment.tile<16x8xf32, #left>) -> !fragment.tile<16x8xf32, #left> {
  ^bb0(%e: f32):
    %m = arith.mulf %e, %more : f32
    fragment.yield %m : f32
  }
  %right = fragment.load %r : memref<16x8xf32, 1> -> <16x8xf32, #lanes>
  %s = fragment.map %right : (!fragment.tile<16x8xf32, #lanes>) -> !fragment.tile<16x8xf32, #lanes> {
  ^bb0(%e: f32):
    %m = arith.mulf %e, %more : f32
    fragment.yield %m : f32
  }
  fragment.store %s, %shared swizzled : <16x8xf32, #lanes>, memref<16x8xf32, 3>
  fragment.barrier
  %none = fragment.splat %zero : <16x16xf32, #sums>
  %sum = fragment.mma %l, %shared, %none dims [1, 0] SPLITS
      : <16x8xf32, #left>, memref<16x8xf32, 3>, <16x16xf32, #sums>
  fragment.store %sum, %y : <16x16xf32, #sums>, memref<16x16xf32, 1>
  return
}
memref.global "private" @arena : memref<1024xi8, 3> = uninitialized {alignment = 16}
