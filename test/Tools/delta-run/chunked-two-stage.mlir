// Two stages, chunks and then sequences, at every stage of the compiler, as
// scalar code against the reference: whole chunks, a tail and an empty sequence.

// RUN: delta-run %s --stage=chunks --lengths=50,0,16 | FileCheck %s
// RUN: delta-run %s --stage=fused --lengths=50,0,16 | FileCheck %s
// RUN: delta-run %s --stage=layout --lengths=50,0,16 | FileCheck %s
// RUN: delta-run %s --stage=tiles --lengths=50,0,16 | FileCheck %s
// RUN: delta-run %s --stage=vectors --lengths=50,0,16 | FileCheck %s
// RUN: delta-run %s --stage=buffers --lengths=50,0,16 | FileCheck %s
// CHECK: schedule #deltanet.schedule<chunked, value_slice = 16, columns = 8, chunk = 16, staging = two_stage>
// CHECK: o reference {{.*}} pass
// CHECK: ht reference {{.*}} pass

// In memory there is neither a copy nor an allocation inside a loop, but for the
// arena at the beginning of each parallel loop.

// RUN: delta-compile %s --isa=avx2 --emit=buffers -o - | FileCheck %s --check-prefix=BUFFERS
// BUFFERS:       memref.alloc({{.*}}) {alignment = 64 : i64, deltanet.workspace}
// BUFFERS:       scf.forall
// BUFFERS-NEXT:    memref.alloc() {alignment = 64 : i64, deltanet.scratch}
// BUFFERS-NOT:   memref.{{alloc|copy|dealloc}}
// BUFFERS:       scf.forall
// BUFFERS-NEXT:    memref.alloc() {alignment = 64 : i64, deltanet.scratch}
// BUFFERS-NOT:   memref.{{alloc|copy|dealloc}}
// BUFFERS-NOT:   scf.forall
// BUFFERS:       return

func.func @two_stage(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                     %v: tensor<?x2x32xf32>, %beta: tensor<?x2xf32>,
                     %cu: tensor<?xi32>)
    -> (tensor<?x2x32xf32>, tensor<?x2x16x32xf32>) {
  %o, %f = deltanet.delta_rule delta, grouped, kv
      q(%q) k(%k) v(%v) beta(%beta) cu_seqlens(%cu)
      {schedules = [#deltanet.schedule<chunked, chunk = 16, columns = 8,
          value_slice = 16, staging = two_stage, register_rows = 4>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x2x32xf32>,
         tensor<?x2xf32>, tensor<?xi32>)
      -> (tensor<?x2x32xf32>, tensor<?x2x16x32xf32>)
  return %o, %f : tensor<?x2x32xf32>, tensor<?x2x16x32xf32>
}
