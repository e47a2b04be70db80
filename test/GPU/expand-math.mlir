// RUN: delta-opt %s --deltanet-gpu-expand-math --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>)
// CHECK:         %[[HIGH:.*]] = arith.constant dense<1.44269502> : vector<4xf32>
// CHECK:         %[[T:.*]] = arith.mulf %[[X]], %[[HIGH]]
// CHECK:         %[[MINUS:.*]] = arith.negf %[[T]]
// CHECK:         %[[E:.*]] = math.fma %[[X]], %[[HIGH]], %[[MINUS]]
// CHECK:         %[[LOW:.*]] = arith.constant dense<1.92596303E-8> : vector<4xf32>
// CHECK:         %[[ERROR:.*]] = math.fma %[[X]], %[[LOW]], %[[E]]
// CHECK:         %[[POWER:.*]] = math.exp2 %[[T]]
// CHECK:         %[[CHANGE:.*]] = arith.mulf %[[ERROR]], %{{.*}}
// CHECK:         %[[Y:.*]] = math.fma %[[POWER]], %[[CHANGE]], %[[POWER]]
// CHECK:         %[[IN:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK:         %[[R:.*]] = arith.select %[[IN]], %[[Y]], %[[POWER]]
// CHECK:         return %[[R]]
func.func @row(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.exp %x : vector<4xf32>
  return %y : vector<4xf32>
}

// The nearest TF32, but not one of fewer bits, or without care for NaN.
// CHECK-LABEL: func.func @tf32(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK:         %[[R:.*]] = nvvm.convert.float.to.tf32 %[[X]] {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK-NEXT:    %[[Y:.*]] = arith.bitcast %[[R]] : i32 to f32
// CHECK-NOT:     nvvm
// CHECK:         return %[[Y]]
func.func @tf32(%x: f32) -> (f32, f32, f32) {
  %half = arith.constant 4096 : i32
  %kept = arith.constant -8192 : i32
  %fewer = arith.constant -16384 : i32
  %zero = arith.constant 0.0 : f32
  %bits = arith.bitcast %x : f32 to i32
  %sum = arith.addi %bits, %half : i32
  %cut = arith.andi %sum, %kept : i32
  %rounded = arith.bitcast %cut : i32 to f32
  %is_nan = arith.cmpf uno, %x, %x : f32
  %y = arith.select %is_nan, %x, %rounded : f32
  %short = arith.andi %sum, %fewer : i32
  %less = arith.bitcast %short : i32 to f32
  %z = arith.select %is_nan, %x, %less : f32
  %is_other = arith.cmpf uno, %x, %zero : f32
  %w = arith.select %is_other, %x, %rounded : f32
  return %y, %z, %w : f32, f32, f32
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK-NOT:     math.rsqrt
// CHECK:         %[[ROOT:.*]] = math.sqrt
// CHECK:         arith.divf %{{.*}}, %[[ROOT]] : f32
func.func @rsqrt(%x: f32) -> f32 {
  %y = math.rsqrt %x : f32
  return %y : f32
}

// One instruction each.
// CHECK-LABEL: func.func @kept(
// CHECK:         math.exp2
// CHECK:         math.absf
// CHECK:         math.copysign
func.func @kept(%x: f32) -> f32 {
  %a = math.exp2 %x : f32
  %b = math.absf %a : f32
  %c = math.copysign %b, %x : f32
  return %c : f32
}

// -----

func.func @call(%x: f32) -> f32 {
  // expected-error@+1 {{expected only exp, exp2, rsqrt, fma, sqrt, absf or copysign on f32 in a kernel of a GPU, got this operation on 'f32'}}
  %y = math.log %x : f32
  return %y : f32
}

// -----

func.func @narrow(%x: vector<2xbf16>) -> vector<2xbf16> {
  // expected-error@+1 {{got this operation on 'vector<2xbf16>'}}
  %y = math.exp %x : vector<2xbf16>
  return %y : vector<2xbf16>
}
