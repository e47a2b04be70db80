// RUN: not delta-compile %s --isa=generic -o %t.o 2>&1 | FileCheck %s

// CHECK: no-kernel.mlir:{{[0-9]+}}:{{[0-9]+}}: error: expected at least one kernel, got none
func.func @other(%x: f32) -> f32 {
  return %x : f32
}
