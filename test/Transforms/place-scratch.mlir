// RUN: delta-opt %s -deltanet-place-scratch -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not delta-opt %s -deltanet-place-scratch -split-input-file -remarks-filter="deltanet-buffers" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

// REMARK: 2 buffers of 1088 bytes in an arena of 1280

// 8·32·4 = 1024 bytes, a gap of 192, 3·4 bytes in one line of 64.

// CHECK-LABEL: func.func @arena
// CHECK:       memref.alloc(%{{.*}}) {deltanet.workspace} : memref<?x8xf32>
// CHECK:       scf.forall
// CHECK-NEXT:    %[[S:.*]] = memref.alloc() {alignment = 64 : i64, deltanet.scratch} : memref<1280xi8>
// CHECK-NEXT:    %[[O0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[A:.*]] = memref.view %[[S]][%[[O0]]][] : memref<1280xi8> to memref<8x32xf32>
// CHECK-NEXT:    %[[O1:.*]] = arith.constant 1216 : index
// CHECK-NEXT:    %[[B:.*]] = memref.view %[[S]][%[[O1]]][] : memref<1280xi8> to memref<3xf32>
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[A]]
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      linalg.fill {{.*}} outs(%[[B]]
// CHECK:       scf.forall
// CHECK-NEXT:    memref.store
func.func @arena(%n: index, %x: memref<1xf32>) attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %w = memref.alloc(%n) : memref<?x8xf32>
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<8x32xf32>
    linalg.fill ins(%zero : f32) outs(%a : memref<8x32xf32>)
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<3xf32>
      linalg.fill ins(%zero : f32) outs(%b : memref<3xf32>)
      memref.store %zero, %a[%c0, %c0] : memref<8x32xf32>
    }
  }
  scf.forall (%i) in (%n) {
    memref.store %zero, %x[%c0] : memref<1xf32>
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

func.func @dynamic(%n: index) attributes {deltanet.kernel = #kernel} {
  scf.forall (%i) in (%n) {
    // expected-error @+1 {{expected scratch of a static shape and plain layout, got 'memref<?xf32>'}}
    %a = memref.alloc(%n) : memref<?xf32>
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

// %b and %c die in each turn, one before the other: they share bytes. %a is
// written in every turn, %d only where %a is dead.

// REMARK: Reason="buffers that are not used at the same time share bytes"
// REMARK-SAME: 4 buffers of 3584 bytes in an arena of 2240

// CHECK-LABEL: func.func @lifetimes
// CHECK:         %[[S:.*]] = memref.alloc() {alignment = 64 : i64, deltanet.scratch} : memref<2240xi8>
// CHECK-NEXT:    %[[A:.*]] = arith.constant 0 : index
// CHECK-NEXT:    memref.view %[[S]][%[[A]]][] : memref<2240xi8> to memref<16x16xf32>
// CHECK-NEXT:    %[[B:.*]] = arith.constant 1216 : index
// CHECK-NEXT:    memref.view %[[S]][%[[B]]][] : memref<2240xi8> to memref<256xf32>
// CHECK-NEXT:    %[[C:.*]] = arith.constant 1216 : index
// CHECK-NEXT:    memref.view %[[S]][%[[C]]][] : memref<2240xi8> to memref<128xf32>
// CHECK-NEXT:    %[[D:.*]] = arith.constant 0 : index
// CHECK-NEXT:    memref.view %[[S]][%[[D]]][] : memref<2240xi8> to memref<4x64xf32>
func.func @lifetimes(%n: index, %x: f32) attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<16x16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16x16xf32>)
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<256xf32>
      linalg.fill ins(%x : f32) outs(%b : memref<256xf32>)
      %v = memref.subview %a[0, 0] [4, 16] [1, 1] : memref<16x16xf32> to memref<4x16xf32, strided<[16, 1]>>
      linalg.fill ins(%x : f32) outs(%v : memref<4x16xf32, strided<[16, 1]>>)
      %c = memref.alloc() : memref<128xf32>
      linalg.fill ins(%x : f32) outs(%c : memref<128xf32>)
    }
    %d = memref.alloc() : memref<4x64xf32>
    linalg.fill ins(%x : f32) outs(%d : memref<4x64xf32>)
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32>

// What a branch or a turn of a loop yields is used after it: %b shares no bytes
// with %a, nor %d with %c, which the next turn reads.

// CHECK-LABEL: func.func @yielded
// CHECK:         memref.alloc
// CHECK-NEXT:    %[[A:.*]] = arith.constant 0 : index
// CHECK-NEXT:    memref.view %{{.*}}[%[[A]]][] : memref<{{.*}}> to memref<64xf32>
// CHECK-NEXT:    %[[B:.*]] = arith.constant 448 : index
// CHECK-NEXT:    memref.view %{{.*}}[%[[B]]][] : memref<{{.*}}> to memref<48xf32>
// CHECK-NEXT:    %[[C:.*]] = arith.constant 0 : index
// CHECK-NEXT:    memref.view %{{.*}}[%[[C]]][] : memref<{{.*}}> to memref<32xf32>
// CHECK-NEXT:    %[[D:.*]] = arith.constant 320 : index
// CHECK-NEXT:    memref.view %{{.*}}[%[[D]]][] : memref<{{.*}}> to memref<16xf32>
func.func @yielded(%n: index, %x: f32, %p: i1, %y: memref<64xf32>, %z: memref<32xf32>)
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %r = scf.if %p -> memref<64xf32> {
      %a = memref.alloc() : memref<64xf32>
      scf.yield %a : memref<64xf32>
    } else {
      scf.yield %y : memref<64xf32>
    }
    %b = memref.alloc() : memref<48xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<48xf32>)
    linalg.fill ins(%x : f32) outs(%r : memref<64xf32>)
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%last = %z) -> memref<32xf32> {
      %c = memref.alloc() : memref<32xf32>
      %d = memref.alloc() : memref<16xf32>
      linalg.fill ins(%x : f32) outs(%d : memref<16xf32>)
      linalg.copy ins(%last : memref<32xf32>) outs(%c : memref<32xf32>)
      scf.yield %c : memref<32xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @not_a_kernel
// CHECK:       scf.forall
// CHECK-NEXT:    memref.alloc() : memref<8xf32>
func.func @not_a_kernel(%n: index) {
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<8xf32>
  }
  return
}
