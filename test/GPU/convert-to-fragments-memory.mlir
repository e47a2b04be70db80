// What is no tile goes through memory, and stays as it is.

// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments -split-input-file | FileCheck %s

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = vk, h = 1,
                           hv = 1, k = 16, v = 32, io = f32, scale = 1.0 : f32>
#schedule = #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 1>
#element = affine_map<(i) -> (i)>
#last = affine_map<(i) -> (15 - i)>

// Only a copy between a state and the final one, as of a sequence without tokens.

// CHECK-LABEL: func.func @no_tokens
// CHECK-SAME: %[[IN:[a-z0-9]+]]: tensor<1x32x16xf32>
// CHECK: %[[FROM:.+]] = tensor.extract_slice %[[IN]]
// CHECK: %[[T:.+]] = fragment.load %[[FROM]] : tensor<32x16xf32> -> <32x16xf32
// CHECK: fragment.store %[[T]], %{{.*}} : <32x16xf32, {{.*}}, tensor<32x16xf32>
// CHECK-NOT: deltanet.token_step
// CHECK: return
func.func @no_tokens(%in: tensor<1x32x16xf32>, %q: tensor<16xf32>, %v: tensor<1x32xf32>,
                     %f: tensor<1x2xf32>, %x: f32, %od: tensor<1x32xf32>,
                     %sd: tensor<1x32x16xf32>)
    -> (tensor<1x32xf32>, tensor<1x32x16xf32>) attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.forall (%i) in (1) shared_outs(%oa = %od, %sa = %sd)
      -> (tensor<1x32xf32>, tensor<1x32x16xf32>) {
    %initial = linalg.copy ins(%in : tensor<1x32x16xf32>)
        outs(%sa : tensor<1x32x16xf32>) -> tensor<1x32x16xf32>
    %t:2 = scf.for %token = %c0 to %c0 step %c1 iter_args(%o = %oa, %state = %initial)
        -> (tensor<1x32xf32>, tensor<1x32x16xf32>) {
      %out, %new = deltanet.token_step vk state(%state) key(%q) query(%q) values(%v)
          factors(%f) product(%x) scale(%x) outs(%o, %state)
          : (tensor<1x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>,
             tensor<1x2xf32>, f32, f32, tensor<1x32xf32>, tensor<1x32x16xf32>)
          -> (tensor<1x32xf32>, tensor<1x32x16xf32>)
      scf.yield %out, %new : tensor<1x32xf32>, tensor<1x32x16xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t#0 into %oa[0, 0] [1, 32] [1, 1]
          : tensor<1x32xf32> into tensor<1x32xf32>
      tensor.parallel_insert_slice %t#1 into %sa[0, 0, 0] [1, 32, 16] [1, 1, 1]
          : tensor<1x32x16xf32> into tensor<1x32x16xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r#0, %r#1 : tensor<1x32xf32>, tensor<1x32x16xf32>
}

// Operations that take other elements than those at their place, know where they
// are, or have others than numbers, are no maps; nor is a dot product in bf16.

// CHECK-LABEL: func.func @no_maps
// CHECK: %[[REVERSED:.+]] = linalg.generic
// CHECK: linalg.generic
// CHECK:   linalg.index 0
// CHECK: %[[LOOKED_UP:.+]] = linalg.generic
// CHECK:   tensor.extract
// CHECK: linalg.dot
// CHECK: fragment.load %[[REVERSED]] dims [1] : tensor<16xf32> -> <1x16xf32
// CHECK: fragment.load %[[LOOKED_UP]] dims [1] : tensor<16xf32> -> <1x16xf32
// CHECK-NOT: linalg
// CHECK: return
func.func @no_maps(%in: tensor<1x32x16xf32>, %q: tensor<16xf32>, %b: tensor<16xbf16>,
                   %f: tensor<1x2xf32>, %n: tensor<16xi32>, %table: tensor<16xf32>,
                   %x: f32, %d: tensor<f32>, %v: tensor<1x32xf32>, %od: tensor<1x32xf32>)
    -> tensor<1x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%oa = %od) -> (tensor<1x32xf32>) {
    %0 = bufferization.alloc_tensor() : tensor<16xf32>
    %reversed = linalg.generic {indexing_maps = [#last, #element],
                                iterator_types = ["parallel"]}
        ins(%q : tensor<16xf32>) outs(%0 : tensor<16xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<16xf32>
    %1 = bufferization.alloc_tensor() : tensor<16xf32>
    %numbered = linalg.generic {indexing_maps = [#element, #element],
                                iterator_types = ["parallel"]}
        ins(%n : tensor<16xi32>) outs(%1 : tensor<16xf32>) {
    ^bb0(%a: i32, %o: f32):
      %c = linalg.index 0 : index
      %s = arith.index_cast %c : index to i32
      %t = arith.addi %a, %s : i32
      %u = arith.sitofp %t : i32 to f32
      linalg.yield %u : f32
    } -> tensor<16xf32>
    %2 = bufferization.alloc_tensor() : tensor<16xf32>
    %looked_up = linalg.generic {indexing_maps = [#element, #element],
                                 iterator_types = ["parallel"]}
        ins(%numbered : tensor<16xf32>) outs(%2 : tensor<16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %c = arith.fptoui %a : f32 to i32
      %s = arith.index_castui %c : i32 to index
      %t = tensor.extract %table[%s] : tensor<16xf32>
      linalg.yield %t : f32
    } -> tensor<16xf32>
    %dot = linalg.dot ins(%b, %b : tensor<16xbf16>, tensor<16xbf16>)
        outs(%d : tensor<f32>) -> tensor<f32>
    %product = tensor.extract %dot[] : tensor<f32>
    %out = deltanet.token_step vk state(%in) key(%reversed) query(%looked_up) values(%v)
        factors(%f) product(%product) scale(%x) outs(%oa)
        : (tensor<1x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>,
           tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %out into %oa[0, 0] [1, 32] [1, 1]
          : tensor<1x32xf32> into tensor<1x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<1x32xf32>
}

// A copy converts, where its types differ.

// CHECK-LABEL: func.func @conversion
// CHECK: %[[B:.+]] = fragment.load %{{.*}} dims [1] : tensor<16xbf16> -> <1x16xbf16
// CHECK: fragment.map %[[B]] : (!fragment.tile<1x16xbf16, {{.*}}) -> !fragment.tile<1x16xf32
// CHECK:   arith.extf
// CHECK-NOT: linalg
// CHECK: return
func.func @conversion(%in: tensor<1x32x16xf32>, %b: tensor<16xbf16>, %f: tensor<1x2xf32>,
                      %x: f32, %v: tensor<1x32xf32>, %od: tensor<1x32xf32>)
    -> tensor<1x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%oa = %od) -> (tensor<1x32xf32>) {
    %0 = bufferization.alloc_tensor() : tensor<16xf32>
    %q = linalg.copy ins(%b : tensor<16xbf16>) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
    %out = deltanet.token_step vk state(%in) key(%q) query(%q) values(%v)
        factors(%f) product(%x) scale(%x) outs(%oa)
        : (tensor<1x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>,
           tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %out into %oa[0, 0] [1, 32] [1, 1]
          : tensor<1x32xf32> into tensor<1x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<1x32xf32>
}

// Loops of other schedules, and functions that are no kernels.

// CHECK-LABEL: func.func @chunked
// CHECK: bufferization.alloc_tensor
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK-NOT: fragment.
// CHECK-LABEL: func.func @helper
// CHECK-NEXT: deltanet.token_step
func.func @chunked(%k: tensor<16x16xf32>, %od: tensor<16x16xf32>) -> tensor<16x16xf32>
    attributes {deltanet.kernel = #kernel} {
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (1) shared_outs(%oa = %od) -> (tensor<16x16xf32>) {
    %0 = bufferization.alloc_tensor() : tensor<16x16xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %2 = linalg.matmul ins(%k, %k : tensor<16x16xf32>, tensor<16x16xf32>)
        outs(%1 : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %oa[0, 0] [16, 16] [1, 1]
          : tensor<16x16xf32> into tensor<16x16xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<chunked, value_slice = 64, staging = two_stage, matrix = mma, warps = 4>}
  return %r : tensor<16x16xf32>
}
func.func @helper(%in: tensor<1x32x16xf32>, %q: tensor<16xf32>, %f: tensor<1x2xf32>,
                  %x: f32, %v: tensor<1x32xf32>, %od: tensor<1x32xf32>)
    -> tensor<1x32xf32> {
  %out = deltanet.token_step vk state(%in) key(%q) query(%q) values(%v)
      factors(%f) product(%x) scale(%x) outs(%od)
      : (tensor<1x32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x32xf32>,
         tensor<1x2xf32>, f32, f32, tensor<1x32xf32>) -> tensor<1x32xf32>
  return %out : tensor<1x32xf32>
}
