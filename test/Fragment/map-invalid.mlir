// RUN: delta-opt -split-input-file -verify-diagnostics %s

// C36 and C37: maps.

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @no_result(%t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{expected at least one result, got none}}
  fragment.map %t : (!fragment.tile<32x128xf32, #lanes>) -> () {
  ^bb0(%x: f32):
    fragment.yield
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @shapes(%t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{expected results with the shape and layout of '!fragment.tile<32x128xf32, }}
  %r:2 = fragment.map %t : (!fragment.tile<32x128xf32, #lanes>)
      -> (!fragment.tile<32x128xf32, #lanes>, !fragment.tile<32x1xf32, #lanes>) {
  ^bb0(%x: f32):
    fragment.yield %x, %x : f32, f32
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @larger(%t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{and its sizes or 1, got '!fragment.tile<32x128xf32,}}
  %r = fragment.map %t : (!fragment.tile<32x128xf32, #lanes>) -> !fragment.tile<32x1xf32, #lanes> {
  ^bb0(%x: f32):
    fragment.yield %x : f32
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
#other = #fragment.lanes<lanes = [2, 16], warps = [4, 1]>
func.func @layouts(%t: !fragment.tile<32x128xf32, #other>) {
  // expected-error@+1 {{expected inputs with the layout of '!fragment.tile<32x128xf32, #fragment.lanes<lanes = [1, 32]}}
  %r = fragment.map %t : (!fragment.tile<32x128xf32, #other>) -> !fragment.tile<32x128xf32, #lanes> {
  ^bb0(%x: f32):
    fragment.yield %x : f32
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @arguments(%t: !fragment.tile<32x128xf32, #lanes>) {
  // expected-error@+1 {{expected 1 arguments, got 2}}
  %r = fragment.map %t : (!fragment.tile<32x128xf32, #lanes>) -> !fragment.tile<32x128xf32, #lanes> {
  ^bb0(%x: f32, %y: f32):
    fragment.yield %x : f32
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @yield(%t: !fragment.tile<32x128xf32, #lanes>) {
  %r = fragment.map %t : (!fragment.tile<32x128xf32, #lanes>) -> !fragment.tile<32x128xbf16, #lanes> {
  ^bb0(%x: f32):
    // expected-error@+1 {{expected value 0 of 'bf16', got 'f32'}}
    fragment.yield %x : f32
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @memory(%t: !fragment.tile<32x128xf32, #lanes>, %m: memref<f32>) {
  %r = fragment.map %t : (!fragment.tile<32x128xf32, #lanes>) -> !fragment.tile<32x128xf32, #lanes> {
  ^bb0(%x: f32):
    // expected-error@+1 {{expected no effect on memory in a fragment.map}}
    %y = memref.load %m[] : memref<f32>
    fragment.yield %y : f32
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @tensor(%t: !fragment.tile<32x128xf32, #lanes>, %m: tensor<f32>) {
  %r = fragment.map %t : (!fragment.tile<32x128xf32, #lanes>) -> !fragment.tile<32x128xf32, #lanes> {
  ^bb0(%x: f32):
    // expected-error@+1 {{expected scalars in a fragment.map}}
    %y = tensor.extract %m[] : tensor<f32>
    fragment.yield %y : f32
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
func.func @index(%t: !fragment.tile<32x128xf32, #lanes>) {
  %r = fragment.map %t : (!fragment.tile<32x128xf32, #lanes>) -> !fragment.tile<32x128xf32, #lanes> {
  ^bb0(%x: f32):
    // expected-error@+1 {{expected dimension 0 or 1, got -1}}
    %i = fragment.index -1
    fragment.yield %x : f32
  }
  return
}
