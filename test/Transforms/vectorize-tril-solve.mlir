// RUN: delta-opt %s -deltanet-vectorize-tril-solve -split-input-file | FileCheck %s

// Without factors: eight rows take what those above owe them, in a loop that
// carries their sums; then each is rounded, written and seen by the next.

// CHECK-LABEL: func.func @solution
// CHECK-SAME: %[[A:.*]]: tensor<32x32xf32>, %[[X:.*]]: tensor<32x16xf32>, %[[O:.*]]: tensor<32x16xf32>)
// CHECK: scf.for %[[COLUMN:.*]] = {{.*}} iter_args(%[[U0:.*]] = %[[O]])
// CHECK: scf.for %[[ROW:.*]] = {{.*}} iter_args(%[[U:.*]] = %[[U0]])
// CHECK: tensor.extract_slice %[[X]][%[[ROW]], %[[COLUMN]]] [8, 16]
// CHECK: %[[ABOVE:.*]] = tensor.extract_slice %[[A]][%[[ROW]], 0] [8, 32]
// CHECK: %[[SUMS:.*]]:8 = scf.for %[[J:.*]] = %{{.*}} to %[[ROW]]
// CHECK:   vector.transfer_read %[[U]][%[[J]], %{{.*}}]
// CHECK:   tensor.extract %[[ABOVE]][%{{.*}}, %[[J]]]
// CHECK-COUNT-8: vector.fma
// CHECK-NOT: vector.fma
// CHECK: } {deltanet.keep_loop}
// CHECK: %[[BLOCK:.*]] = tensor.extract_slice %[[A]][%[[ROW]], %[[ROW]]] [8, 8]
// CHECK: %[[NARROW:.*]] = arith.truncf %[[SUMS]]#0 : vector<16xf32> to vector<16xbf16>
// CHECK: %[[LOWER:.*]] = vector.bitcast %[[NARROW]] : vector<16xbf16> to vector<16xi16>
// CHECK: %[[FIRST:.*]] = arith.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK: vector.transfer_write %[[FIRST]]
// CHECK: tensor.extract %[[BLOCK]]
// CHECK: %[[NEXT:.*]] = vector.fma %{{.*}}, %[[FIRST]], %[[SUMS]]#1
// CHECK: arith.truncf %[[NEXT]]
// CHECK: tensor.insert_slice %{{.*}} into %[[U]][%[[ROW]], %[[COLUMN]]] [8, 16]
func.func @solution(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>,
                    %o: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%o)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>)
      -> tensor<32x16xf32>
  return %u : tensor<32x16xf32>
}

// -----

// With factors, two vectors side by side: w = u + c (solution − u) − p r, then
// f w, rounded; −r of it, divided by f, for the next row, which the rows carry.

// CHECK-LABEL: func.func @scaled
// CHECK-SAME: %[[F:[^:]*]]: tensor<8xf32>
// CHECK: %[[FACTORS:.*]] = vector.transfer_read %[[F]]
// CHECK: %[[USABLE:.*]] = arith.cmpf oge, %[[FACTORS]]
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[FACTORS]]
// CHECK: arith.select %[[USABLE]], %[[INVERSE]]
// CHECK: scf.for {{.*}} -> (tensor<8x32xf32>, tensor<8x32xf32>)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[R0:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<8x32xf32>, tensor<8x32xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: %[[SUMS:.*]]:16 = scf.for
// CHECK: %[[ROUNDED:.*]] = arith.bitcast
// CHECK: %[[ERROR:.*]] = arith.subf %[[ROUNDED]], %[[SUMS]]#0
// CHECK: %[[TAKEN:.*]] = vector.fma %{{.*}}, %[[ERROR]], %[[SUMS]]#0
// CHECK: %[[W:.*]] = vector.fma %{{.*}}, %[[R0]], %[[TAKEN]]
// CHECK: %[[EXACT:.*]] = arith.mulf %{{.*}}, %[[W]]
// CHECK: arith.truncf %[[EXACT]]
// CHECK: %[[REST:.*]] = arith.subf %[[EXACT]],
// CHECK: %[[R:.*]] = arith.mulf %[[REST]],
// CHECK: vector.fma %{{.*}}, %[[R]],
func.func @scaled(%f: tensor<8xf32>, %c: tensor<8xf32>, %q: tensor<8xf32>,
                  %a: tensor<8x8xf32>, %x: tensor<8x32xf32>,
                  %o: tensor<8x32xf32>, %p: tensor<8x32xf32>)
    -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %r:2 = deltanet.tril_solve matrix(%a) rhs(%x) factors(%f, %c, %q)
      outs(%o, %p)
      : (tensor<8x8xf32>, tensor<8x32xf32>, tensor<8xf32>, tensor<8xf32>,
         tensor<8xf32>, tensor<8x32xf32>, tensor<8x32xf32>)
      -> (tensor<8x32xf32>, tensor<8x32xf32>)
  return %r#0, %r#1 : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

// Tiles: two rows are the halves of 32-bit lanes; rows above are read by pairs.

// CHECK-LABEL: func.func @tiles
// CHECK-COUNT-2: scf.for
// CHECK: scf.for %[[J:.*]] = %{{.*}} to
// CHECK:   %[[PAIR:.*]] = arith.divui %[[J]]
// CHECK:   vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}, %[[PAIR]], %{{.*}}, %{{.*}}], {{.*}} : tensor<1x1x16x16x2xbf16>, vector<16x2xbf16>
// CHECK:   arith.shli
// CHECK:   arith.andi
// CHECK-COUNT-16: vector.fma
// CHECK-NOT: vector.fma
// CHECK: } {deltanet.keep_loop}
// CHECK: %[[EVEN:.*]] = arith.extui %{{.*}} : vector<16xi16> to vector<16xi32>
// CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK: %[[BOTH:.*]] = arith.ori %[[EVEN]], %[[ODD]]
// CHECK: vector.bitcast %[[BOTH]] : vector<16xi32> to vector<32xbf16>
// CHECK: vector.transfer_write {{.*}} : vector<16x2xbf16>, tensor<1x1x4x16x2xbf16>
func.func @tiles(%a: tensor<32x32xf32>, %x: tensor<32x16xf32>,
                 %o: tensor<1x1x16x16x2xbf16>) -> tensor<1x1x16x16x2xbf16> {
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%o)
      : (tensor<32x32xf32>, tensor<32x16xf32>, tensor<1x1x16x16x2xbf16>)
      -> tensor<1x1x16x16x2xbf16>
  return %u : tensor<1x1x16x16x2xbf16>
}
