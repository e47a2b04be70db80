// RUN: delta-opt %s -deltanet-expand-slot-sequence | FileCheck %s

// CHECK-LABEL: func.func @owner
// CHECK-SAME: (%[[SLOT:.+]]: index, %[[CU:.+]]: tensor<?xi32>)
// CHECK: %[[RANGE:.+]]:2 = scf.while
// CHECK:   scf.condition
// CHECK: ^bb0(%[[LOW:.+]]: index, %[[HIGH:.+]]: index):
// CHECK:   %[[MIDDLE:.+]] = arith.divui
// CHECK:   tensor.extract %[[CU]][%[[MIDDLE]]]
// CHECK:   %[[FIRST:.+]] = arith.addi %{{.*}}, %[[MIDDLE]]
// CHECK:   %[[REACHED:.+]] = arith.cmpi sle, %[[FIRST]], %[[SLOT]]
// CHECK-DAG: arith.select %[[REACHED]], %[[MIDDLE]], %[[LOW]]
// CHECK-DAG: arith.select %[[REACHED]], %[[HIGH]], %[[MIDDLE]]
// CHECK: return %[[RANGE]]#0
func.func @owner(%slot: index, %cu: tensor<?xi32>) -> index {
  %n = deltanet.slot_sequence %slot in %cu {chunk = 64 : i64} : tensor<?xi32>
  return %n : index
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%slot: index) -> index {
  return %slot : index
}
