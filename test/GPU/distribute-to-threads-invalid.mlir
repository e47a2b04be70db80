// RUN: delta-opt %s -deltanet-gpu-distribute-to-threads -split-input-file -verify-diagnostics

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{expected the threads of a block in 'deltanet.threads', got none}}
func.func private @f.stage0(
    %w: memref<?xi8, 1>, %s: memref<64xi8, 3>, %begin: index, %end: index) {
  return
}

// -----

// Code that was shared out already would run in the first thread alone.

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8, 1>, %s: memref<64xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  // expected-error@+1 {{'nvvm.read.ptx.sreg.tid.x' op expected code of a block, got that of a thread}}
  %t = nvvm.read.ptx.sreg.tid.x : i32
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8, 1>, %s: memref<64xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{'fragment.splat' op expected tiles of 64 threads, got '!fragment.tile<1x128xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>'}}
  %t = fragment.splat %zero
      : !fragment.tile<1x128xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>
  return
}

// -----

func.func private @f(tensor<4xf32>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: tensor<4xf32>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>, %begin: index,
    %end: index) attributes {deltanet.threads = 32 : i64} {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{'linalg.fill' op expected memory to share, got tensors}}
  %y = linalg.fill ins(%zero : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Writes that all threads would do.

func.func private @f(memref<4xf32, 1>, memref<4xf32, 1>)
    attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<4xf32, 1>, %y: memref<4xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<64xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  // expected-error@+1 {{'memref.copy' op expected a write of memory that threads can share: of linalg, a fragment or a single number}}
  memref.copy %x, %y : memref<4xf32, 1> to memref<4xf32, 1>
  return
}

// -----

func.func private @f(memref<4xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<4xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) attributes {deltanet.threads = 32 : i64} {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{'memref.atomic_rmw' op expected a write of memory that threads can share: of linalg, a fragment or a single number}}
  %old = memref.atomic_rmw addf %one, %x[%begin] : (f32, memref<4xf32, 1>) -> f32
  return
}

// -----

func.func private @f(memref<4xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<4xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) attributes {deltanet.threads = 32 : i64} {
  %ones = arith.constant dense<1.0> : vector<4xf32>
  // expected-error@+1 {{'vector.store' op expected a write of memory that threads can share: of linalg, a fragment or a single number}}
  vector.store %ones, %x[%begin] : memref<4xf32, 1>, vector<4xf32>
  return
}

// -----

// Elements that one thread computes together are known, and not all.

func.func private @f(memref<?xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<?xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) attributes {deltanet.threads = 32 : i64} {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{'linalg.fill' op expected a last parallel dimension of a static size beside others for 'deltanet.together', got none}}
  linalg.fill {deltanet.together} ins(%one : f32) outs(%x : memref<?xf32, 1>)
  return
}

// -----

func.func private @f(memref<4xf32, 1>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<4xf32, 1>, %w: memref<?xi8, 1>, %s: memref<64xi8, 3>,
    %begin: index, %end: index) attributes {deltanet.threads = 32 : i64} {
  // expected-error@+1 {{'linalg.generic' op expected results that no reduced dimension numbers, got one that dimension 0 does}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["reduction"]}
      outs(%x : memref<4xf32, 1>) {
  ^bb0(%old: f32):
    linalg.yield %old : f32
  }
  return
}
