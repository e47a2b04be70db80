// RUN: delta-opt %s -deltanet-cpu-stream-tiles | FileCheck %s

// Left operands of products only: not sums, not right ones.

// CHECK-LABEL: llvm.func @step
// CHECK: %[[SUMS:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK: %[[LEFT:.*]] = llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"
// CHECK: %[[RIGHT:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"({{.*}}, %[[SUMS]], %[[LEFT]], %[[RIGHT]])
llvm.func @step(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) {
  %rows = llvm.mlir.constant(16 : i16) : i16
  %bytes = llvm.mlir.constant(64 : i16) : i16
  %stride = llvm.mlir.constant(64 : i64) : i64
  %s = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(
      %rows, %bytes, %c, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %l = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(
      %rows, %bytes, %a, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %r = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(
      %rows, %bytes, %b, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %p = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(
      %rows, %bytes, %bytes, %s, %l, %r)
      : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
      -> !llvm.x86_amx
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(
      %rows, %bytes, %c, %stride, %p)
      : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  llvm.return
}

// Calls that are no products of three tiles stay as they are.

// CHECK-LABEL: llvm.func @short
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"
llvm.func @short(%a: i16) {
  %p = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%a, %a, %a, %a)
      : (i16, i16, i16, i16) -> !llvm.x86_amx
  llvm.return
}
