// The token recurrence down the staircase of GPUs, each stage from the one before it, too.

// RUN: delta-opt %s -deltanet-gpu-to-fragments -o %t.fragments
// RUN: FileCheck %s --check-prefix=FRAGMENTS --input-file=%t.fragments
// RUN: delta-opt %s -deltanet-gpu-to-buffers -o %t.buffers
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.buffers
// RUN: delta-opt %s -deltanet-gpu-to-target -o %t.target
// RUN: FileCheck %s --check-prefix=TARGET --input-file=%t.target
// RUN: delta-opt %t.fragments -deltanet-verify-stage=stage=fragments -o /dev/null
// RUN: delta-opt %t.buffers -deltanet-verify-stage=stage=buffers -o /dev/null
// RUN: delta-opt %t.target -deltanet-verify-stage=stage=target -o /dev/null

// What is at one stage is not at the next.

// RUN: not delta-opt %t.fragments -deltanet-verify-stage=stage=buffers 2>&1 | FileCheck %s --check-prefix=NO-BUFFERS
// NO-BUFFERS: expected only operations of the stage 'buffers', got one of the dialect 'tensor'
// RUN: not delta-opt %t.buffers -deltanet-verify-stage=stage=target 2>&1 | FileCheck %s --check-prefix=NO-TARGET
// NO-TARGET: expected only operations of the stage 'target', got one of the dialect 'fragment'

// The state [V,K] is one tile, carried by the loop over the tokens.

// FRAGMENTS: scf.forall (%{{.*}}) in (%{{.*}}, 2, 2, 4)
// FRAGMENTS: fragment.load %{{.*}} -> <32x128xf32
// FRAGMENTS: scf.for {{.*}} -> (tensor<?x32xbf16>, !fragment.tile<32x128xf32
// FRAGMENTS-NOT: deltanet.token_step
// FRAGMENTS-NOT: linalg.
// FRAGMENTS: return

// Nothing but the tensors of the call is in memory.

// BUFFERS-NOT: memref.alloc
// BUFFERS: scf.for {{.*}} -> (!fragment.tile<32x128xf32
// BUFFERS-NOT: memref.alloc
// BUFFERS: return

// A function for calls that are aligned, of 16 bytes an access, and one for all.
// Threads share nothing but sums in a warp, so no barrier is needed. There is no
// scratch.

// TARGET: func.func private @f.stage0(
// TARGET-SAME: memref<?x2x128xbf16, strided<[?, ?, 1]>, 1>
// TARGET-SAME: memref<0xi8, 3>
// TARGET-SAME: deltanet.threads = 128 : i64, deltanet.unaligned = @f.stage0.unaligned
// TARGET-NOT: nvvm.barrier
// TARGET: nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
// TARGET: vector.load {{.*}} {alignment = 16 : i64} : memref<{{.*}}, vector<4xf32>
// TARGET: scf.for
// TARGET: nvvm.shfl.sync
// TARGET: func.func private @f.stage0.unaligned(
// TARGET-NOT: alignment = 16
// TARGET: func.func private @f.items0
// TARGET: func.func private @f.workspace
// TARGET: func.func private @f(
// TARGET-SAME: deltanet.stages = [@f.stage0]

module attributes {deltanet.target = #deltanet.gpu_target<
    chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912,
    shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {
func.func @f(%q: tensor<?x2x128xbf16>, %k: tensor<?x2x128xbf16>,
             %v: tensor<?x4x128xbf16>, %g: tensor<?x4xf32>, %b: tensor<?x4xf32>,
             %s: tensor<?x4x128x128xf32>, %cu: tensor<?xi32>)
    -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, vk q(%q) k(%k) v(%v) g(%g) beta(%b)
      state(%s) cu_seqlens(%cu) {l2norm_eps = 1.0e-6 : f32, schedules = [
          #deltanet.schedule<recurrent, value_slice = 32, state = registers, warps = 4>]}
      : (tensor<?x2x128xbf16>, tensor<?x2x128xbf16>, tensor<?x4x128xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x128x128xf32>, tensor<?xi32>)
      -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>)
  return %o, %f : tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>
}
}
