// Parallel loops on memory pass, those with results do not.
// RUN: not delta-opt %s --deltanet-verify-loops-on-memory -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: error:
// CHECK: verify-loops-on-memory.mlir:[[@LINE+12]]:10: error: 'scf.forall' op expected parallel loops on memory, got one with 2 results
// CHECK-NOT: error:

func.func @memory(%m: memref<4xf32>, %x: f32) {
  scf.forall (%i) in (4) {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}

func.func @values(%a: tensor<4xf32>, %b: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = scf.forall (%i) in (4) shared_outs(%o = %a, %p = %b)
      -> (tensor<4xf32>, tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %p[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
