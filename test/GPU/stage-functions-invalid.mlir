// What every pass on the functions of stages expects of a kernel.

// RUN: delta-opt %s -deltanet-gpu-map-to-blocks -split-input-file -verify-diagnostics
// RUN: delta-opt %s -deltanet-gpu-insert-barriers -split-input-file -verify-diagnostics
// RUN: delta-opt %s -deltanet-gpu-distribute-to-threads -split-input-file -verify-diagnostics
// RUN: delta-opt %s -deltanet-gpu-version-by-alignment -split-input-file -verify-diagnostics

// expected-error@+1 {{expected names of functions in 'deltanet.stages', got unit}}
func.func private @f() attributes {deltanet.stages}

// -----

// expected-error@+1 {{expected names of functions in 'deltanet.stages', got ["f.stage0"]}}
func.func private @f() attributes {deltanet.stages = ["f.stage0"]}

// -----

// expected-error@+1 {{expected names of functions in 'deltanet.stages', got [@f::@stage0]}}
func.func private @f() attributes {deltanet.stages = [@f::@stage0]}

// -----

// expected-error@+1 {{expected a function for the stage @nowhere, got none}}
func.func private @f() attributes {deltanet.stages = [@nowhere]}

// -----

memref.global "private" @memory : memref<4xf32>
// expected-error@+1 {{expected a function for the stage @memory, got none}}
func.func private @f() attributes {deltanet.stages = [@memory]}

// -----

// expected-error@+1 {{expected a function for each stage, got @f.stage0 again}}
func.func private @f() attributes {deltanet.stages = [@f.stage0, @f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>,
                deltanet.threads = 32 : i64} {
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{expected a function for each stage, got @f.stage0 again}}
func.func private @g() attributes {deltanet.stages = [@f.stage0]}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16, state = registers, warps = 1>,
                deltanet.threads = 32 : i64} {
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{expected the function of a stage, of one block with workspace, scratch, begin and end after the arguments of the kernel, got a declaration}}
func.func private @f.stage0(memref<?xi8>, memref<64xi8>, index, index)

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{begin and end after the arguments of the kernel, got several blocks}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index) {
  cf.br ^next
^next:
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{begin and end after the arguments of the kernel, got '(memref<?xi8>, memref<64xi8>, index, index) -> index'}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index) -> index {
  return %end : index
}

// -----

// Of a kernel with an argument more, none at all, others, and itself.

func.func private @f(index) attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{begin and end after the arguments of the kernel, got '(memref<?xi8>, memref<64xi8>, index, index) -> ()'}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: index) {
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{begin and end after the arguments of the kernel, got '() -> ()'}}
func.func private @f.stage0() {
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{begin and end after the arguments of the kernel, got '(memref<?xi8>, index, index, index) -> ()'}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: index, %begin: index, %end: index) {
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{begin and end after the arguments of the kernel, got '(memref<?xi8>, memref<64xf32>, index, index) -> ()'}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xf32>, %begin: index, %end: index) {
  return
}

// -----

func.func private @f() attributes {deltanet.stages = [@f.stage0]}
// expected-error@+1 {{begin and end after the arguments of the kernel, got '(memref<?xi8>, memref<64xi8>, index, i64) -> ()'}}
func.func private @f.stage0(
    %w: memref<?xi8>, %s: memref<64xi8>, %begin: index, %end: i64) {
  return
}

// -----

// expected-error@+1 {{begin and end after the arguments of the kernel, got a declaration}}
func.func private @f(memref<?xi8>) attributes {deltanet.stages = [@f]}
