// The IR of a stage of GPUs as scalar code, against the reference: a sequence for
// the recurrence, none, and one of a whole chunk and a tail.
// DEFINE: %{run} = delta-run %s --lengths=9,0,70
// RUN: %{run} --stage=rule --sm=80 | FileCheck %s --check-prefixes=RULE
// RUN: %{run} --stage=chunks --sm=80 | FileCheck %s
// RUN: %{run} --stage=fused --sm=90a | FileCheck %s
// RUN: %{run} --stage=fused --sm=sm_90a | FileCheck %s
// RULE: schedule recurrent{{$}}
// RULE: o reference {{.*}} 2.00e-03 {{.*}} pass
// RULE: ht reference {{.*}} 1.00e-06 {{.*}} pass
// CHECK: variant stage {{chunks|fused}} (as scalar code)
// CHECK: #deltanet.schedule<recurrent, max_tokens = 63, {{.*}} state = registers
// CHECK: #deltanet.schedule<chunked, min_tokens = 64, {{.*}} matrix = mma
// CHECK: o recurrent reference [9,2,32] {{.*}} 2.00e-03 {{.*}} pass
// CHECK: ht recurrent reference [2,2,16,32] {{.*}} 1.00e-06 {{.*}} pass
// CHECK: o chunked-matrix reference [70,2,32] {{.*}} 4.00e-03 {{.*}} pass
// CHECK: ht chunked-matrix reference [1,2,16,32] {{.*}} 4.00e-03 {{.*}} pass

// A fault in the IR shows.
// RUN: delta-compile %s --target=nvptx --sm=80 --emit=fused -o %t.fused.mlir
// RUN: delta-run %t.fused.mlir --stage=fused --lengths=9,0,70 | FileCheck %s
// RUN: sed '0,/arith.subf/s//arith.addf/' %t.fused.mlir > %t.wrong.mlir
// RUN: not delta-run %t.wrong.mlir --stage=fused --lengths=9,0,70 | FileCheck %s --check-prefix=WRONG
// WRONG: o recurrent reference {{.*}} pass
// WRONG: o chunked-matrix reference {{.*}} FAIL

// The module may name the GPU, which is not overruled in silence.
// RUN: (echo 'module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_80, multiprocessors = 108, threads = 2048, shared_bytes = 166912, shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {'; cat %s; echo '}') > %t.own.mlir
// RUN: delta-run %t.own.mlir --stage=fused --lengths=9,0,70 | FileCheck %s
// RUN: not delta-run %t.own.mlir --stage=fused --sm=90a 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: .own.mlir:1:1: error: expected a deltanet.target of #deltanet.gpu_target<chip = sm_90a{{.*}}>, as was asked for, got #deltanet.gpu_target<chip = sm_80
// RUN: not delta-run %t.own.mlir --stage=fused --target=avx2 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: .own.mlir:1:1: error: expected a deltanet.target of #deltanet.target<{{.*}}isa = avx2{{.*}}>, as was asked for, got #deltanet.gpu_target

// Other stages have no scalar code.
// DEFINE: %{other} = not delta-run %s --sm=80
// RUN: %{other} --stage=fragments 2>&1 | FileCheck %s --check-prefix=LATER -DSTAGE=fragments
// RUN: %{other} --stage=buffers 2>&1 | FileCheck %s --check-prefix=LATER -DSTAGE=buffers
// RUN: %{other} --stage=ptx 2>&1 | FileCheck %s --check-prefix=LATER -DSTAGE=ptx
// RUN: %{other} --stage=layout 2>&1 | FileCheck %s --check-prefix=LATER -DSTAGE=layout
// RUN: not delta-run %t.fused.mlir --stage=tiles 2>&1 | FileCheck %s --check-prefix=LATER -DSTAGE=tiles
// LATER: .mlir:1:1: error: expected a stage that executes as scalar code for a GPU, rule, chunks or fused, got '[[STAGE]]'
// LATER: note: the stages after 'fused' run as a library: delta-compile --sm=…, then delta-run --device=sim
// LATER: delta-run: error: {{.*}}.mlir: could not be lowered to stage '[[STAGE]]'
// RUN: not delta-run %s --stage=fragments 2>&1 | FileCheck %s --check-prefix=NO-GPU -DSTAGE=fragments
// RUN: not delta-run %s --stage=asm 2>&1 | FileCheck %s --check-prefix=NO-GPU -DSTAGE=asm
// NO-GPU: .mlir:1:1: error: expected a stage that executes as scalar code for a CPU, rule, chunks, fused, layout, tiles, vectors or buffers, got '[[STAGE]]'

func.func @gdn(%q: tensor<?x1x16xbf16>, %k: tensor<?x1x16xbf16>,
               %v: tensor<?x2x32xbf16>, %g: tensor<?x2xf32>,
               %beta: tensor<?x2xf32>, %s: tensor<?x2x16x32xf32>,
               %cu: tensor<?xi32>)
    -> (tensor<?x2x32xbf16>, tensor<?x2x16x32xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32}
      : (tensor<?x1x16xbf16>, tensor<?x1x16xbf16>, tensor<?x2x32xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x16x32xf32>, tensor<?xi32>)
      -> (tensor<?x2x32xbf16>, tensor<?x2x16x32xf32>)
  return %o, %f : tensor<?x2x32xbf16>, tensor<?x2x16x32xf32>
}
