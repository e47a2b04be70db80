// RUN: delta-opt %s --deltanet-cpu-expand-exp --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %[[X:.*]]: vector<8xf32>)
// CHECK:         %[[SUM:.*]] = math.fma %[[X]], %{{.*}}, %[[ROUNDER:.*]] : vector<8xf32>
// CHECK:         %[[N:.*]] = arith.subf %[[SUM]], %
// CHECK-COUNT-8: math.fma %{{.*}} : vector<8xf32>
// CHECK-NOT:     math.fma
// CHECK:         arith.shli %{{.*}} : vector<8xi32>
// CHECK:         %[[LOW:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : vector<8xf32>
// CHECK:         arith.select %[[LOW]]
// CHECK:         %[[HIGH:.*]] = arith.cmpf ugt, %[[X]], %{{.*}} : vector<8xf32>
// CHECK:         %[[Y:.*]] = arith.select %[[HIGH]]
// CHECK:         return %[[Y]]
func.func @row(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @scalar_and_matrix(
// CHECK-NOT:     math.exp
// CHECK:         math.fma %{{.*}} : f32
// CHECK:         math.fma %{{.*}} : vector<2x4xf32>
func.func @scalar_and_matrix(%x: f32, %m: vector<2x4xf32>)
    -> (f32, vector<2x4xf32>) {
  %y = math.exp %x : f32
  %n = math.exp %m : vector<2x4xf32>
  return %y, %n : f32, vector<2x4xf32>
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK-NOT:     math.rsqrt
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[ROOT:.*]] = math.sqrt
// CHECK:         arith.divf %[[ONE]], %[[ROOT]] : f32
func.func @rsqrt(%x: f32) -> f32 {
  %y = math.rsqrt %x : f32
  return %y : f32
}

// What is one instruction stays.
// CHECK-LABEL: func.func @instructions(
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    math.absf
// CHECK-NEXT:    math.fma
func.func @instructions(%x: f32) -> f32 {
  %a = math.sqrt %x : f32
  %b = math.absf %a : f32
  %c = math.fma %b, %b, %x : f32
  return %c : f32
}

// -----

func.func @log(%x: f32) -> f32 {
  // expected-error@+1 {{'math.log' op expected only exp and rsqrt on f32, fma, sqrt, absf or copysign in a kernel, got this operation on 'f32'}}
  %y = math.log %x : f32
  return %y : f32
}

// -----

func.func @double(%x: f64) -> f64 {
  // expected-error@+1 {{got this operation on 'f64'}}
  %y = math.exp %x : f64
  return %y : f64
}
