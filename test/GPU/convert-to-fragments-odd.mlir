// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments | FileCheck %s

// Products and what is around them in other forms than a chunk has.

#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>

// An operand that is no tile and that this work item made is not there before: it goes
// to shared memory by rows, where the product is.

// CHECK-LABEL: func.func @made_here
// CHECK: %[[H:.+]] = linalg.generic
// CHECK: %[[ROWS:.+]] = fragment.load %[[H]] : tensor<32x32xf16> -> <32x32xf16, #[[LANES:.+]]>
// CHECK: %[[SHARED:.+]] = fragment.store %[[ROWS]], %{{.*}} swizzled
// CHECK: fragment.mma %{{.*}}, %[[SHARED]], %{{.*}}
// CHECK: return
func.func @made_here(%a: tensor<32x32xf16>, %m: tensor<32x32xi1>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %h0 = bufferization.alloc_tensor() : tensor<32x32xf16>
    %h = linalg.generic {indexing_maps = [#same, #same, #same],
                           iterator_types = ["parallel", "parallel"]}
        ins(%a, %m : tensor<32x32xf16>, tensor<32x32xi1>) outs(%h0 : tensor<32x32xf16>) {
    ^bb0(%e: f16, %keep: i1, %old: f16):
      %q = arith.select %keep, %e, %old : f16
      linalg.yield %q : f16
    } -> tensor<32x32xf16>
    %x = linalg.matmul ins(%h, %h : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// So does one that a loop made, or what the loop over work items gives.

// CHECK-LABEL: func.func @made_by_loop
// CHECK: %[[H:.+]] = scf.for %
// CHECK: fragment.load %[[H]] : tensor<32x32xf16>
// CHECK: fragment.mma
// CHECK: return
func.func @made_by_loop(%b: tensor<32x32xf16>, %n: index, %e: f16, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %h0 = bufferization.alloc_tensor() : tensor<32x32xf16>
    %h = scf.for %c = %c0 to %n step %c1 iter_args(%s = %h0) -> (tensor<32x32xf16>) {
      %s1 = tensor.insert %e into %s[%c, %c] : tensor<32x32xf16>
      scf.yield %s1 : tensor<32x32xf16>
    }
    %x = linalg.matmul ins(%h, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @argument
// CHECK: scf.forall {{.*}} shared_outs(%[[O:.+]] = %{{.*}})
// CHECK: fragment.load %[[O]] : tensor<32x32xf32> -> <32x32xf32, #{{.+}}>
// CHECK: fragment.mma
// CHECK: return
func.func @argument(%z: tensor<32x32xf32>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %x = linalg.matmul {deltanet.tf32} ins(%o, %o : tensor<32x32xf32>, tensor<32x32xf32>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// A copy of what must be computed first comes as soon as it is.

// CHECK-LABEL: func.func @late
// CHECK: %[[AT:.+]] = scf.while
// CHECK: %[[PART:.+]] = tensor.extract_slice %{{.*}}[%[[AT]], 0]
// CHECK: fragment.copy_async %[[PART]]
// CHECK: fragment.mma
// CHECK: return
func.func @late(%k: tensor<99x32xf16>, %b: tensor<32x32xf16>, %v: memref<99xindex>,
                %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %at = scf.while (%j = %c0) : (index) -> index {
      %w = memref.load %v[%j] : memref<99xindex>
      %more = arith.cmpi ult, %w, %c1 : index
      scf.condition(%more) %w : index
    } do {
    ^bb0(%j: index):
      %next = arith.addi %j, %c1 : index
      scf.yield %next : index
    }
    %h = tensor.extract_slice %k[%at, 0] [32, 32] [1, 1] : tensor<99x32xf16> to tensor<32x32xf16>
    %x = linalg.matmul ins(%h, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// A loop that swaps what it carries hands it on in memory.

// CHECK-LABEL: func.func @swapped
// CHECK: scf.for {{.*}} iter_args(%[[S:.+]] = %{{.*}}, %[[T:.+]] = %{{.*}}) ->
// CHECK:   %[[OLD:.+]] = fragment.load %[[S]]
// CHECK:   %[[SUMS:.+]] = fragment.mma %{{.*}}, %{{.*}}, %[[OLD]]
// CHECK:   %[[NEW:.+]] = fragment.store %[[SUMS]], %[[S]]
// CHECK:   scf.yield %[[T]], %[[NEW]]
// CHECK: return
func.func @swapped(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                   %n: index, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %l:2 = scf.for %c = %c0 to %n step %c1 iter_args(%s = %o, %t = %z)
        -> (tensor<32x32xf32>, tensor<32x32xf32>) {
      %s1 = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
          outs(%s : tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %t, %s1 : tensor<32x32xf32>, tensor<32x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %l#0 into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}

// What is added up may come from elsewhere, for each element.

// CHECK-LABEL: func.func @count
// CHECK-SAME: %[[W:[a-z0-9]+]]: f32
// CHECK: %[[TERMS:.+]] = fragment.map
// CHECK:   fragment.yield %[[W]]
// CHECK: fragment.reduce %[[TERMS]] along 1
// CHECK: return
func.func @count(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>, %w: f32,
                 %d: tensor<32xf32>)
    -> tensor<32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %x = linalg.generic {indexing_maps = [#same, #row],
                           iterator_types = ["parallel", "reduction"]}
        ins(%p : tensor<32x32xf32>) outs(%o : tensor<32xf32>) {
    ^bb0(%e: f32, %sum: f32):
      %q = arith.addf %sum, %w : f32
      linalg.yield %q : f32
    } -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0] [32] [1]
          : tensor<32xf32> into tensor<32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32xf32>
}

// Named operations and two results in one destination.

// CHECK-LABEL: func.func @named
// CHECK: fragment.mma
// CHECK: fragment.map
// CHECK:   math.exp
// CHECK: fragment.map
// CHECK-NOT: linalg
// CHECK: return
func.func @named(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>, %z: tensor<32x32xf32>,
                 %v: tensor<32xf32>, %d: tensor<32x32xf32>)
    -> tensor<32x32xf32> attributes {deltanet.kernel = #kernel} {
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xf32>) {
    %p = linalg.matmul ins(%a, %b : tensor<32x32xf16>, tensor<32x32xf16>)
        outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %e = linalg.exp ins(%p : tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    %b0 = bufferization.alloc_tensor() : tensor<32x32xf32>
    %b1 = linalg.broadcast ins(%v : tensor<32xf32>) outs(%b0 : tensor<32x32xf32>) dimensions = [0]
    %m = linalg.map ins(%e, %b1 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%o : tensor<32x32xf32>)
      (%y: f32, %w: f32, %old: f32) {
        %q = arith.addf %y, %w : f32
        linalg.yield %q : f32
      }
    %x = linalg.copy ins(%m : tensor<32x32xf32>) outs(%o : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xf32> into tensor<32x32xf32>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xf32>
}
