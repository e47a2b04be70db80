// RUN: delta-opt %s -deltanet-gpu-map-to-blocks | FileCheck %s
// RUN: delta-opt %s -deltanet-gpu-map-to-blocks -deltanet-gpu-map-to-blocks | FileCheck %s

// Tensors of the call and workspace are global, scratch is shared; three warps
// are 96 threads. The kernel itself and other functions stay as they are.

// CHECK: func.func private @f(memref<?x8xf32>, memref<4x32x8xf32, strided<[?, 8, 1], offset: ?>>, f32)
// CHECK: func.func private @f.items0(%{{.*}}: memref<?x8xf32>
// CHECK-LABEL: func.func private @f.stage0
// CHECK-SAME: (%[[Q:[a-z0-9]+]]: memref<?x8xf32, 1>, %[[STATE:[a-z0-9]+]]: memref<4x32x8xf32, strided<[?, 8, 1], offset: ?>, 1>, %{{.*}}: f32, %[[W:[a-z0-9]+]]: memref<?xi8, 1>, %[[S:[a-z0-9]+]]: memref<4096xi8, 3>, %{{.*}}: index, %{{.*}}: index)
// CHECK-SAME: deltanet.threads = 96 : i64

// Views of all kinds.

// CHECK: memref.subview %[[STATE]]{{.*}} : memref<4x32x8xf32, strided<[?, 8, 1], offset: ?>, 1> to memref<32x8xf32, strided<[8, 1], offset: ?>, 1>
// CHECK: %[[VIEW:.+]] = memref.view %[[S]]{{.*}} : memref<4096xi8, 3> to memref<16x8xf32, 3>
// CHECK: memref.view %[[W]]{{.*}} : memref<?xi8, 1> to memref<?x8xf32, 1>
// CHECK: memref.cast %[[VIEW]] : memref<16x8xf32, 3> to memref<?x8xf32, 3>
// CHECK: %[[FLAT:.+]] = memref.collapse_shape %[[VIEW]] {{.*}} : memref<16x8xf32, 3> into memref<128xf32, 3>
// CHECK: memref.expand_shape %[[FLAT]] {{.*}} : memref<128xf32, 3> into memref<2x64xf32, 3>
// CHECK: memref.reinterpret_cast %[[Q]] {{.*}} : memref<?x8xf32, 1> to memref<8xf32, strided<[1]>, 1>

// In loops and branches, and carried.

// CHECK: scf.for {{.*}} iter_args(%[[A:.+]] = %[[Q]], %[[B:.+]] = %[[VIEW]], %{{.*}} = %{{.*}}) -> (memref<?x8xf32, 1>, memref<16x8xf32, 3>, f32)
// CHECK:   scf.for {{.*}} iter_args(%[[C:.+]] = %[[B]]) -> (memref<16x8xf32, 3>)
// CHECK:     scf.if
// CHECK:       memref.subview %[[C]]{{.*}} : memref<16x8xf32, 3> to memref<4x8xf32, strided<[8, 1]>, 3>
// CHECK:     scf.yield %[[C]] : memref<16x8xf32, 3>
// CHECK:   memref.load %[[A]]{{.*}} : memref<?x8xf32, 1>
// CHECK: memref.load %{{.*}}#1{{.*}} : memref<16x8xf32, 3>

func.func private @f(memref<?x8xf32>,
                     memref<4x32x8xf32, strided<[?, 8, 1], offset: ?>>, f32)
    attributes {deltanet.stages = [@f.stage0]}
func.func private @f.items0(%q: memref<?x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}
func.func private @f.stage0(
    %q: memref<?x8xf32>, %state: memref<4x32x8xf32, strided<[?, 8, 1], offset: ?>>,
    %scale: f32, %w: memref<?xi8>, %s: memref<4096xi8>, %begin: index, %end: index)
    attributes {deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 32,
                                                       state = registers, warps = 3>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi ult, %begin, %end : index
  %0 = memref.subview %state[%begin, 0, 0] [1, 32, 8] [1, 1, 1]
      : memref<4x32x8xf32, strided<[?, 8, 1], offset: ?>>
        to memref<32x8xf32, strided<[8, 1], offset: ?>>
  %1 = memref.view %s[%c0][] : memref<4096xi8> to memref<16x8xf32>
  %2 = memref.view %w[%c0][%end] : memref<?xi8> to memref<?x8xf32>
  %3 = memref.cast %1 : memref<16x8xf32> to memref<?x8xf32>
  %4 = memref.collapse_shape %1 [[0, 1]] : memref<16x8xf32> into memref<128xf32>
  %5 = memref.expand_shape %4 [[0, 1]] output_shape [2, 64]
      : memref<128xf32> into memref<2x64xf32>
  %6 = memref.reinterpret_cast %q to offset: [0], sizes: [8], strides: [1]
      : memref<?x8xf32> to memref<8xf32, strided<[1]>>
  %7:3 = scf.for %i = %begin to %end step %c1
      iter_args(%a = %q, %b = %1, %x = %scale)
      -> (memref<?x8xf32>, memref<16x8xf32>, f32) {
    %d = scf.for %j = %begin to %end step %c1 iter_args(%c = %b)
        -> (memref<16x8xf32>) {
      scf.if %some {
        %part = memref.subview %c[0, 0] [4, 8] [1, 1]
            : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1]>>
        memref.store %x, %part[%c0, %c0] : memref<4x8xf32, strided<[8, 1]>>
      }
      scf.yield %c : memref<16x8xf32>
    }
    %y = memref.load %a[%c0, %c0] : memref<?x8xf32>
    scf.yield %a, %d, %y : memref<?x8xf32>, memref<16x8xf32>, f32
  }
  %8 = memref.load %7#1[%c0, %c0] : memref<16x8xf32>
  return
}

// Kernels without stages have no blocks.

// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%{{.*}}: memref<4xf32>)
// CHECK-NOT: deltanet.threads
func.func @whole(%x: memref<4xf32>) {
  return
}
