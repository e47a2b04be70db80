// RUN: delta-opt %s --deltanet-split-into-work-items --split-input-file --verify-diagnostics | FileCheck %s

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>

// Two stages with workspace between them: items are linearised, last dimension
// fastest; the workspace is one buffer.

// CHECK-LABEL: func.func private @two.stage0(
// CHECK-SAME:    %[[Q:[^:]*]]: memref<?x2x16xf32>, %{{[^:]*}}: f32,
// CHECK-SAME:    %[[W:[^:]*]]: memref<?xi8>, %[[S:[^:]*]]: memref<256xi8>,
// CHECK-SAME:    %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index)
// CHECK-SAME:    deltanet.schedule = #deltanet.schedule<recurrent, tokens = 2>
// CHECK-SAME:    passthrough = ["no-builtins"]
// CHECK:         %[[T:.*]] = memref.dim %[[Q]]
// CHECK:         %[[VIEW:.*]] = memref.view %[[W]][%{{.*}}][%[[T]]] : memref<?xi8> to memref<?x16xf32>
// CHECK:         scf.for %[[ITEM:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:           %[[J:.*]] = arith.remui %[[ITEM]], %[[TWO:.*]] : index
// CHECK:           %[[I:.*]] = arith.divui %[[ITEM]], %[[TWO]] : index
// CHECK:           memref.view %[[S]]
// CHECK:           memref.load %[[Q]][%[[I]], %[[J]], %{{.*}}]
// CHECK:           memref.store %{{.*}}, %[[VIEW]][%[[I]], %{{.*}}]

// CHECK-LABEL: func.func private @two.items0(
// CHECK-SAME:    -> index
// CHECK:         %[[T:.*]] = memref.dim
// CHECK:         %[[N:.*]] = arith.muli %[[T]]
// CHECK:         return %[[N]]

// The second stage needs no scratch, but a lower bound and a step.
// CHECK-LABEL: func.func private @two.stage1(
// CHECK-SAME:    memref<0xi8>
// CHECK:         scf.for %[[ITEM:.*]] =
// CHECK:           %[[SCALED:.*]] = arith.muli %[[ITEM]]
// CHECK:           %[[I:.*]] = arith.addi %[[SCALED]]
// CHECK:           memref.load %{{.*}}[%[[I]], %{{.*}}]

// CHECK-LABEL: func.func private @two.items1(
// CHECK:         arith.subi
// CHECK:         arith.ceildivsi

// Two buffers, each rounded up to 64 bytes.
// CHECK-LABEL: func.func private @two.workspace(
// CHECK-COUNT-2: arith.andi
// CHECK:         return

// CHECK-LABEL: func.func private @two(memref<?x2x16xf32> {deltanet.role = #deltanet<role q>}, f32)
// CHECK-SAME:    deltanet.items = [@two.items0, @two.items1]
// CHECK-SAME:    deltanet.stages = [@two.stage0, @two.stage1]
// CHECK-SAME:    deltanet.workspace = @two.workspace
func.func @two(%q: memref<?x2x16xf32> {deltanet.role = #deltanet<role q>},
               %scale: f32) attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.dim %q, %c0 : memref<?x2x16xf32>
  %unused = memref.alloc(%t) {deltanet.workspace} : memref<?x3xf32>
  %w = memref.alloc(%t) {deltanet.workspace} : memref<?x16xf32>
  scf.forall (%i, %j) in (%t, 2) {
    %s = memref.alloc() {deltanet.scratch, alignment = 64 : i64} : memref<256xi8>
    %v = memref.view %s[%c0][] : memref<256xi8> to memref<16xf32>
    %x = memref.load %q[%i, %j, %c1] : memref<?x2x16xf32>
    memref.store %x, %v[%c0] : memref<16xf32>
    memref.store %x, %w[%i, %j] : memref<?x16xf32>
  } {deltanet.schedule = #deltanet.schedule<recurrent, tokens = 2>}
  scf.forall (%i) = (1) to (%t) step (3) {
    %x = memref.load %w[%i, %c0] : memref<?x16xf32>
    memref.store %x, %unused[%i, %c0] : memref<?x3xf32>
  }
  return
}

// Functions that are no kernels stay.
// CHECK-LABEL: func.func @other
// CHECK:         scf.forall
func.func @other(%n: index) {
  scf.forall (%i) in (%n) {
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>

// Counts are asked before any item runs, so no memory may decide them.
func.func @count(%cu: memref<?xindex>) attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected no effect on memory between the stages of a kernel}}
  %n = memref.load %cu[%c0] : memref<?xindex>
  scf.forall (%i) in (%n) {
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>

func.func @effect(%o: memref<?xf32>, %scale: f32)
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expected no effect on memory between the stages of a kernel}}
  memref.store %scale, %o[%c0] : memref<?xf32>
  scf.forall (%i) in (4) {
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>

func.func @alloc(%scale: f32) attributes {deltanet.kernel = #kernel} {
  // expected-error@+1 {{expected a contiguous allocation marked 'deltanet.workspace' between stages}}
  %w = memref.alloc() : memref<16xf32>
  scf.forall (%i) in (4) {
    memref.store %scale, %w[%i] : memref<16xf32>
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>

func.func @scratch(%scale: f32) attributes {deltanet.kernel = #kernel} {
  scf.forall (%i) in (4) {
    // expected-error@+1 {{expected scratch of a static number of i8, got 'memref<16xf32>'}}
    %w = memref.alloc() {deltanet.scratch} : memref<16xf32>
    memref.store %scale, %w[%i] : memref<16xf32>
  }
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>

// expected-error@+1 {{expected at least one scf.forall in a kernel}}
func.func @nothing() attributes {deltanet.kernel = #kernel} {
  return
}
