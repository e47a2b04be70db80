// RUN: delta-opt %s -deltanet-gpu-map-to-blocks -split-input-file -verify-diagnostics

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{expected a schedule with warps for a GPU, got none}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index) {
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{expected a schedule with warps for a GPU, got #deltanet.schedule<recurrent, tokens = 2>}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, tokens = 2>} {
  return
}

// -----

// Memory that is no argument, nor a view of one that is known here.

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  // expected-error@+1 {{'memref.alloc' op expected memory of a block as views of its arguments, got another buffer}}
  %m = memref.alloc() : memref<4xf32>
  return
}

// -----

memref.global "private" constant @numbers : memref<4xf32> = dense<1.0>
func.func private @f() attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  // expected-error@+1 {{'memref.get_global' op expected memory of a block as views of its arguments, got another buffer}}
  %m = memref.get_global @numbers : memref<4xf32>
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %some = arith.cmpi ult, %i, %c1 : index
    scf.if %some {
      // expected-error@+1 {{'memref.alloca' op expected memory of a block as views of its arguments, got another buffer}}
      %m = memref.alloca() : memref<4xf32>
    }
  }
  return
}

// -----

// Either of two, or of a rank that is not known.

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<64xi8> to memref<4xf32>
  %b = memref.view %w[%c0][] : memref<?xi8> to memref<4xf32>
  %some = arith.cmpi ult, %begin, %end : index
  // expected-error@+1 {{'scf.if' op expected memory of a block as views of its arguments, got another buffer}}
  %m = scf.if %some -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  return
}

// -----

func.func private @f(memref<*xf32>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<*xf32>, %w: memref<?xi8>, %s: memref<64xi8>, %begin: index,
    %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  // expected-error@+1 {{'memref.cast' op expected memory of a block as views of its arguments, got another buffer}}
  %m = memref.cast %x : memref<*xf32> to memref<4xf32>
  return
}

// -----

func.func private @f(memref<4xf32>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<4xf32>, %w: memref<?xi8>, %s: memref<64xi8>, %begin: index,
    %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  // expected-error@+1 {{'memref.cast' op expected memory of a block as views of its arguments, got another buffer}}
  %m = memref.cast %x : memref<4xf32> to memref<*xf32>
  return
}

// -----

func.func private @f(memref<4xf32>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<4xf32>, %w: memref<?xi8>, %s: memref<64xi8>, %begin: index,
    %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  // expected-error@+1 {{'memref.extract_strided_metadata' op expected memory of a block as views of its arguments, got another buffer}}
  %base, %offset, %size, %stride = memref.extract_strided_metadata %x
      : memref<4xf32> -> memref<f32>, index, index, index
  return
}

// -----

// A loop that goes on with memory of another space is none.

func.func private @f(memref<4xf32>) attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %x: memref<4xf32>, %w: memref<?xi8>, %s: memref<64xi8>, %begin: index,
    %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.view %s[%c0][] : memref<64xi8> to memref<4xf32>
  // expected-error@+1 {{have different type: 'memref<4xf32, 1>' != 'memref<4xf32, 3>'}}
  %m = scf.for %i = %begin to %end step %c1 iter_args(%b = %x) -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  }
  return
}
