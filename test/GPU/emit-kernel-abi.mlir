// RUN: delta-opt %s --deltanet-gpu-emit-kernel-abi --split-input-file --verify-diagnostics | FileCheck %s

#kernel = #deltanet.kernel<rule = gated, head_map = tiled, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 32, io = bf16, scale = 2.5e-01 : f32, cu_seqlens = i64>
!q = memref<?x2x16xbf16, strided<[?, ?, 1]>>
!dq = memref<?x2x16xbf16, strided<[?, ?, 1]>, 1>

module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_90a, multiprocessors = 132,
    threads = 2048, shared_bytes = 232448, shared_bytes_in_all = 233472, tensor_core = wgmma,
    async_copy = tma>} {

// Stages are in the module for the device alone.
// CHECK-NOT: func.func private @f.stage

// What a CPU does is for any of them.
// CHECK-LABEL: func.func private @f.items0(
// CHECK-SAME:    passthrough = ["no-builtins", "nounwind", "alwaysinline"]
func.func private @f.stage0(%q: !dq, %cu: memref<?xi64, 1>, %scale: f32, %w: memref<?xi8, 1>,
    %scratch: memref<128xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 128 : i64, deltanet.unaligned = @f.stage0.unaligned,
                deltanet.schedule = #deltanet.schedule<recurrent>} {
  return
}
func.func private @f.stage0.unaligned(%q: !dq, %cu: memref<?xi64, 1>, %scale: f32,
    %w: memref<?xi8, 1>, %scratch: memref<128xi8, 3>, %begin: index, %end: index) {
  return
}
func.func private @f.stage1(%q: !dq, %cu: memref<?xi64, 1>, %scale: f32, %w: memref<?xi8, 1>,
    %scratch: memref<4096xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 64 : i64} {
  return
}
func.func private @f.items0(%q: !q, %cu: memref<?xi64>, %scale: f32) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %q, %c0 : !q
  return %n : index
}
func.func private @f.workspace(%q: !q, %cu: memref<?xi64>, %scale: f32) -> index {
  %c64 = arith.constant 64 : index
  return %c64 : index
}

// CHECK-LABEL: llvm.func internal @f.workspace_bytes(%{{.*}}: !llvm.ptr) -> i64
// CHECK-SAME:    passthrough = ["no-builtins", "nounwind"]
// CHECK:         call @f.workspace(
// CHECK-LABEL: llvm.func internal @f.items(%{{.*}}: !llvm.ptr, %{{.*}}: i32) -> i64
// CHECK:         case 1
// CHECK:           func.call @f.items0(
// CHECK-NOT:   @f.run

// CHECK: llvm.mlir.global private constant @f.sm_90a.stages.0("f_stage0\00")
// CHECK: llvm.mlir.global private constant @f.sm_90a.stages.0.unaligned("f_stage0_unaligned\00")
// CHECK: llvm.mlir.global private constant @f.sm_90a.stages.1("f_stage1\00")
// CHECK: llvm.mlir.global internal constant @f.sm_90a.stages() {{.*}} : !llvm.array<2 x struct<(ptr, i32, i32, ptr)>> {
// CHECK:         llvm.mlir.addressof @f.sm_90a.stages.0 : !llvm.ptr
// CHECK-NEXT:    llvm.mlir.constant(128 : i32)
// CHECK-NEXT:    llvm.mlir.constant(128 : i32)
// CHECK-NEXT:    llvm.mlir.addressof @f.sm_90a.stages.0.unaligned
// CHECK:         llvm.mlir.addressof @f.sm_90a.stages.1
// CHECK-NEXT:    llvm.mlir.constant(64 : i32)
// CHECK-NEXT:    llvm.mlir.constant(4096 : i32)
// CHECK-NEXT:    llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.mlir.global external constant @f.sm_90a.cuda() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<56 x i8>{{$}}

// 0x10000 + 90; no scratch, two stages, nothing to run on a CPU.
// CHECK: llvm.mlir.global external hidden constant @f.sm_90a()
// CHECK-SAME: deltanet.kernel = #deltanet.kernel<
// CHECK-SAME: deltanet.roles = [#deltanet<role q>, #deltanet<role cu_seqlens>, #deltanet<role scale>]
// CHECK:         llvm.mlir.constant(65626 : i32)
// CHECK:         llvm.mlir.constant(-1.000000e+00 : f32)
// CHECK-NEXT:    llvm.mlir.constant(0 : i64)
// CHECK-NEXT:    llvm.mlir.constant(64 : i32)
// CHECK-NEXT:    llvm.mlir.constant(2 : i32)
// CHECK-NEXT:    llvm.mlir.addressof @f.workspace_bytes
// CHECK-NEXT:    llvm.mlir.addressof @f.items
// CHECK-NEXT:    llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:    llvm.mlir.addressof @f.sm_90a.cuda

// CHECK-LABEL: module @f.device {
// CHECK: llvm.mlir.global external @scratch() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
// CHECK: func.func private @f_stage0.body(
// CHECK-SAME: attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["no-builtins", "nounwind", ["denormal-fp-math-f32", "preserve-sign,preserve-sign"], "alwaysinline"]}
// CHECK: llvm.func @f_stage0(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.array<232 x i8>, nvvm.grid_constant}, %[[FIRST:.*]]: i64)
// CHECK-SAME: attributes {deltanet.shared_bytes = 128 : i64, nvvm.kernel, nvvm.reqntid = array<i32: 128>, passthrough = ["no-builtins", "nounwind", ["denormal-fp-math-f32", "preserve-sign,preserve-sign"]]}

// q, in global memory; the scratch in shared memory; one item a block.
// CHECK:         %[[QP:.*]] = llvm.getelementptr %[[ARGS]][8]
// CHECK:         %[[GENERIC:.*]] = llvm.load %[[QP]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[GLOBAL:.*]] = llvm.addrspacecast %[[GENERIC]] : !llvm.ptr to !llvm.ptr<1>
// CHECK:         llvm.insertvalue %[[GLOBAL]], %{{.*}}[1]
// CHECK:         %[[Q:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?x2x16xbf16, strided<[?, ?, 1]>, 1>
// CHECK:         %[[W:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xi8, 1>
// CHECK:         %[[SHARED:.*]] = llvm.mlir.addressof @scratch : !llvm.ptr<3>
// CHECK:         llvm.insertvalue %[[SHARED]], %{{.*}}[1]
// CHECK:         %[[S:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<128xi8, 3>
// CHECK:         %[[ID:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK:         %[[BLOCK:.*]] = llvm.zext %[[ID]] : i32 to i64
// CHECK:         %[[BEGIN:.*]] = llvm.add %[[FIRST]], %[[BLOCK]] overflow<nsw, nuw>
// CHECK:         %[[END:.*]] = llvm.add %[[BEGIN]], %{{.*}} overflow<nsw, nuw>
// CHECK:         %[[I:.*]] = arith.index_cast %[[BEGIN]]
// CHECK:         %[[J:.*]] = arith.index_cast %[[END]]
// CHECK:         func.call @f_stage0.body(%[[Q]], %{{.*}}, %{{.*}}, %[[W]], %[[S]], %[[I]], %[[J]])

// CHECK: llvm.func @f_stage0_unaligned(
// CHECK-SAME: nvvm.reqntid = array<i32: 128>
// CHECK: func.call @f_stage0_unaligned.body(
// CHECK: llvm.func @f_stage1(
// CHECK-SAME: nvvm.reqntid = array<i32: 64>
// CHECK: builtin.unrealized_conversion_cast %{{.*}} to memref<4096xi8, 3>
func.func private @f(!q {deltanet.role = #deltanet<role q>},
    memref<?xi64> {deltanet.role = #deltanet<role cu_seqlens>},
    f32 {deltanet.role = #deltanet<role scale>}) attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0, @f.stage1],
  deltanet.items = [@f.items0, @f.items0], deltanet.workspace = @f.workspace}
}
