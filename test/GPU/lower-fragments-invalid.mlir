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
