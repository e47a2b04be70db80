// With copies allowed, what could not be updated in place is copied.
// RUN: delta-opt %s -deltanet-bufferize-kernels=allow-copies | FileCheck %s

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

// %x1 is read after its successor %y was made.
// CHECK-LABEL: func.func @not_carried(
// CHECK-SAME:    %[[O:[a-z0-9]+]]: memref<?x1x16xf32
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[X:.*]] : memref<16x16xf32>)
// CHECK:         linalg.copy ins(%[[X]] : memref<16x16xf32>) outs(%[[Y:.*]] : memref<16x16xf32>)
// CHECK:         memref.store %{{.*}}, %[[Y]]
// CHECK-NOT:     memref.copy
func.func @not_carried(%o: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {deltanet.kernel = #kernel} {
  %one = arith.constant 1.0 : f32
  %r = scf.forall (%i) in (1) shared_outs(%oo = %o) -> (tensor<?x1x16xf32>) {
    %x = bufferization.alloc_tensor() : tensor<16x16xf32>
    %x1 = linalg.fill ins(%one : f32) outs(%x : tensor<16x16xf32>) -> tensor<16x16xf32>
    %y = tensor.insert %one into %x1[%i, %i] : tensor<16x16xf32>
    %s = tensor.extract_slice %oo[0, 0, 0] [16, 1, 16] [1, 1, 1] : tensor<?x1x16xf32> to tensor<16x16xf32>
    %z = linalg.add ins(%x1, %y : tensor<16x16xf32>, tensor<16x16xf32>) outs(%s : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %oo[0, 0, 0] [16, 1, 16] [1, 1, 1] : tensor<16x16xf32> into tensor<?x1x16xf32>
    }
  }
  return %r : tensor<?x1x16xf32>
}

// A result that is no destination is copied there.
// CHECK-LABEL: func.func @elsewhere(
// CHECK-SAME:    %[[O:[a-z0-9]+]]: memref<16x1x16xf32
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[X:.*]] : memref<16x1x16xf32>)
// CHECK:         linalg.copy ins(%[[X]] : memref<16x1x16xf32>) outs(%[[O]] : memref<16x1x16xf32
// CHECK-NEXT:    return
func.func @elsewhere(%o: tensor<16x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<16x1x16xf32> attributes {deltanet.kernel = #kernel} {
  %one = arith.constant 1.0 : f32
  %x = bufferization.alloc_tensor() : tensor<16x1x16xf32>
  %y = linalg.fill ins(%one : f32) outs(%x : tensor<16x1x16xf32>) -> tensor<16x1x16xf32>
  return %y : tensor<16x1x16xf32>
}
