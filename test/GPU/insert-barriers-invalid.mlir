// RUN: delta-opt %s -deltanet-gpu-insert-barriers -split-input-file -verify-diagnostics

// What an operation does to memory is known, or it does not stand in a block.

func.func private @known()
func.func private @f(memref<64xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<64xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) {
  // expected-error@+1 {{'func.call' op expected an operation whose effects on memory are known in the code of a block}}
  func.call @known() : () -> ()
  return
}

// -----

func.func private @f(memref<64xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<64xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  // expected-error@+1 {{'scf.parallel' op expected an operation whose effects on memory are known in the code of a block}}
  scf.parallel (%i) = (%begin) to (%end) step (%c1) {
    memref.store %v, %x[%i] : memref<64xf32, 1>
  }
  return
}

// -----

func.func private @f(memref<64xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<64xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) {
  // expected-error@+1 {{'gpu.barrier' op expected an operation whose effects on memory are known in the code of a block}}
  gpu.barrier
  return
}

// -----

// A barrier of some warps is none for the block.

func.func private @f(memref<64xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<64xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) {
  %id = arith.constant 1 : i32
  %some = arith.constant 64 : i32
  // expected-error@+1 {{'nvvm.barrier' op expected an operation whose effects on memory are known in the code of a block}}
  nvvm.barrier id = %id number_of_threads = %some
  return
}

// -----

// An operation of linalg tells what it does to its operands, not what its body
// does besides.

func.func private @f(memref<64xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<64xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) {
  // expected-error@+1 {{'linalg.generic' op expected an operation whose effects on memory are known in the code of a block}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      outs(%x : memref<64xf32, 1>) {
  ^bb0(%out: f32):
    %v = memref.load %x[%begin] : memref<64xf32, 1>
    linalg.yield %v : f32
  }
  return
}

// -----

// Which memory is touched, too.

func.func private @f(memref<64xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<64xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) {
  %v = memref.load %x[%begin] : memref<64xf32, 1>
  // expected-error@+1 {{'vector.print' op expected an operation that tells which memory it touches in the code of a block}}
  vector.print %v : f32
  return
}

// -----

// No barrier brings what is not waited for, nor does a wait bring what is no group.

!slot = memref<16x128xf32, 3>
func.func private @f(memref<16x128xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<16x128xf32, 1>, %w: memref<?xi8, 1>, %s: memref<8192xi8, 3>,
    %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<8192xi8, 3> to !slot
  fragment.copy_async %x to %a alignment 16 : memref<16x128xf32, 1>, !slot
  fragment.commit
  nvvm.barrier
  // expected-error@+1 {{'memref.load' op expected a fragment.wait before memory of a copy is touched}}
  %v = memref.load %a[%c0, %c0] : !slot
  return
}

// -----

!slot = memref<16x128xf32, 3>
func.func private @f(memref<16x128xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<16x128xf32, 1>, %w: memref<?xi8, 1>, %s: memref<8192xi8, 3>,
    %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %s[%c0][] : memref<8192xi8, 3> to !slot
  scf.for %i = %begin to %end step %c1 {
    // expected-error@+1 {{'linalg.fill' op expected a fragment.wait before memory of a copy is touched}}
    linalg.fill ins(%zero : f32) outs(%a : !slot)
    fragment.copy_async %x to %a alignment 16 : memref<16x128xf32, 1>, !slot
    fragment.wait 0
  }
  return
}
