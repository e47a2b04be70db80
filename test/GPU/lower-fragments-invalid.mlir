// RUN: delta-opt -deltanet-gpu-lower-fragments -split-input-file -verify-diagnostics %s

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
// expected-error@+1 {{expected tiles in fragment operations, scf.for, scf.if, scf.while and arith.select alone}}
func.func @argument(%t: !fragment.tile<32x128xf32, #lanes>) {
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func private @make() -> !fragment.tile<32x128xf32, #lanes>
func.func @call() {
  // expected-error@+1 {{expected tiles in fragment operations, scf.for, scf.if, scf.while and arith.select alone}}
  %t = call @make() : () -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @tensor(%x: tensor<32x128xf32>) {
  // expected-error@+1 {{expected memory, got 'tensor<32x128xf32>'}}
  %t = fragment.load %x : tensor<32x128xf32> -> !fragment.tile<32x128xf32, #lanes>
  return
}

// -----

func.func @blocks(%x: f32) {
  %a = fragment.splat %x : !fragment.tile<32x128xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>
  // expected-error@+1 {{expected a layout for the 128 threads of the block, got 64 of}}
  %b = fragment.splat %x : !fragment.tile<32x128xf32, #fragment.lanes<lanes = [1, 32], warps = [2, 1]>>
  return
}

// -----

func.func @required(%x: f32) attributes {nvvm.reqntid = array<i32: 256>} {
  // expected-error@+1 {{expected a layout for the 256 threads of the block, got 128 of}}
  %a = fragment.splat %x : !fragment.tile<32x128xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>
  return
}

// -----

// expected-error@+1 {{expected threads along x alone, got array<i32: 32, 2>}}
func.func @along_y() attributes {nvvm.reqntid = array<i32: 32, 2>} {
  fragment.barrier
  return
}

// -----

func.func @unknown_threads() {
  // expected-error@+1 {{expected tiles or 'nvvm.reqntid', to know the threads of the block, got neither}}
  fragment.barrier
  return
}

// -----

// What one operation swizzles, the others have to know as such, views or not.
#lanes = #fragment.lanes<lanes = [8, 4], warps = [1, 1]>
func.func @swizzled(%g: memref<16x16xbf16, 1>, %s: memref<32x16xbf16, 3>) {
  %v = memref.subview %s[16, 0] [16, 16] [1, 1]
      : memref<32x16xbf16, 3> to memref<16x16xbf16, strided<[16, 1], offset: 256>, 3>
  // expected-note@+1 {{the other operation}}
  fragment.copy_async %g to %v swizzled
      : memref<16x16xbf16, 1>, memref<16x16xbf16, strided<[16, 1], offset: 256>, 3>
  // expected-error@+1 {{expected swizzled memory as another operation, got the opposite}}
  %t = fragment.load %s : memref<32x16xbf16, 3> -> !fragment.tile<32x16xbf16, #lanes>
  return
}

// -----

#lanes = #fragment.lanes<lanes = [8, 4], warps = [1, 1]>
func.func @other_operation(%s: memref<32x16xf32, 3>, %x: f32, %i: index) {
  // expected-note@+1 {{the other operation}}
  memref.store %x, %s[%i, %i] : memref<32x16xf32, 3>
  // expected-error@+1 {{expected memory that is not swizzled as another operation, got the opposite}}
  %t = fragment.load %s swizzled : memref<32x16xf32, 3> -> !fragment.tile<32x16xf32, #lanes>
  return
}

// -----

func.func @space(%g: memref<16x16xbf16, 1>, %s: memref<16x16xbf16>) {
  // expected-error@+1 {{expected memory in space 3, got 'memref<16x16xbf16>'}}
  fragment.copy_async %g to %s : memref<16x16xbf16, 1>, memref<16x16xbf16>
  return
}
