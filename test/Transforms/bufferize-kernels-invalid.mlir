// RUN: delta-opt %s -deltanet-bufferize-kernels -split-input-file -verify-diagnostics

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

// %x1 is read after its successor %y was made.
func.func @not_carried(%o: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {deltanet.kernel = #kernel} {
  %one = arith.constant 1.0 : f32
  %r = scf.forall (%i) in (1) shared_outs(%oo = %o) -> (tensor<?x1x16xf32>) {
    // expected-note @+1 {{the copied tensor is made here}}
    %x = bufferization.alloc_tensor() : tensor<16x16xf32>
    %x1 = linalg.fill ins(%one : f32) outs(%x : tensor<16x16xf32>) -> tensor<16x16xf32>
    // expected-error @+1 {{expected every tensor to be updated in place, got a copy of 'memref<16x16xf32>' to 'memref<16x16xf32>'}}
    %y = tensor.insert %one into %x1[%i, %i] : tensor<16x16xf32>
    %s = tensor.extract_slice %oo[0, 0, 0] [16, 1, 16] [1, 1, 1] : tensor<?x1x16xf32> to tensor<16x16xf32>
    %z = linalg.add ins(%x1, %y : tensor<16x16xf32>, tensor<16x16xf32>) outs(%s : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %oo[0, 0, 0] [16, 1, 16] [1, 1, 1] : tensor<16x16xf32> into tensor<?x1x16xf32>
    }
  }
  return %r : tensor<?x1x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

func.func @dynamic_scratch(%o: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %t = tensor.dim %o, %c0 : tensor<?x1x16xf32>
  %r = scf.forall (%i) in (1) shared_outs(%oo = %o) -> (tensor<?x1x16xf32>) {
    // expected-error @+1 {{expected scratch of a static size in a parallel loop, got 'memref<?x16xf32>'}}
    %x = bufferization.alloc_tensor(%t) : tensor<?x16xf32>
    %x1 = linalg.fill ins(%one : f32) outs(%x : tensor<?x16xf32>) -> tensor<?x16xf32>
    %s = tensor.extract_slice %oo[0, 0, 0] [%t, 1, 16] [1, 1, 1] : tensor<?x1x16xf32> to tensor<?x16xf32>
    %z = linalg.exp ins(%x1 : tensor<?x16xf32>) outs(%s : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %oo[0, 0, 0] [%t, 1, 16] [1, 1, 1] : tensor<?x16xf32> into tensor<?x1x16xf32>
    }
  }
  return %r : tensor<?x1x16xf32>
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

func.func @other_result(%o: tensor<?x1x16xf32> {deltanet.role = #deltanet<role o>})
    -> tensor<?x1x16xf32> attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %o, %c0 : tensor<?x1x16xf32>
  // expected-note @+1 {{the buffer is made here}}
  %x = bufferization.alloc_tensor(%t) : tensor<?x1x16xf32>
  // expected-error @+1 {{expected result 0 to be argument 0 updated in place, got another buffer}}
  return %x : tensor<?x1x16xf32>
}
