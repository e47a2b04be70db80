// RUN: delta-opt %s -deltanet-bufferize-kernels -split-input-file | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#am = affine_map<(m, n, k) -> (k, m)>
#bm = affine_map<(m, n, k) -> (k, n)>
#cm = affine_map<(m, n, k) -> (m, n)>

// Two loops with a workspace between them; the second updates both outputs in
// place where %served holds and leaves them alone elsewhere.

// CHECK-LABEL: func.func @two_stages(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: memref<?x2x16xbf16, strided<[?, ?, 1]>> {deltanet.role = #deltanet<role q>}
// CHECK-SAME:    memref<?x2xf32, strided<[?, 1]>>
// CHECK-SAME:    memref<?x2x16x32xf32, strided<[?, ?, 32, 1]>>
// CHECK-SAME:    memref<?xi32>
// CHECK-SAME:    %[[O:[a-z0-9]+]]: memref<?x2x16xbf16, strided<[?, ?, 1]>> {deltanet.role = #deltanet<role o>}
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<?x2x16x32xf32, strided<[?, ?, 32, 1]>> {deltanet.role = #deltanet<role state_out>})
// CHECK-NOT:     ->
// CHECK-NOT:   memref.copy
// CHECK:       %[[W:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x2x8x16xf32>
// CHECK:       scf.forall
// CHECK:         memref.subview %[[Q]]
// CHECK:         memref.subview %[[W]]
// CHECK:       scf.forall
// CHECK-DAG:     %[[OS:.*]] = memref.subview %[[O]]
// CHECK-DAG:     %[[ST:.*]] = memref.subview %[[S]]
// CHECK:         scf.if
// CHECK-NEXT:      memref.subview
// CHECK-NEXT:      %[[A:.*]] = memref.alloc() {{.*}} : memref<16x32xf32>
// CHECK-NEXT:      linalg.copy {{.*}} outs(%[[A]]
// CHECK-NEXT:      scf.for
// CHECK:             linalg.matmul
// CHECK:             linalg.generic {{.*}} outs(%[[A]]
// CHECK:             %[[OI:.*]] = memref.subview %[[OS]]
// CHECK-NEXT:        linalg.generic {{.*}} outs(%[[OI]]
// CHECK:           linalg.copy ins(%[[A]] {{.*}} outs(%[[ST]]
// CHECK-NOT:       else
// CHECK:       return
// CHECK-NOT:   memref.copy
func.func @two_stages(
    %q: tensor<?x2x16xbf16> {deltanet.role = #deltanet<role q>},
    %beta: tensor<?x2xf32> {deltanet.role = #deltanet<role beta>},
    %s: tensor<?x2x16x32xf32> {deltanet.role = #deltanet<role state_in>},
    %cu: tensor<?xi32> {deltanet.role = #deltanet<role cu_seqlens>},
    %scale: f32 {deltanet.role = #deltanet<role scale>},
    %o: tensor<?x2x16xbf16> {deltanet.role = #deltanet<role o>},
    %so: tensor<?x2x16x32xf32> {deltanet.role = #deltanet<role state_out>})
    -> (tensor<?x2x16xbf16>, tensor<?x2x16x32xf32>)
    attributes {deltanet.kernel = #deltanet.kernel<rule = delta,
        head_map = grouped, state_layout = kv, h = 2, hv = 2, k = 16, v = 32,
        io = bf16, scale = 0.25 : f32, cu_seqlens = i32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %nd = tensor.dim %cu, %c0 : tensor<?xi32>
  %n = arith.subi %nd, %c1 : index
  %t = tensor.dim %q, %c0 : tensor<?x2x16xbf16>
  %chunks = arith.ceildivui %t, %c8 : index
  %we = tensor.empty(%chunks) : tensor<?x2x8x16xf32>
  %w = scf.forall (%c, %h) in (%chunks, 2) shared_outs(%wo = %we)
      -> (tensor<?x2x8x16xf32>) {
    %t0 = arith.muli %c, %c8 : index
    %left = arith.subi %t, %t0 : index
    %nv = arith.minsi %left, %c8 : index
    %nz = arith.subi %c8, %nv : index
    %src = tensor.extract_slice %q[%t0, %h, 0] [%nv, 1, 16] [1, 1, 1]
        : tensor<?x2x16xbf16> to tensor<?x16xbf16>
    %dst = tensor.extract_slice %wo[%c, %h, 0, 0] [1, 1, 8, 16] [1, 1, 1, 1]
        : tensor<?x2x8x16xf32> to tensor<8x16xf32>
    %d0 = tensor.extract_slice %dst[0, 0] [%nv, 16] [1, 1]
        : tensor<8x16xf32> to tensor<?x16xf32>
    %rows = linalg.generic {indexing_maps = [#id, #id],
        iterator_types = ["parallel", "parallel"]}
        ins(%src : tensor<?x16xbf16>) outs(%d0 : tensor<?x16xf32>) {
      ^bb0(%a: bf16, %b: f32):
        %e = arith.extf %a : bf16 to f32
        linalg.yield %e : f32 } -> tensor<?x16xf32>
    %d1 = tensor.insert_slice %rows into %dst[0, 0] [%nv, 16] [1, 1]
        : tensor<?x16xf32> into tensor<8x16xf32>
    %z0 = tensor.extract_slice %d1[%nv, 0] [%nz, 16] [1, 1]
        : tensor<8x16xf32> to tensor<?x16xf32>
    %z1 = linalg.fill ins(%zero : f32) outs(%z0 : tensor<?x16xf32>)
        -> tensor<?x16xf32>
    %d2 = tensor.insert_slice %z1 into %d1[%nv, 0] [%nz, 16] [1, 1]
        : tensor<?x16xf32> into tensor<8x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d2 into
          %wo[%c, %h, 0, 0] [1, 1, 8, 16] [1, 1, 1, 1]
          : tensor<8x16xf32> into tensor<?x2x8x16xf32>
    }
  }
  %r:2 = scf.forall (%i, %h) in (%n, 2) shared_outs(%oo = %o, %ss = %so)
      -> (tensor<?x2x16xbf16>, tensor<?x2x16x32xf32>) {
    %i1 = arith.addi %i, %c1 : index
    %b0 = tensor.extract %cu[%i] : tensor<?xi32>
    %b1 = tensor.extract %cu[%i1] : tensor<?xi32>
    %begin = arith.index_cast %b0 : i32 to index
    %end = arith.index_cast %b1 : i32 to index
    %len = arith.subi %end, %begin : index
    %served = arith.cmpi ult, %len, %c8 : index
    %os = tensor.extract_slice %oo[%begin, %h, 0] [%len, 1, 16] [1, 1, 1]
        : tensor<?x2x16xbf16> to tensor<?x16xbf16>
    %st = tensor.extract_slice %ss[%i, %h, 0, 0] [1, 1, 16, 32] [1, 1, 1, 1]
        : tensor<?x2x16x32xf32> to tensor<16x32xf32>
    %x:2 = scf.if %served -> (tensor<?x16xbf16>, tensor<16x32xf32>) {
      %si = tensor.extract_slice %s[%i, %h, 0, 0] [1, 1, 16, 32] [1, 1, 1, 1]
          : tensor<?x2x16x32xf32> to tensor<16x32xf32>
      %sa = bufferization.alloc_tensor() : tensor<16x32xf32>
      %sc = linalg.copy ins(%si : tensor<16x32xf32>)
          outs(%sa : tensor<16x32xf32>) -> tensor<16x32xf32>
      %y:2 = scf.for %tt = %c0 to %len step %c8
          iter_args(%oc = %os, %sx = %sc)
          -> (tensor<?x16xbf16>, tensor<16x32xf32>) {
        %ci = arith.divui %tt, %c8 : index
        %left = arith.subi %len, %tt : index
        %nv = arith.minsi %left, %c8 : index
        %qc = tensor.extract_slice %w[%ci, %h, 0, 0] [1, 1, 8, 16] [1, 1, 1, 1]
            : tensor<?x2x8x16xf32> to tensor<8x16xf32>
        %pe = tensor.empty() : tensor<8x32xf32>
        %f = linalg.fill ins(%zero : f32) outs(%pe : tensor<8x32xf32>)
            -> tensor<8x32xf32>
        %p = linalg.matmul ins(%qc, %sx : tensor<8x16xf32>, tensor<16x32xf32>)
            outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
        %se = linalg.generic {indexing_maps = [#am, #bm, #cm],
            iterator_types = ["parallel", "parallel", "reduction"]}
            ins(%qc, %p : tensor<8x16xf32>, tensor<8x32xf32>)
            outs(%sx : tensor<16x32xf32>) {
          ^bb0(%a: f32, %b: f32, %c: f32):
            %m = arith.mulf %a, %b : f32
            %ad = arith.addf %c, %m : f32
            linalg.yield %ad : f32 } -> tensor<16x32xf32>
        %pv = tensor.extract_slice %p[0, 0] [%nv, 16] [1, 1]
            : tensor<8x32xf32> to tensor<?x16xf32>
        %od = tensor.extract_slice %oc[%tt, 0] [%nv, 16] [1, 1]
            : tensor<?x16xbf16> to tensor<?x16xbf16>
        %ot = linalg.generic {indexing_maps = [#id, #id],
            iterator_types = ["parallel", "parallel"]}
            ins(%pv : tensor<?x16xf32>) outs(%od : tensor<?x16xbf16>) {
          ^bb0(%a: f32, %b: bf16):
            %m = arith.mulf %a, %scale : f32
            %e = arith.truncf %m : f32 to bf16
            linalg.yield %e : bf16 } -> tensor<?x16xbf16>
        %oi = tensor.insert_slice %ot into %oc[%tt, 0] [%nv, 16] [1, 1]
            : tensor<?x16xbf16> into tensor<?x16xbf16>
        scf.yield %oi, %se : tensor<?x16xbf16>, tensor<16x32xf32>
      }
      %sr = linalg.copy ins(%y#1 : tensor<16x32xf32>)
          outs(%st : tensor<16x32xf32>) -> tensor<16x32xf32>
      scf.yield %y#0, %sr : tensor<?x16xbf16>, tensor<16x32xf32>
    } else {
      scf.yield %os, %st : tensor<?x16xbf16>, tensor<16x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x#0 into
          %oo[%begin, %h, 0] [%len, 1, 16] [1, 1, 1]
          : tensor<?x16xbf16> into tensor<?x2x16xbf16>
      tensor.parallel_insert_slice %x#1 into
          %ss[%i, %h, 0, 0] [1, 1, 16, 32] [1, 1, 1, 1]
          : tensor<16x32xf32> into tensor<?x2x16x32xf32>
    }
  }
  return %r#0, %r#1 : tensor<?x2x16xbf16>, tensor<?x2x16x32xf32>
}

// -----

// A function that is no kernel is left alone.

// CHECK-LABEL: func.func @not_a_kernel(
// CHECK-SAME:    tensor<4xf32>) -> tensor<4xf32>
func.func @not_a_kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
