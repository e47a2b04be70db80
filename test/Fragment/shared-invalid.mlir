// RUN: delta-opt -split-input-file -verify-diagnostics %s

// C39 to C43, C45 and C47: shared memory and products.

func.func @rank(%g: memref<64xbf16, 1>, %s: memref<64xbf16, 3>) {
  // expected-error@+1 {{expected swizzled memory of rank 2, got 'memref<64xbf16, 3>'}}
  fragment.copy_async %g to %s swizzled : memref<64xbf16, 1>, memref<64xbf16, 3>
  return
}

// -----

func.func @pieces(%g: memref<64x12xbf16, 1>, %s: memref<64x12xbf16, 3>) {
  // expected-error@+1 {{expected rows of whole pieces of 16 bytes, got 'memref<64x12xbf16, 3>'}}
  fragment.copy_async %g to %s : memref<64x12xbf16, 1>, memref<64x12xbf16, 3>
  return
}

// -----

func.func @strides(%g: memref<64x16xbf16, 1>, %s: memref<64x16xbf16, strided<[?, 1]>, 3>) {
  // expected-error@+1 {{expected rows of neighbours, a static number of pieces of 16 bytes apart, got}}
  fragment.copy_async %g to %s : memref<64x16xbf16, 1>, memref<64x16xbf16, strided<[?, 1]>, 3>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [8, 4], warps = [1, 1]>
func.func @space(%g: memref<64x16xbf16, 1>) {
  // expected-error@+1 {{expected memory in space 3, got 'memref<64x16xbf16, 1>'}}
  %t = fragment.load %g swizzled : memref<64x16xbf16, 1> -> !fragment.tile<64x16xbf16, #lanes>
  return
}

// -----

func.func @source(%g: memref<64x16xbf16, 2>, %s: memref<64x16xbf16, 3>) {
  // expected-error@+1 {{expected a source in space 1, got 'memref<64x16xbf16, 2>'}}
  fragment.copy_async %g to %s : memref<64x16xbf16, 2>, memref<64x16xbf16, 3>
  return
}

// -----

func.func @sizes(%g: memref<64x?xbf16, 1>, %s: memref<64x16xbf16, 3>) {
  // expected-error@+1 {{expected a source with the elements and sizes of 'memref<64x16xbf16, 3>', got 'memref<64x?xbf16, 1>'}}
  fragment.copy_async %g to %s : memref<64x?xbf16, 1>, memref<64x16xbf16, 3>
  return
}

// -----

func.func @dynamic(%g: tensor<?x16xbf16>, %s: tensor<?x16xbf16>) {
  // expected-error@+1 {{expected a destination of rank 1 or 2 and static size, got 'tensor<?x16xbf16>'}}
  %r = fragment.copy_async %g to %s : tensor<?x16xbf16>, tensor<?x16xbf16>
  return
}

// -----

func.func @elements(%g: tensor<64x16xi32>, %s: tensor<64x16xi32>) {
  // expected-error@+1 {{expected elements of f32, bf16 or f16, got 'tensor<64x16xi32>'}}
  %r = fragment.copy_async %g to %s : tensor<64x16xi32>, tensor<64x16xi32>
  return
}

// -----

func.func @alignment(%g: tensor<64x16xf32>, %s: tensor<64x16xf32>) {
  // expected-error@+1 {{expected an alignment that is a power of two from 4 to 16, got 32}}
  %r = fragment.copy_async %g to %s alignment 32 : tensor<64x16xf32>, tensor<64x16xf32>
  return
}

// -----

func.func @groups() {
  // expected-error@+1 {{expected 0 to 7 groups, got 8}}
  fragment.wait 8
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [4, 1]>
func.func @cast_elements(%t: !fragment.tile<64x16xf32, #sums>) {
  // expected-error@+1 {{expected a tile with the shape and elements of '!fragment.tile<64x16xf32,}}
  %l = fragment.cast %t : !fragment.tile<64x16xf32, #sums> to !fragment.tile<64x16xbf16, #left>
  return
}

// -----

#sums = #fragment.accumulator<warps = [2, 2]>
#left = #fragment.left<warps = [2, 2]>
func.func @cast_warps(%t: !fragment.tile<64x32xbf16, #sums>) {
  // expected-error@+1 {{expected layouts that give each thread the same elements, got #fragment.accumulator<warps = [2, 2]> and #fragment.left<warps = [2, 2]>}}
  %l = fragment.cast %t : !fragment.tile<64x32xbf16, #sums> to !fragment.tile<64x32xbf16, #left>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
func.func @left(%l: !fragment.tile<64x16xbf16, #sums>, %r: tensor<16x16xbf16>,
                %a: !fragment.tile<64x16xf32, #sums>) {
  // expected-error@+1 {{expected a left operand in #fragment.left, got}}
  %p = fragment.mma %l, %r, %a : !fragment.tile<64x16xbf16, #sums>, tensor<16x16xbf16>,
      !fragment.tile<64x16xf32, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [4, 1]>
func.func @sums(%l: !fragment.tile<64x16xbf16, #left>, %r: tensor<16x16xbf16>,
                %a: !fragment.tile<64x16xbf16, #sums>) {
  // expected-error@+1 {{expected an accumulator of f32 in #fragment.accumulator, got}}
  %p = fragment.mma %l, %r, %a : !fragment.tile<64x16xbf16, #left>, tensor<16x16xbf16>,
      !fragment.tile<64x16xbf16, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [2, 2]>
func.func @warps(%l: !fragment.tile<64x16xbf16, #left>, %r: tensor<16x16xbf16>,
                 %a: !fragment.tile<64x16xf32, #sums>) {
  // expected-error@+1 {{expected a left operand with the warps and rows of}}
  %p = fragment.mma %l, %r, %a : !fragment.tile<64x16xbf16, #left>, tensor<16x16xbf16>,
      !fragment.tile<64x16xf32, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [4, 1]>
func.func @right(%l: !fragment.tile<64x32xbf16, #left>, %r: tensor<32x16xbf16>,
                 %a: !fragment.tile<64x16xf32, #sums>) {
  // expected-error@+1 {{expected a right operand with the elements of 'tensor<16x32xbf16>', got 'tensor<32x16xbf16>'}}
  %p = fragment.mma %l, %r, %a dims [1, 0] : !fragment.tile<64x32xbf16, #left>,
      tensor<32x16xbf16>, !fragment.tile<64x16xf32, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [4, 1]>
func.func @dims(%l: !fragment.tile<64x16xbf16, #left>, %r: tensor<16x16xbf16>,
                %a: !fragment.tile<64x16xf32, #sums>) {
  // expected-error@+1 {{expected dims [0, 1] or [1, 0], got [1]}}
  %p = fragment.mma %l, %r, %a dims [1] : !fragment.tile<64x16xbf16, #left>,
      tensor<16x16xbf16>, !fragment.tile<64x16xf32, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [4, 1]>
func.func @right_space(%l: !fragment.tile<64x16xbf16, #left>, %r: memref<16x16xbf16, 1>,
                       %a: !fragment.tile<64x16xf32, #sums>) {
  // expected-error@+1 {{expected memory in space 3, got 'memref<16x16xbf16, 1>'}}
  %p = fragment.mma %l, %r, %a : !fragment.tile<64x16xbf16, #left>,
      memref<16x16xbf16, 1>, !fragment.tile<64x16xf32, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [4, 1]>
func.func @causal(%l: !fragment.tile<64x32xf32, #left>, %r: tensor<32x16xf32>,
                  %a: !fragment.tile<64x16xf32, #sums>) {
  // expected-error@+1 {{expected a right operand with as many rows as columns, since it is causal, got 'tensor<32x16xf32>'}}
  %p = fragment.mma %l, %r, %a causal : !fragment.tile<64x32xf32, #left>,
      tensor<32x16xf32>, !fragment.tile<64x16xf32, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [2, 2]>
#left = #fragment.left<warps = [2, 2]>
func.func @causal_warps(%l: !fragment.tile<64x32xbf16, #left>, %r: tensor<32x32xbf16>,
                        %a: !fragment.tile<64x32xf32, #sums>) {
  // expected-error@+1 {{expected an accumulator with one column of warps, since the right operand is causal, got}}
  %p = fragment.mma %l, %r, %a dims [1, 0] causal : !fragment.tile<64x32xbf16, #left>,
      tensor<32x32xbf16>, !fragment.tile<64x32xf32, #sums>
  return
}

// -----

#sums = #fragment.accumulator<warps = [4, 1]>
#left = #fragment.left<warps = [4, 1]>
func.func @split(%l: !fragment.tile<64x32xbf16, #left>, %r: tensor<32x32xbf16>,
                 %a: !fragment.tile<64x32xf32, #sums>) {
  // expected-error@+1 {{expected operands of f32, since one is split, got '!fragment.tile<64x32xbf16,}}
  %p = fragment.mma %l, %r, %a split_right : !fragment.tile<64x32xbf16, #left>,
      tensor<32x32xbf16>, !fragment.tile<64x32xf32, #sums>
  return
}
