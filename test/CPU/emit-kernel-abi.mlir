// RUN: delta-opt %s --deltanet-cpu-emit-kernel-abi --split-input-file --verify-diagnostics | FileCheck %s

#kernel = #deltanet.kernel<rule = gated, head_map = tiled, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 32, io = bf16, scale = 2.5e-01 : f32,
    cu_seqlens = i64,
    schedules = [#deltanet.schedule<recurrent, max_tokens = 15, tokens = 2>,
                 #deltanet.schedule<chunked, min_tokens = 16, chunk = 32>]>
!q = memref<?x2x16xi16, strided<[?, ?, 1]>>
!s = memref<?x4x16x32xf32, strided<[?, ?, 32, 1]>>

module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
    fma = true, l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {

// The functions of the target step are internal and inlined.
// CHECK-LABEL: func.func private @f.stage0(
// CHECK-SAME:    llvm.linkage = #llvm.linkage<internal>
// CHECK-SAME:    ["target-features", "+avx2,+fma,+f16c,+bmi2"]
// CHECK-SAME:    "alwaysinline"
func.func private @f.stage0(%q: !q, %s: !s, %cu: memref<?xi64>, %scale: f32,
    %w: memref<?xi8>, %scratch: memref<128xi8>, %begin: index, %end: index) {
  return
}
func.func private @f.stage1(%q: !q, %s: !s, %cu: memref<?xi64>, %scale: f32,
    %w: memref<?xi8>, %scratch: memref<4096xi8>, %begin: index, %end: index) {
  return
}
func.func private @f.items0(%q: !q, %s: !s, %cu: memref<?xi64>, %scale: f32) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %q, %c0 : !q
  return %n : index
}
func.func private @f.items1(%q: !q, %s: !s, %cu: memref<?xi64>, %scale: f32) -> index {
  %c7 = arith.constant 7 : index
  return %c7 : index
}
func.func private @f.workspace(%q: !q, %s: !s, %cu: memref<?xi64>, %scale: f32) -> index {
  %c64 = arith.constant 64 : index
  return %c64 : index
}

// CHECK-LABEL: llvm.func internal @f.workspace_bytes(%{{.*}}: !llvm.ptr) -> i64
// CHECK:         call @f.workspace(

// CHECK-LABEL: llvm.func internal @f.items(%{{.*}}: !llvm.ptr, %{{.*}}: i32) -> i64
// CHECK:         scf.index_switch
// CHECK:         case 0
// CHECK:           func.call @f.items0(
// CHECK:         case 1
// CHECK:           func.call @f.items1(

// The environment is replaced (0x1f80 with flush bits: 40896) and restored.
// CHECK-LABEL: llvm.func internal @f.run(
// CHECK-SAME:    %[[ARGS:.*]]: !llvm.ptr, %{{.*}}: i32, %[[SCRATCH:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.stmxcsr"(%[[SLOT:[^)]*]])
// CHECK:         %[[SAVED:.*]] = llvm.load %[[SLOT]]
// CHECK:         llvm.mlir.constant(40896 : i32)
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"

// q: pointer, T, strides of tokens and heads.
// CHECK:         %[[QP:.*]] = llvm.getelementptr %[[ARGS]][8]
// CHECK:         %[[Q:.*]] = llvm.load %[[QP]] : !llvm.ptr -> !llvm.ptr
// CHECK:         llvm.insertvalue %[[Q]], %{{.*}}[1]
// CHECK:         builtin.unrealized_conversion_cast %{{.*}} to memref<?x2x16xi16, strided<[?, ?, 1]>>
// CHECK:         builtin.unrealized_conversion_cast %{{.*}} to memref<?x4x16x32xf32, strided<[?, ?, 32, 1]>>

// cu_seqlens: N + 1 entries.
// CHECK:         %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
// CHECK:         llvm.add %[[N]], %[[ONE]]
// CHECK:         builtin.unrealized_conversion_cast %{{.*}} to memref<?xi64>

// CHECK:         %[[GIVEN:.*]] = llvm.icmp "ne"
// CHECK:         %[[OWN:.*]] = llvm.mlir.constant(2.500000e-01 : f32)
// CHECK:         llvm.select %[[GIVEN]], %{{.*}}, %[[OWN]]

// CHECK:         case 0
// CHECK:           builtin.unrealized_conversion_cast %{{.*}} to memref<128xi8>
// CHECK:           func.call @f.stage0(
// CHECK:         case 1
// CHECK:           builtin.unrealized_conversion_cast %{{.*}} to memref<4096xi8>
// CHECK:           func.call @f.stage1(
// CHECK:         llvm.store %[[SAVED]], %[[BACK:[^ ]*]] : i32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[BACK]])

// CHECK: llvm.mlir.global private constant @f.avx2.name("f\00")
// CHECK: llvm.mlir.global private constant @f.avx2.schedules("recurrent min_tokens=0 max_tokens=15 value_slice=0 columns=16 tokens=2 rows=1 block=64 state=scratch prefetch=0\0Achunked min_tokens=16 value_slice=0 columns=16 chunk=32 staging=one_pass register_rows=4\00")
// CHECK: llvm.mlir.global external hidden constant @f.avx2()
// CHECK-SAME: deltanet.kernel = #deltanet.kernel<
// CHECK-SAME: deltanet.roles = [#deltanet<role q>, #deltanet<role state_out>, #deltanet<role cu_seqlens>, #deltanet<role scale>]
// Size, versions; level, rule, types, maps and operands; then shapes.
// CHECK:         llvm.mlir.constant(152 : i32)
// CHECK-NEXT:    llvm.mlir.constant(1 : i16)
// CHECK-NEXT:    llvm.mlir.constant(1 : i16)
// CHECK:         llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    llvm.mlir.constant(2 : i32)
// CHECK-NEXT:    llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    llvm.mlir.constant(5 : i32)
// CHECK-NEXT:    llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    llvm.mlir.constant(0 : i32)
// CHECK-NEXT:    llvm.mlir.constant(12 : i32)
// CHECK-NEXT:    llvm.mlir.constant(-1 : i64)
// CHECK-NEXT:    llvm.mlir.constant(2 : i64)
// CHECK-NEXT:    llvm.mlir.constant(4 : i64)
// CHECK-NEXT:    llvm.mlir.constant(16 : i64)
// CHECK-NEXT:    llvm.mlir.constant(32 : i64)
// CHECK-NEXT:    llvm.mlir.constant(2.500000e-01 : f32)
// CHECK-NEXT:    llvm.mlir.constant(-1.000000e+00 : f32)
// CHECK-NEXT:    llvm.mlir.constant(4096 : i64)
// CHECK-NEXT:    llvm.mlir.constant(64 : i32)
// CHECK-NEXT:    llvm.mlir.constant(2 : i32)
// CHECK-NEXT:    llvm.mlir.addressof @f.workspace_bytes
// CHECK-NEXT:    llvm.mlir.addressof @f.items
// CHECK-NEXT:    llvm.mlir.addressof @f.run
// CHECK-NEXT:    llvm.mlir.zero : !llvm.ptr
func.func private @f(!q {deltanet.role = #deltanet<role q>},
    !s {deltanet.role = #deltanet<role state_out>},
    memref<?xi64> {deltanet.role = #deltanet<role cu_seqlens>},
    f32 {deltanet.role = #deltanet<role scale>}) attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0, @f.stage1],
  deltanet.items = [@f.items0, @f.items1], deltanet.workspace = @f.workspace}
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// expected-error@+1 {{expected the name of a kernel to be a C identifier, got 'a-b'}}
func.func private @"a-b"() attributes {deltanet.kernel = #kernel}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// expected-error@+1 {{expected the name of a kernel that leaves dn_query to the runtime, got 'query'}}
func.func private @query() attributes {deltanet.kernel = #kernel}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// expected-error@+1 {{expected a 'deltanet.role' on argument 0, got none}}
func.func private @f(f32) attributes {deltanet.kernel = #kernel}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// expected-error@+1 {{expected q with a stride of 1 in dimension 2}}
func.func private @f(memref<?x1x16xf32, strided<[?, 1, ?]>> {deltanet.role = #deltanet<role q>})
    attributes {deltanet.kernel = #kernel}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// expected-error@+1 {{expected a kernel that is split into work items, got one without its functions}}
func.func private @f(f32 {deltanet.role = #deltanet<role scale>})
    attributes {deltanet.kernel = #kernel}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
module {
// expected-error@-1 {{expected a #deltanet.target in 'deltanet.target', got none}}
func.func private @f.stage0(%scale: f32, %w: memref<?xi8>, %s: memref<0xi8>, %b: index, %e: index) {
  return
}
func.func private @f.count(%scale: f32) -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func private @f(f32 {deltanet.role = #deltanet<role scale>}) attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0],
  deltanet.items = [@f.count], deltanet.workspace = @f.count}
}

// -----

// A kernel is no part of itself.
#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// expected-error@+1 {{expected '@f' to be a function of the arguments of the kernel to index, got a kernel}}
func.func @f() attributes {deltanet.kernel = #kernel,
    deltanet.stages = [@f], deltanet.items = [@f], deltanet.workspace = @f} {
  return
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
func.func private @f.count() -> index
// expected-error@+1 {{expected '@f.count' to be a function of the arguments of the kernel to index, got a declaration}}
func.func private @f() attributes {deltanet.kernel = #kernel,
    deltanet.stages = [@f.count], deltanet.items = [@f.count],
    deltanet.workspace = @f.count}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func private @f.stage0(%w: memref<?xi8>, %s: memref<?xi8>, %b: index, %e: index) {
  return
}
// expected-error@+1 {{expected '@f.stage0' to be a function of the arguments of the kernel, memref<?xi8>, a static memref of i8, index and index without results, got '(memref<?xi8>, memref<?xi8>, index, index) -> ()'}}
func.func private @f() attributes {deltanet.kernel = #kernel,
    deltanet.stages = [@f.stage0], deltanet.items = [@f.count],
    deltanet.workspace = @f.count}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
// Without the scale of the kernel.
// expected-error@+1 {{expected '@f.count' to be a function of the arguments of the kernel to index, got '() -> index'}}
func.func private @f(f32 {deltanet.role = #deltanet<role scale>}) attributes {
    deltanet.kernel = #kernel, deltanet.stages = [@f.count],
    deltanet.items = [@f.count], deltanet.workspace = @f.count}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// Attributes of another kind name no functions.
// expected-error@+1 {{expected a kernel that is split into work items, got one without its functions}}
func.func private @f() attributes {deltanet.kernel = #kernel,
    deltanet.stages = [1 : i64], deltanet.items = [@nowhere],
    deltanet.workspace}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
// expected-error@+1 {{expected q in the default memory space, got 'memref<?x1x16xf32, strided<[?, ?, 1]>, "here">'}}
func.func private @f(memref<?x1x16xf32, strided<[?, ?, 1]>, "here"> {deltanet.role = #deltanet<role q>})
    attributes {deltanet.kernel = #kernel}
