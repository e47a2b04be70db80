// RUN: delta-opt %s -deltanet-gpu-distribute-to-threads -canonicalize | FileCheck %s

#sums = affine_map<(i, j, k) -> (k, i)>
#all = affine_map<(i, j, k) -> (i, j, k)>
#left = affine_map<(row, column, part, sum) -> (row, part, sum)>
#right = affine_map<(row, column, part, sum) -> (sum, column)>
#out = affine_map<(row, column, part, sum) -> (row, part, column)>
#lanes = #fragment.lanes<lanes = [16, 2], warps = [1, 1]>
#all2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#element = affine_map<(i) -> (i)>

func.func private @f(memref<4x8xf32, 1>, memref<?x?xbf16, 1>, memref<f32, 1>)
    attributes {deltanet.stages = [@copy, @dynamic, @sums, @together, @neighbours, @numbers, @body, @rest]}

// 32 elements for 64 threads: half of them have none. Neighbouring threads take
// neighbouring columns.

// CHECK-LABEL: func.func private @copy
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x8xf32, 1>
// CHECK: %[[C:.+]] = memref.view
// CHECK: scf.for %[[I:.+]] = %[[THREAD:.+]] to %c32 step %c64 {
// CHECK-NEXT: %[[COLUMN:.+]] = arith.remui %[[I]], %c8
// CHECK-NEXT: %[[ROW:.+]] = arith.divui %[[I]], %c8
// CHECK-NEXT: %[[V:.+]] = memref.load %[[X]][%[[ROW]], %[[COLUMN]]]
// CHECK-NEXT: memref.store %[[V]], %[[C]][%[[ROW]], %[[COLUMN]]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func private @copy(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<4x8xf32, 3>
  linalg.copy ins(%x : memref<4x8xf32, 1>) outs(%c : memref<4x8xf32, 3>)
  return
}

// Sizes that a call gives.

// CHECK-LABEL: func.func private @dynamic
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x8xf32, 1>, %[[Y:[a-z0-9]+]]: memref<?x?xbf16, 1>
// CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00 : bf16
// CHECK: %[[TID:.+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK: %[[THREAD:.+]] = arith.index_castui %[[TID]]
// CHECK: %[[ROWS:.+]] = memref.dim %[[Y]], %c0
// CHECK: %[[COLUMNS:.+]] = memref.dim %[[Y]], %c1
// CHECK: %[[COUNT:.+]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK: scf.for %[[I:.+]] = %[[THREAD]] to %[[COUNT]] step %c1024 {
// CHECK-NEXT: %[[COLUMN:.+]] = arith.remui %[[I]], %[[COLUMNS]]
// CHECK-NEXT: %[[ROW:.+]] = arith.divui %[[I]], %[[COLUMNS]]
// CHECK-NEXT: memref.store %[[ZERO]], %[[Y]][%[[ROW]], %[[COLUMN]]]
func.func private @dynamic(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 1024 : i64} {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<?x?xbf16, 1>)
  return
}

// The reduced dimension is the second of three, and the result is transposed:
// the thread of an element goes through its sum, in a register. Six turns are not
// four at once.

// CHECK-LABEL: func.func private @sums
// CHECK: %[[A:.+]] = memref.view {{.*}} memref<4x6x8xf32, 3>
// CHECK: %[[B:.+]] = memref.view {{.*}} memref<8x4xf32, 3>
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %c32 step %c32 {
// CHECK:   %[[K:.+]] = arith.remui %[[I]], %c8
// CHECK:   %[[ROW:.+]] = arith.divui %[[I]], %c8
// CHECK:   %[[OLD:.+]] = memref.load %[[B]][%[[K]], %[[ROW]]]
// CHECK:   %[[NEW:.+]] = scf.for %[[J:.+]] = %c0 to %c6 step %c1 iter_args(%[[SUM:.+]] = %[[OLD]])
// CHECK-NEXT: %[[V:.+]] = memref.load %[[A]][%[[ROW]], %[[J]], %[[K]]]
// CHECK-NEXT: %[[NEXT:.+]] = arith.addf %[[V]], %[[SUM]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK:   memref.store %[[NEW]], %[[B]][%[[K]], %[[ROW]]]
func.func private @sums(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c2048 = arith.constant 2048 : index
  %a = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<4x6x8xf32, 3>
  %b = memref.view %s[%c2048][] : memref<4096xi8, 3> to memref<8x4xf32, 3>
  linalg.generic {indexing_maps = [#all, #sums],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a : memref<4x6x8xf32, 3>) outs(%b : memref<8x4xf32, 3>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  }
  return
}

// Two rows of a product are summed by one thread, which reads a right operand once.
// Four turns at once read neighbours of a row.

// CHECK-LABEL: func.func private @together
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %c16 step %c32 {
// CHECK:   %[[COLUMN:.+]] = arith.remui %[[I]], %c8
// CHECK:   %[[ROW:.+]] = arith.divui %[[I]], %c8
// CHECK:   %[[OLD0:.+]] = memref.load %[[SUMS:.+]][%[[ROW]], %c0, %[[COLUMN]]]
// CHECK:   %[[OLD1:.+]] = memref.load %[[SUMS]][%[[ROW]], %c1, %[[COLUMN]]]
// CHECK:   %[[NEW:.+]]:2 = scf.for %[[K:.+]] = %c0 to %c16 step %c4 iter_args(%[[X0:.+]] = %[[OLD0]], %[[X1:.+]] = %[[OLD1]])
// CHECK-NEXT: %[[L0:.+]] = memref.load %{{.+}}[%[[ROW]], %c0, %[[K]]]
// CHECK-NEXT: %[[L1:.+]] = memref.load %{{.+}}[%[[ROW]], %c1, %[[K]]]
// CHECK-NEXT: %[[R:.+]] = memref.load %{{.+}}[%[[K]], %[[COLUMN]]]
// CHECK-NEXT: %[[Y0:.+]] = math.fma %[[L0]], %[[R]], %[[X0]]
// CHECK-NEXT: %[[Y1:.+]] = math.fma %[[L1]], %[[R]], %[[X1]]
// CHECK:      %[[NEXT:.+]] = arith.addi %[[K]], %c1
// CHECK-NEXT: memref.load %{{.+}}[%[[ROW]], %c0, %[[NEXT]]]
// CHECK-COUNT-4: math.fma
// CHECK:      %[[Z0:.+]] = math.fma
// CHECK-NEXT: %[[Z1:.+]] = math.fma
// CHECK-NEXT: scf.yield %[[Z0]], %[[Z1]]
// CHECK:   memref.store %[[NEW]]#0, %[[SUMS]][%[[ROW]], %c0, %[[COLUMN]]]
// CHECK:   memref.store %[[NEW]]#1, %[[SUMS]][%[[ROW]], %c1, %[[COLUMN]]]
func.func private @together(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %l = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<2x2x16xf32, 3>
  %r = memref.view %s[%c512][] : memref<4096xi8, 3> to memref<16x8xf32, 3>
  %sums = memref.view %s[%c1024][] : memref<4096xi8, 3> to memref<2x2x8xf32, 3>
  linalg.generic {indexing_maps = [#left, #right, #out],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%l, %r : memref<2x2x16xf32, 3>, memref<16x8xf32, 3>)
      outs(%sums : memref<2x2x8xf32, 3>) attrs = {deltanet.together} {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = math.fma %a, %b, %old : f32
    linalg.yield %sum : f32
  }
  return
}

// Four neighbours for each of 32 threads: at once in shared memory, but for what is
// the same for all of them and for rows that may begin anywhere.

// CHECK-LABEL: func.func private @neighbours
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x8xf32, 1>, %[[Y:[a-z0-9]+]]: memref<?x?xbf16, 1>
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %c32 step %c32 {
// CHECK:   %[[GROUP:.+]] = arith.remui %[[I]], %c4
// CHECK:   %[[ROW:.+]] = arith.divui %[[I]], %c4
// CHECK:   %[[COLUMN:.+]] = arith.muli %[[GROUP]], %c4
// CHECK:   %[[X:.+]] = vector.load %[[IN:.+]][%[[ROW]], %[[COLUMN]]] {alignment = 16 : i64} : memref<8x16xf32, strided<[20, 1]>, 3>, vector<4xf32>
// CHECK:   %[[X3:.+]] = vector.extract %[[X]][3]
// CHECK:   %[[F:.+]] = memref.load %{{.+}}[%[[ROW]]] : memref<8xf32, 3>
// CHECK:   %[[Y3:.+]] = arith.mulf %[[X3]], %[[F]]
// CHECK:   vector.from_elements %{{.+}}, %{{.+}}, %{{.+}}, %[[Y3]]
// CHECK-NEXT: vector.store {{.*}} {alignment = 16 : i64}
// CHECK: scf.for
// CHECK-COUNT-4: memref.store %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}] : memref<8x16xf32, strided<[18, 1]>, 3>
// CHECK-NEXT: }
func.func private @neighbours(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %zero = arith.constant 0.0 : f32
  %all = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<8x20xf32, 3>
  %in = memref.subview %all[0, 0] [8, 16] [1, 1]
      : memref<8x20xf32, 3> to memref<8x16xf32, strided<[20, 1]>, 3>
  %factors = memref.view %s[%c1024][] : memref<4096xi8, 3> to memref<8xf32, 3>
  linalg.generic {indexing_maps = [#all2, #row, #all2],
                  iterator_types = ["parallel", "parallel"]}
      ins(%in, %factors : memref<8x16xf32, strided<[20, 1]>, 3>, memref<8xf32, 3>)
      outs(%in : memref<8x16xf32, strided<[20, 1]>, 3>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %product = arith.mulf %a, %b : f32
    linalg.yield %product : f32
  }
  %wide = memref.view %s[%c2048][] : memref<4096xi8, 3> to memref<8x18xf32, 3>
  %out = memref.subview %wide[0, 0] [8, 16] [1, 1]
      : memref<8x18xf32, 3> to memref<8x16xf32, strided<[18, 1]>, 3>
  linalg.fill ins(%zero : f32) outs(%out : memref<8x16xf32, strided<[18, 1]>, 3>)
  return
}

// Single numbers are the first thread's, also where they are sums or stored in
// a loop.

// CHECK-LABEL: func.func private @numbers
// CHECK-SAME: memref<?x?xbf16, 1>, %[[Z:[a-z0-9]+]]: memref<f32, 1>
// CHECK: %[[THREAD:.+]] = arith.index_castui
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[THREAD]], %c0
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK-NEXT:   memref.store %cst, %[[Z]][]
// CHECK-NEXT: }
// CHECK-NEXT: arith.cmpi eq, %[[THREAD]], %c0
// CHECK-NEXT: scf.if
// CHECK-NEXT:   memref.load %[[Z]][]
// CHECK-NEXT:   scf.for %{{.*}} = %c0 to %c64 step %c4
// CHECK:        memref.store %{{.*}}, %[[Z]][]
// CHECK:      }
// CHECK:      scf.for
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   arith.cmpi eq, %[[THREAD]], %c0
// CHECK-NEXT:   scf.if
// CHECK-NEXT:     memref.store
// CHECK-NEXT:   }
func.func private @numbers(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<64xf32, 3>
  linalg.fill ins(%zero : f32) outs(%z : memref<f32, 1>)
  linalg.dot ins(%a, %a : memref<64xf32, 3>, memref<64xf32, 3>)
      outs(%z : memref<f32, 1>)
  scf.for %i = %begin to %end step %c1 {
    %v = memref.load %a[%i] : memref<64xf32, 3>
    memref.store %v, %x[%c0, %i] : memref<4x8xf32, 1>
  }
  return
}

// What the body of an operation does, the thread of each element does.

// CHECK-LABEL: func.func private @body
// CHECK-NOT: scf.if
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %c64 step %c32
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]] : memref<128xf32, 3>
// CHECK-NOT: scf.if
// CHECK: return
func.func private @body(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<64xf32, 3>
  %b = memref.view %w[%c0][] : memref<?xi8, 1> to memref<64xf32, 1>
  %c = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<128xf32, 3>
  linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
      ins(%a : memref<64xf32, 3>) outs(%b : memref<64xf32, 1>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    memref.store %in, %c[%i] : memref<128xf32, 3>
    linalg.yield %in : f32
  }
  return
}

// Fragments are shared already.

// CHECK-LABEL: func.func private @rest
// CHECK: fragment.store
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: return
func.func private @rest(
    %x: memref<4x8xf32, 1>, %y: memref<?x?xbf16, 1>, %z: memref<f32, 1>,
    %w: memref<?xi8, 1>, %s: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %zero = arith.constant 0.0 : f32
  %t = fragment.splat %zero : !fragment.tile<16x8xf32, #lanes>
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<4096xi8, 3> to memref<16x8xf32, 3>
  fragment.store %t, %a : !fragment.tile<16x8xf32, #lanes>, memref<16x8xf32, 3>
  nvvm.barrier
  return
}
