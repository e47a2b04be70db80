// REQUIRES: asm-nvptx
// RUN: %python %S/Inputs/kernels.py %s %t.ptx
// RUN: delta-ptxsim %t.ptx --kernel=largest --grid=1 --block=32 --arg=x=in:f32:16x8:iota \
// RUN:     --arg=rows=out:f32:16 --arg=columns=out:f32:1x8 --print=rows:4 --print=columns:3 \
// RUN:   | FileCheck %s

// A NaN counts where a row or column has nothing else, and disturbs no other: of 1 - x,
// where x = 8 i + j, row 1 is NaN and so is (0, 0).
// CHECK: largest: {{.*}} 0 findings
// CHECK-NEXT: rows: 0 nan -15 -23
// CHECK-NEXT: columns: -15 0 -1
#sums = #fragment.accumulator<warps = [1, 1]>
!t = !fragment.tile<16x8xf32, #sums>
func.func @largest(%x: memref<16x8xf32, 1>, %rows: memref<16xf32, 1>,
                   %columns: memref<1x8xf32, 1>) attributes {nvvm.reqntid = array<i32: 32>} {
  %one = arith.constant 1.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = fragment.load %x : memref<16x8xf32, 1> -> !t
  %u = fragment.map %t : (!t) -> !t {
  ^bb0(%e: f32):
    %i = fragment.index 0
    %j = fragment.index 1
    %first = arith.ori %i, %j : index
    %is_first = arith.cmpi eq, %first, %c0 : index
    %is_second = arith.cmpi eq, %i, %c1 : index
    %is_nan = arith.ori %is_first, %is_second : i1
    %negative = arith.subf %one, %e : f32
    %y = arith.select %is_nan, %nan, %negative : f32
    fragment.yield %y : f32
  }
  %r = fragment.reduce max %u along 1 : !t -> !fragment.tile<16x1xf32, #sums>
  %c = fragment.reduce max %u along 0 : !t -> !fragment.tile<1x8xf32, #sums>
  fragment.store %r, %rows dims [0] : !fragment.tile<16x1xf32, #sums>, memref<16xf32, 1>
  fragment.store %c, %columns : !fragment.tile<1x8xf32, #sums>, memref<1x8xf32, 1>
  return
}
