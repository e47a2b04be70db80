// RUN: delta-opt -split-input-file -verify-diagnostics %s

// C34 to C38 and C44: what operations take.

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @rank(%m: memref<1x32x128xf32>) {
  // expected-error@+1 {{expected memory of rank 1 or 2, got 'memref<1x32x128xf32>'}}
  %t = fragment.load %m : memref<1x32x128xf32> -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @elements(%m: tensor<32x128xbf16>) {
  // expected-error@+1 {{expected memory with elements of 'f32', got 'tensor<32x128xbf16>'}}
  %t = fragment.load %m : tensor<32x128xbf16> -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @no_dims(%m: memref<128xf32>) {
  // expected-error@+1 {{expected dims for memory of rank 1, got none}}
  %t = fragment.load %m : memref<128xf32> -> !fragment.tile<1x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @twice(%m: memref<32x32xf32>, %t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{expected dims with a different one of 0 and 1 for each dimension of 'memref<32x32xf32>', got [1, 1]}}
  fragment.store %t, %m dims [1, 1] : !fragment.tile<32x128xf32, #lanes>, memref<32x32xf32>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @few(%m: memref<32x128xf32>) {
  // expected-error@+1 {{expected dims with a different one of 0 and 1 for each dimension of 'memref<32x128xf32>', got [0]}}
  %t = fragment.load %m dims [0] : memref<32x128xf32> -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @shape(%m: memref<32x128xf32>) {
  // expected-error@+1 {{expected a tile of 128x32 for 'memref<32x128xf32>', got '!fragment.tile<32x128xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>'}}
  %t = fragment.load %m dims [1, 0] : memref<32x128xf32> -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @no_broadcast(%m: memref<?xf32>, %t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{expected a tile of 1x128 for 'memref<?xf32>', got}}
  fragment.store %t, %m dims [1] : !fragment.tile<32x128xf32, #lanes>, memref<?xf32>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @alignment(%m: memref<32x128xbf16>) {
  // expected-error@+1 {{expected an alignment that is a power of two from 2 to 16, got 12}}
  %t = fragment.load %m alignment 12 : memref<32x128xbf16> -> !fragment.tile<32x128xbf16, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @unaligned(%m: memref<32x128xf32>) {
  // expected-error@+1 {{expected an alignment that is a power of two from 4 to 16, got 2}}
  %t = fragment.load %m alignment 2 : memref<32x128xf32> -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @scalar(%x: bf16) {
  // expected-error@+1 {{expected a scalar of 'f32', got 'bf16'}}
  %t = "fragment.splat"(%x) : (bf16) -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @extract(%t: !fragment.tile<32x1xf32, #lanes>) {
  // expected-error@+1 {{expected a tile of 1x1, got}}
  %x = fragment.extract %t : !fragment.tile<32x1xf32, #lanes>
  return
}

// -----

func.func @outside() {
  // expected-error@+1 {{expected it within a fragment.map}}
  %i = fragment.index 0
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [2, 2]>
func.func @warps(%t: !fragment.tile<32x256xf32, #lanes>) {
  // expected-error@+1 {{expected a layout with one warp along dimension 1, got 2}}
  %s = fragment.reduce %t along 1 : !fragment.tile<32x256xf32, #lanes> -> !fragment.tile<32x1xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @narrow(%t: !fragment.tile<32x128xbf16, #lanes>) {
  // expected-error@+1 {{expected a tile of f32, got}}
  %s = fragment.reduce %t along 1 : !fragment.tile<32x128xbf16, #lanes> -> !fragment.tile<32x1xbf16, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @dimension(%t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{expected dimension 0 or 1, got 2}}
  %s = fragment.reduce %t along 2 : !fragment.tile<32x128xf32, #lanes> -> !fragment.tile<1x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
#rows = #fragment.lanes<lanes = [16, 2], warps = [4, 1]>
func.func @more_parts_than_rows(%t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{expected a result of '!fragment.tile<32x1xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>' or with rows of lanes that keep some, got}}
  %s = fragment.reduce %t along 1
      : !fragment.tile<32x128xf32, #lanes> -> !fragment.tile<64x1xf32, #rows>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
#rows = #fragment.lanes<lanes = [8, 4], warps = [4, 1]>
func.func @sums_of_columns(%t: !fragment.tile<32x1xf32, #lanes>) {
  // Every lane has the only column: there is nothing to add up.
  // expected-error@+1 {{or with rows of lanes that keep some, got}}
  %s = fragment.reduce %t along 1
      : !fragment.tile<32x1xf32, #lanes> -> !fragment.tile<32x1xf32, #rows>
  return
}

// -----

// C44.
#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
#rows = #fragment.lanes<lanes = [8, 4], warps = [4, 1]>
func.func @wide(%t: !fragment.tile<32x16xf32, #rows>) {
  // expected-error@+1 {{expected a tile with one column, got}}
  %b = fragment.broadcast %t
      : !fragment.tile<32x16xf32, #rows> to !fragment.tile<32x16xf32, #rows>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
#rows = #fragment.lanes<lanes = [8, 4], warps = [4, 1]>
func.func @narrower(%t: !fragment.tile<32x1xf32, #lanes>) {
  // expected-error@+1 {{and fewer rows of lanes, got}}
  %b = fragment.broadcast %t
      : !fragment.tile<32x1xf32, #lanes> to !fragment.tile<32x1xf32, #rows>
  return
}
