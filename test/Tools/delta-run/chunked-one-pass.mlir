// One pass over the chunks of each sequence and key head, at every stage, as
// scalar code against the reference: a whole chunk and a tail, a sequence of one
// token and an empty one.

// RUN: delta-run %s --stage=chunks --lengths=1,0,33 | FileCheck %s
// RUN: delta-run %s --stage=fused --lengths=1,0,33 | FileCheck %s
// RUN: delta-run %s --stage=layout --lengths=1,0,33 | FileCheck %s
// RUN: delta-run %s --stage=tiles --lengths=1,0,33 | FileCheck %s
// RUN: delta-run %s --stage=vectors --lengths=1,0,33 | FileCheck %s
// RUN: delta-run %s --stage=buffers --lengths=1,0,33 | FileCheck %s
// CHECK: schedule #deltanet.schedule<chunked, chunk = 32, register_rows = 6>
// CHECK: o reference {{.*}} pass
// CHECK: ht reference {{.*}} pass

// In memory there is neither a copy nor an allocation inside a loop, but for the
// arena at the beginning of each parallel loop.

// RUN: delta-compile %s --isa=avx2 --emit=buffers -o - | FileCheck %s --check-prefix=BUFFERS
// BUFFERS-NOT:   memref.alloc
// BUFFERS:       scf.forall
// BUFFERS-NEXT:    memref.alloc() {alignment = 64 : i64, deltanet.scratch}
// BUFFERS-NOT:   memref.{{alloc|copy|dealloc}}
// BUFFERS-NOT:   scf.forall
// BUFFERS:       return

func.func @one_pass(%q: tensor<?x1x16xbf16>, %k: tensor<?x1x16xbf16>,
                    %v: tensor<?x2x32xbf16>, %g: tensor<?x2xf32>,
                    %beta: tensor<?x2xf32>, %s: tensor<?x2x32x16xf32>,
                    %cu: tensor<?xi32>)
    -> (tensor<?x2x32xbf16>, tensor<?x2x32x16xf32>) {
  %o, %f = deltanet.delta_rule gated, tiled, vk
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32, schedules = [#deltanet.schedule<
          chunked, chunk = 32, columns = 16, register_rows = 6>]}
      : (tensor<?x1x16xbf16>, tensor<?x1x16xbf16>, tensor<?x2x32xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x32x16xf32>,
         tensor<?xi32>)
      -> (tensor<?x2x32xbf16>, tensor<?x2x32x16xf32>)
  return %o, %f : tensor<?x2x32xbf16>, tensor<?x2x32x16xf32>
}
