// RUN: delta-opt %s -deltanet-assign-layouts | FileCheck %s

// A function without phases stays as it is.

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%a: tensor<16xf32>) -> tensor<16xf32> {
  return %a : tensor<16xf32>
}
