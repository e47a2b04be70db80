// RUN: delta-opt -deltanet-gpu-lower-fragments -canonicalize -cse -split-input-file %s | FileCheck %s

// Each thread has one row and 4 columns of bf16, in 8 bytes.
#lanes = #fragment.lanes<lanes = [1, 32], warps = [2, 1]>
!t = !fragment.tile<2x128xbf16, #lanes>

// CHECK-LABEL: @copy
//  CHECK-SAME: %[[X:.+]]: memref<2x128xbf16, strided<[?, 1]>, 1>, %[[Y:[^:]+]]:
//   CHECK-DAG: %[[THREAD:.+]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
//   CHECK-DAG: %[[WARP:.+]] = arith.divui %[[THREAD]], %c32_i32
//   CHECK-DAG: %[[ROW:.+]] = arith.index_castui %[[WARP]] : i32 to index
//   CHECK-DAG: %[[LANE:.+]] = arith.remui %[[THREAD]], %c32_i32
//   CHECK-DAG: %[[FOUR:.+]] = arith.muli %[[LANE]], %c4_i32
//   CHECK-DAG: %[[COLUMN:.+]] = arith.index_castui %[[FOUR]]
//       CHECK: %[[V:.+]] = vector.load %[[X]][%[[ROW]], %[[COLUMN]]] {alignment = 8 : i64}
//  CHECK-SAME:     vector<4xbf16>
//       CHECK: %[[V0:.+]] = vector.extract %[[V]][0]
//       CHECK: memref.store %[[V0]], %[[Y]][%[[ROW]], %[[COLUMN]]] :
// CHECK-COUNT-3: memref.store
//   CHECK-NOT: memref.store
func.func @copy(%x: memref<2x128xbf16, strided<[?, 1]>, 1>, %y: memref<2x128xbf16, 1>) {
  %t = fragment.load %x alignment 16 : memref<2x128xbf16, strided<[?, 1]>, 1> -> !t
  fragment.store %t, %y : !t, memref<2x128xbf16, 1>
  return
}

// Without a unit stride there is nothing to load at once.
// CHECK-LABEL: @strided
//   CHECK-NOT: vector.load
// CHECK-COUNT-4: memref.load
func.func @strided(%x: memref<2x128xbf16, strided<[256, 2]>, 1>, %y: memref<2x128xbf16, 1>) {
  %t = fragment.load %x alignment 16 : memref<2x128xbf16, strided<[256, 2]>, 1> -> !t
  fragment.store %t, %y : !t, memref<2x128xbf16, 1>
  return
}

// -----

// Each thread of 4 rows has the same column: its first lane stores it. Indices and
// what is nested see the element's own place.
#lanes = #fragment.lanes<lanes = [4, 8], warps = [1, 1]>
// CHECK-LABEL: @map
//  CHECK-SAME: %[[X:.+]]: memref<4xf32, 1>
//   CHECK-DAG: %[[ROW32:.+]] = arith.divui %{{.+}}, %c8_i32
//   CHECK-DAG: %[[ROW:.+]] = arith.index_castui %[[ROW32]]
//       CHECK: %[[V:.+]] = memref.load %[[X]][%[[ROW]]]
//       CHECK: %[[W:.+]] = scf.if %{{.+}} -> (f32) {
//       CHECK:   %[[I:.+]] = arith.index_cast %[[ROW]] : index to i32
//       CHECK:   arith.sitofp %[[I]]
//       CHECK: %[[FIRST:.+]] = arith.cmpi ult, %{{.+}}, %c1_i32
//       CHECK: scf.if %[[FIRST]] {
//       CHECK:   memref.store %[[W]], %[[X]][%[[ROW]]]
func.func @map(%x: memref<4xf32, 1>, %c: i1) {
  %t = fragment.load %x dims [0] : memref<4xf32, 1> -> !fragment.tile<4x1xf32, #lanes>
  %u = fragment.map %t : (!fragment.tile<4x1xf32, #lanes>) -> !fragment.tile<4x1xf32, #lanes> {
  ^bb0(%a: f32):
    %b = scf.if %c -> f32 {
      %i = fragment.index 0
      %i32 = arith.index_cast %i : index to i32
      %f = arith.sitofp %i32 : i32 to f32
      scf.yield %f : f32
    } else {
      scf.yield %a : f32
    }
    fragment.yield %b : f32
  }
  fragment.store %u, %x dims [0] : !fragment.tile<4x1xf32, #lanes>, memref<4xf32, 1>
  return
}

// 4 values of each lane over 4 rows of lanes: 2 + 1 exchanges and 4 copies, less than
// the 8 exchanges of every value. Then 2 values over 8 lanes in a row.
// CHECK-LABEL: @sums
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-COUNT-4: nvvm.shfl.sync idx
//     CHECK-NOT: nvvm.shfl.sync
//         CHECK: memref.store
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-COUNT-2: nvvm.shfl.sync idx
//     CHECK-NOT: nvvm.shfl.sync
func.func @sums(%x: memref<8x32xf32, 1>, %y: memref<8xf32, 1>, %z: memref<32xf32, 1>) {
  %t = fragment.load %x : memref<8x32xf32, 1> -> !fragment.tile<8x32xf32, #lanes>
  %c = fragment.reduce %t along 0 : !fragment.tile<8x32xf32, #lanes> -> !fragment.tile<1x32xf32, #lanes>
  fragment.store %c, %z dims [1] : !fragment.tile<1x32xf32, #lanes>, memref<32xf32, 1>
  %r = fragment.reduce %t along 1 : !fragment.tile<8x32xf32, #lanes> -> !fragment.tile<8x1xf32, #lanes>
  fragment.store %r, %y dims [0] : !fragment.tile<8x1xf32, #lanes>, memref<8xf32, 1>
  return
}

// -----

// CHECK-LABEL: @without_tiles
//  CHECK-NEXT: return
func.func @without_tiles() {
  return
}

// CHECK: func.func private @declared
func.func private @declared()
