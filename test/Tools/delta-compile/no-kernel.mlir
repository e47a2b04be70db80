// RUN: not delta-compile %s --isa=generic -o %t.o 2>&1 | FileCheck %s
// RUN: echo 'module {}' | not delta-compile - --from=llvm --isa=generic -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo 'module {} loc(unknown)' | not delta-compile - --from=llvm --isa=generic -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: no-kernel.mlir:[[#@LINE+2]]:1: error: expected a delta_rule in a kernel, got none
// NONE: <stdin>:1:1: error: expected at least one kernel of the stage 'llvm', got none
func.func @other(%x: f32) -> f32 {
  return %x : f32
}
