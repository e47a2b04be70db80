// REQUIRES: asm-nvptx
// RUN: %python %S/Inputs/kernels.py %s %t.ptx
// RUN: delta-ptxsim %t.ptx --kernel=control --grid=1 --block=32 --arg=x=in:f32:2x128:iota \
// RUN:     --arg=y=out:f32:2x128 --arg=u64:5 --print=y:2 | FileCheck %s --check-prefix=FIVE
// RUN: delta-ptxsim %t.ptx --kernel=control --grid=1 --block=32 --arg=x=in:f32:2x128:iota \
// RUN:     --arg=y=out:f32:2x128 --arg=u64:12 --print=y:2 | FileCheck %s --check-prefix=TWELVE
// RUN: delta-ptxsim %t.ptx --kernel=cut --grid=1 --block=32 --arg=x=in:f32:3x128:one \
// RUN:     --arg=y=inout:f32:4x128:zero --arg=z=inout:f32:8:zero --arg=u64:3 --print=y:512 --print=z:8 \
// RUN:   | FileCheck %s --check-prefix=CUT
// RUN: delta-ptxsim %t.ptx --kernel=cut --grid=1 --block=32 --arg=x=in:f32:3x128:one \
// RUN:     --arg=y=inout:f32:4x128:zero --arg=z=inout:f32:8:zero --arg=u64:0 --print=y:512 --print=z:8 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: delta-ptxsim %t.ptx --kernel=cut_columns --grid=1 --block=32 --arg=x=in:f32:2x37:one \
// RUN:     --arg=y=inout:f32:2x37:zero --arg=u64:37 --print=y:74 | FileCheck %s --check-prefix=COLUMNS
// RUN: delta-ptxsim %t.ptx --kernel=give --grid=1 --block=32 --arg=x=in:bf16:8:iota \
// RUN:     --arg=y=out:bf16:8x128 --print=y:1024 | FileCheck %s --check-prefix=GIVE

#lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>
!t = !fragment.tile<2x128xf32, #lanes>

// Tiles carried by loops and conditions: x doubled until its second element reaches
// a bound, then once for each of three turns but the second, where it is negated,
// and its own value or the first one.
// FIVE: y: -0 -32 …
// TWELVE: y: 0 1 …
func.func @control(%x: memref<2x128xf32, 1>, %y: memref<2x128xf32, 1>, %bound: index)
    attributes {nvvm.reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %first = fragment.load %x : memref<2x128xf32, 1> -> !t
  %doubled:2 = scf.while (%n = %c1, %t = %first) : (index, !t) -> (index, !t) {
    %more = arith.cmpi ult, %n, %bound : index
    scf.condition(%more) %n, %t : index, !t
  } do {
  ^bb0(%n: index, %t: !t):
    %n2 = arith.addi %n, %n : index
    %t2 = fragment.map %t : (!t) -> !t {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      fragment.yield %b : f32
    }
    scf.yield %n2, %t2 : index, !t
  }
  %turned = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %doubled#1) -> !t {
    %is_second = arith.cmpi eq, %i, %c1 : index
    %next = scf.if %is_second -> !t {
      %negated = fragment.map %t : (!t) -> !t {
      ^bb0(%a: f32):
        %b = arith.negf %a : f32
        fragment.yield %b : f32
      }
      scf.yield %negated : !t
    } else {
      %twice = fragment.map %t : (!t) -> !t {
      ^bb0(%a: f32):
        %b = arith.addf %a, %a : f32
        fragment.yield %b : f32
      }
      scf.yield %twice : !t
    }
    scf.yield %next : !t
  }
  %is_small = arith.cmpi ult, %bound, %c10 : index
  %chosen = arith.select %is_small, %turned, %first : !t
  fragment.store %chosen, %y : !t, memref<2x128xf32, 1>
  return
}

// Memory ends before the tile: zeros are read (here no one sees the others), and
// nothing is written. Lanes share the rows of a tile with one column.
// CUT: 0 findings
// CUT-NEXT: y: {{((2 ){128}){3}(0 ){127}0$}}
// CUT-NEXT: z: 128 128 128 0 0 0 0 0
// NONE: 0 findings
// NONE-NEXT: y: {{((0 ){128}){3}(0 ){127}0$}}
// NONE-NEXT: z: 0 0 0 0 0 0 0 0
func.func @cut(%x: memref<8x128xf32, 1>, %y: memref<8x128xf32, 1>, %z: memref<8xf32, 1>, %n: index)
    attributes {nvvm.reqntid = array<i32: 32>} {
  %xn = memref.subview %x[0, 0] [%n, 128] [1, 1]
      : memref<8x128xf32, 1> to memref<?x128xf32, strided<[128, 1]>, 1>
  %yn = memref.subview %y[0, 0] [%n, 128] [1, 1]
      : memref<8x128xf32, 1> to memref<?x128xf32, strided<[128, 1]>, 1>
  %zn = memref.subview %z[0] [%n] [1] : memref<8xf32, 1> to memref<?xf32, strided<[1]>, 1>
  %t = fragment.load %xn alignment 16
      : memref<?x128xf32, strided<[128, 1]>, 1> -> !fragment.tile<8x128xf32, #lanes>
  %sums = fragment.reduce %t along 1 : !fragment.tile<8x128xf32, #lanes> -> !fragment.tile<8x1xf32, #lanes>
  %total = fragment.reduce %t along 0 : !fragment.tile<8x128xf32, #lanes> -> !fragment.tile<1x128xf32, #lanes>
  // 1 + the sum of a column, n, less n − 1 is 2 in the rows there are.
  %u = fragment.map %t, %total
      : (!fragment.tile<8x128xf32, #lanes>, !fragment.tile<1x128xf32, #lanes>)
      -> !fragment.tile<8x128xf32, #lanes> {
  ^bb0(%a: f32, %s: f32):
    %c2 = arith.constant 2.0 : f32
    %b = arith.addf %a, %s : f32
    %c = arith.subf %b, %c2 : f32
    fragment.yield %c : f32
  }
  fragment.store %u, %yn alignment 16
      : !fragment.tile<8x128xf32, #lanes>, memref<?x128xf32, strided<[128, 1]>, 1>
  fragment.store %sums, %zn dims [0] alignment 8
      : !fragment.tile<8x1xf32, #lanes>, memref<?xf32, strided<[1]>, 1>
  return
}

// COLUMNS: 0 findings
// COLUMNS-NEXT: y: {{(38 ){73}38$}}
func.func @cut_columns(%x: memref<2x37xf32, 1>, %y: memref<2x37xf32, 1>, %n: index)
    attributes {nvvm.reqntid = array<i32: 32>} {
  %xn = memref.subview %x[0, 0] [2, %n] [1, 1]
      : memref<2x37xf32, 1> to memref<2x?xf32, strided<[37, 1]>, 1>
  %yn = memref.subview %y[0, 0] [2, %n] [1, 1]
      : memref<2x37xf32, 1> to memref<2x?xf32, strided<[37, 1]>, 1>
  %t = fragment.load %xn : memref<2x?xf32, strided<[37, 1]>, 1> -> !t
  %sums = fragment.reduce %t along 1 : !t -> !fragment.tile<2x1xf32, #lanes>
  %u = fragment.map %t, %sums : (!t, !fragment.tile<2x1xf32, #lanes>) -> !t {
  ^bb0(%a: f32, %s: f32):
    %b = arith.addf %a, %s : f32
    fragment.yield %b : f32
  }
  fragment.store %u, %yn : !t, memref<2x?xf32, strided<[37, 1]>, 1>
  return
}

// A value of 16 bits for each row, from one lane of 4 to all 32.
// GIVE: 0 findings
// GIVE-NEXT: y: {{(0 ){128}(1 ){128}(2 ){128}(3 ){128}(4 ){128}(5 ){128}(6 ){128}(7 ){127}7$}}
#rows = #fragment.lanes<lanes = [8, 4], warps = [1, 1]>
func.func @give(%x: memref<8xbf16, 1>, %y: memref<8x128xbf16, 1>)
    attributes {nvvm.reqntid = array<i32: 32>} {
  %t = fragment.load %x dims [0] : memref<8xbf16, 1> -> !fragment.tile<8x1xbf16, #rows>
  %all = fragment.broadcast %t
      : !fragment.tile<8x1xbf16, #rows> to !fragment.tile<8x1xbf16, #lanes>
  %u = fragment.map %all : (!fragment.tile<8x1xbf16, #lanes>) -> !fragment.tile<8x128xbf16, #lanes> {
  ^bb0(%a: bf16):
    fragment.yield %a : bf16
  }
  fragment.store %u, %y : !fragment.tile<8x128xbf16, #lanes>, memref<8x128xbf16, 1>
  return
}
