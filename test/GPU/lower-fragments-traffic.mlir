// REQUIRES: asm-nvptx
// RUN: %python %S/Inputs/kernels.py %s %t.ptx
// RUN: delta-ptxsim %t.ptx --kernel=step --grid=1 --block=128 --arg=s=in:f32:32x128:iota \
// RUN:     --arg=k=in:f32:128:iota --arg=o=out:f32:32x128 --arg=z=out:f32:32 --print=o:2 \
// RUN:     --print=z:2 --report | FileCheck %s --check-prefix=STEP
// RUN: delta-ptxsim %t.ptx --kernel=turn --grid=1 --block=64 --arg=x=in:bf16:64x64:iota \
// RUN:     --arg=y=out:bf16:64x64 --print=y:3 --report | FileCheck %s --check-prefix=TURN
// RUN: delta-ptxsim %t.ptx --kernel=through --grid=1 --block=64 --arg=x=in:f32:64x64:iota \
// RUN:     --arg=y=out:f32:64x64 --print=y:3 --report | FileCheck %s --check-prefix=THROUGH
// RUN: delta-ptxsim %t.ptx --kernel=scores --grid=1 --block=128 --arg=q=in:bf16:64x128:one \
// RUN:     --arg=k=in:bf16:64x128:iota --arg=s=out:f32:64x64 --print=s:3 --report \
// RUN:   | FileCheck %s --check-prefix=SCORES
// RUN: delta-ptxsim %t.ptx --kernel=values --grid=1 --block=128 --arg=x=in:f32:64x64:one \
// RUN:     --arg=t=in:f32:64x64:iota --arg=d=out:f32:64x64 --print=d:3 --report \
// RUN:   | FileCheck %s --check-prefix=VALUES

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
!s = !fragment.tile<32x128xf32, #lanes>

// A token of a recurrence: 16 bytes a lane, whole lines. Sums that are needed in
// every lane of a row take 4 + 2 + 1 + 1 + 1 exchanges and 8 copies for each of the 4
// warps; those that are only stored no copies, and one lane of 4 stores each.
// STEP: step: {{.*}} 0 findings
// STEP-NEXT: o: 0 690881
// STEP-NEXT: z: 690880 1731264
// STEP-DAG: {{^}}72 {{.*}}shfl.sync.bfly.b32
// STEP-DAG: {{^}}32 {{.*}}shfl.sync.idx.b32
// STEP-COUNT-8: global 4 2048 64 64 1.00 ld.global.v4.b32
// STEP: global 4 2048 64 64 1.00 ld.global.v4.b32
// STEP-COUNT-8: global 4 2048 64 64 1.00 st.global.v4.b32
// STEP-NEXT: global 4 128 4 4 1.00 st.global.b32
#rows = #fragment.lanes<lanes = [8, 4], warps = [4, 1]>
func.func @step(%state: memref<32x128xf32, 1>, %key: memref<128xf32, 1>,
                %out: memref<32x128xf32, 1>, %sums: memref<32xf32, 1>)
    attributes {nvvm.reqntid = array<i32: 128>} {
  %s = fragment.load %state alignment 16 : memref<32x128xf32, 1> -> !s
  %k = fragment.load %key dims [1] alignment 16
      : memref<128xf32, 1> -> !fragment.tile<1x128xf32, #lanes>
  %p = fragment.map %s, %k : (!s, !fragment.tile<1x128xf32, #lanes>) -> !s {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b fastmath<contract> : f32
    fragment.yield %c : f32
  }
  %read = fragment.reduce %p along 1 : !s -> !fragment.tile<32x1xf32, #lanes>
  %new = fragment.map %read, %k, %s
      : (!fragment.tile<32x1xf32, #lanes>, !fragment.tile<1x128xf32, #lanes>, !s) -> !s {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %c = math.fma %a, %b, %old : f32
    fragment.yield %c : f32
  }
  fragment.store %new, %out alignment 16 : !s, memref<32x128xf32, 1>
  %total = fragment.reduce %p along 1 : !s -> !fragment.tile<32x1xf32, #rows>
  fragment.store %total, %sums dims [0] : !fragment.tile<32x1xf32, #rows>, memref<32xf32, 1>
  return
}

// Transposed: the 4 neighbouring rows of a thread are neighbours in memory.
// TURN: turn: {{.*}} 0 findings
// TURN-NEXT: y: 0 64 128
// TURN: {{^}}32 {{.*}}st.global.v4.b16
// TURN: {{^}}32 {{.*}}ld.global.v4.b16
// TURN-NOT: ld.global.b16
#blocks = #fragment.lanes<lanes = [8, 4], warps = [2, 1]>
func.func @turn(%x: memref<64x64xbf16, 1>, %y: memref<64x64xbf16, 1>)
    attributes {nvvm.reqntid = array<i32: 64>} {
  %t = fragment.load %x dims [1, 0] alignment 16
      : memref<64x64xbf16, 1> -> !fragment.tile<64x64xbf16, #blocks>
  fragment.store %t, %y alignment 8 : !fragment.tile<64x64xbf16, #blocks>, memref<64x64xbf16, 1>
  return
}

// From one layout to another through shared memory.
// THROUGH: through: {{.*}} 0 findings
// THROUGH-NEXT: y: 0 1 2
// THROUGH-COUNT-16: shared 2 1024 8 8 1.00 st.shared.v4.b32
// THROUGH: shared {{.*}} ld.shared.v2.b32
#half_rows = #fragment.lanes<lanes = [2, 16], warps = [2, 1]>
#pieces = #fragment.accumulator<warps = [2, 1]>
memref.global "private" @buffer : memref<64x64xf32, 3> = uninitialized {alignment = 16}
func.func @through(%x: memref<64x64xf32, 1>, %y: memref<64x64xf32, 1>)
    attributes {nvvm.reqntid = array<i32: 64>} {
  %b = memref.get_global @buffer : memref<64x64xf32, 3>
  %t = fragment.load %x alignment 16 : memref<64x64xf32, 1> -> !fragment.tile<64x64xf32, #half_rows>
  fragment.store %t, %b alignment 16 : !fragment.tile<64x64xf32, #half_rows>, memref<64x64xf32, 3>
  fragment.barrier
  %u = fragment.load %b alignment 16 : memref<64x64xf32, 3> -> !fragment.tile<64x64xf32, #pieces>
  fragment.store %u, %y alignment 16 : !fragment.tile<64x64xf32, #pieces>, memref<64x64xf32, 1>
  return
}

// Scores of a chunk: 64 queries and keys. Copies and operands of tensor cores meet
// no bank conflicts, and no product waits for a register to be packed.
// SCORES: scores: {{.*}} 0 findings
// SCORES-NEXT: s: 8128 24512 40896
// SCORES-DAG: {{^}}256 {{.*}}mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// SCORES-DAG: {{^}}160 {{.*}}ldmatrix.sync.aligned.m8n8.x4.shared.b16
// SCORES-NOT: mov.b32 {
// SCORES-COUNT-16: global 4 2048 64 64 1.00 cp.async.cg.shared.global
// SCORES-COUNT-40: shared 4 2048 16 16 1.00 ldmatrix
// SCORES-COUNT-16: global 4 1024 32 32 1.00 st.global.v2.b32
#left = #fragment.left<warps = [4, 1]>
#sums = #fragment.accumulator<warps = [4, 1]>
memref.global "private" @q_shared : memref<64x128xbf16, 3> = uninitialized {alignment = 16}
memref.global "private" @k_shared : memref<64x128xbf16, 3> = uninitialized {alignment = 16}
func.func @scores(%q: memref<64x128xbf16, 1>, %k: memref<64x128xbf16, 1>, %s: memref<64x64xf32, 1>)
    attributes {nvvm.reqntid = array<i32: 128>} {
  %qs = memref.get_global @q_shared : memref<64x128xbf16, 3>
  %ks = memref.get_global @k_shared : memref<64x128xbf16, 3>
  fragment.copy_async %q to %qs alignment 16 swizzled
      : memref<64x128xbf16, 1>, memref<64x128xbf16, 3>
  fragment.copy_async %k to %ks alignment 16 swizzled
      : memref<64x128xbf16, 1>, memref<64x128xbf16, 3>
  fragment.commit
  fragment.wait 0
  fragment.barrier
  %left = fragment.load %qs swizzled
      : memref<64x128xbf16, 3> -> !fragment.tile<64x128xbf16, #left>
  %zero = arith.constant 0.0 : f32
  %zeros = fragment.splat %zero : !fragment.tile<64x64xf32, #sums>
  %product = fragment.mma %left, %ks, %zeros dims [1, 0]
      : !fragment.tile<64x128xbf16, #left>, memref<64x128xbf16, 3>,
        !fragment.tile<64x64xf32, #sums>
  fragment.store %product, %s alignment 16
      : !fragment.tile<64x64xf32, #sums>, memref<64x64xf32, 1>
  return
}

// Values of a chunk, products of TF32: 8 bytes a lane and product, no conflicts, and
// nothing is exchanged between what was an accumulator and the operand.
// VALUES: values: {{.*}} 0 findings
// VALUES-NEXT: d: 2016 6112 10208
// VALUES-DAG: {{^}}256 {{.*}}mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// VALUES-DAG: {{^}}256 {{.*}}ld.shared.v2.b32
// VALUES-NOT: shfl
// VALUES-COUNT-64: shared 4 1024 8 8 1.00 ld.shared.v2.b32
memref.global "private" @t_shared : memref<64x64xf32, 3> = uninitialized {alignment = 16}
func.func @values(%x: memref<64x64xf32, 1>, %t: memref<64x64xf32, 1>, %d: memref<64x64xf32, 1>)
    attributes {nvvm.reqntid = array<i32: 128>} {
  %ts = memref.get_global @t_shared : memref<64x64xf32, 3>
  fragment.copy_async %t to %ts alignment 16 swizzled : memref<64x64xf32, 1>, memref<64x64xf32, 3>
  fragment.commit
  fragment.wait 0
  fragment.barrier
  %sums = fragment.load %x alignment 8
      : memref<64x64xf32, 1> -> !fragment.tile<64x64xf32, #sums>
  %left = fragment.cast %sums
      : !fragment.tile<64x64xf32, #sums> to !fragment.tile<64x64xf32, #left>
  %zero = arith.constant 0.0 : f32
  %zeros = fragment.splat %zero : !fragment.tile<64x64xf32, #sums>
  %product = fragment.mma %left, %ts, %zeros dims [1, 0]
      : !fragment.tile<64x64xf32, #left>, memref<64x64xf32, 3>, !fragment.tile<64x64xf32, #sums>
  fragment.store %product, %d alignment 16
      : !fragment.tile<64x64xf32, #sums>, memref<64x64xf32, 1>
  return
}
