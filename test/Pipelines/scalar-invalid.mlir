// A module of another stage is refused before anything is lowered.
// RUN: not delta-opt %s --deltanet-scalar-from-buffers 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not delta-opt %s --deltanet-scalar-from-vectors 2>&1 | FileCheck %s --check-prefix=LOOP
// STAGE: scalar-invalid.mlir:[[@LINE+5]]:7: error: 'tensor.parallel_insert_slice' op expected only operations of the stage 'buffers', got one of the dialect 'tensor'
// LOOP: scalar-invalid.mlir:[[@LINE+2]]:8: error: 'scf.forall' op expected parallel loops on memory, got one with 1 results
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %a) -> tensor<4xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
