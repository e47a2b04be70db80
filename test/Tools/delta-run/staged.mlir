// The IR of a stage as scalar code, against the reference.
// RUN: delta-run %s --stage=rule --kernel gdn --target=generic --lengths=3,0,18 \
// RUN:   --strides=padded | FileCheck %s --check-prefixes=CHECK,RULE
// RUN: delta-run %s --stage=chunks --kernel gdn --target=generic --lengths=1,0,18 | FileCheck %s --check-prefixes=CHECK,CHUNKS
// CHECK: kernel gdn: gated, H=1 HV=2 K=16 V=32, bf16, tiled heads, vk state, scale 0.250000, L2 norm eps 1.0e-06
// RULE: variant stage rule (as scalar code)
// RULE: schedule recurrent{{$}}
// CHUNKS: variant stage chunks (as scalar code)
// CHUNKS: schedule #deltanet.schedule<recurrent
// CHECK: o reference {{.*}} 2.00e-03 {{.*}} pass
// CHECK: ht reference {{.*}} 1.00e-06 {{.*}} pass

// A file whose kernels are in canonical form is taken to be at the stage.
// RUN: delta-opt %s --pass-pipeline='builtin.module(deltanet-to-rule{schedule=#deltanet.schedule<recurrent>})' -o %t.rule.mlir
// RUN: delta-run %t.rule.mlir --stage=rule --kernel delta --shape T=9 --repeat=2

// RUN: not delta-run %s --stage=rule 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: delta-run: error: {{.*}}staged.mlir: expected one kernel, got 'gdn', 'delta'
// RUN: not delta-run %s --stage=rule --kernel no 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: delta-run: error: {{.*}}staged.mlir: expected a kernel 'no', got 'gdn', 'delta'
// RUN: not delta-run %t.none.mlir --stage=rule 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: {{^}}delta-run: error: cannot open input file '{{.*}}none.mlir': No such file or directory
// RUN: not delta-run %S/usage.test --stage=rule 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: usage.test:1:1: error:
// PARSE: delta-run: error: {{.*}}usage.test: expected a module of MLIR
// RUN: cp /bin/sh %t.binary
// RUN: not delta-run %t.binary --stage=rule 2>&1 | FileCheck %s --check-prefix=BINARY
// BINARY: {{^}}delta-run: error: {{.*}}.binary: expected a module of MLIR, got a binary file

// What is settled already is not overruled in silence.
// RUN: not delta-run %t.rule.mlir --stage=rule --kernel delta --target=avx2 2>&1 | FileCheck %s --check-prefix=SETTLED
// RUN: not delta-run %t.rule.mlir --stage=rule --kernel delta --schedule='#deltanet.schedule<recurrent>' 2>&1 | FileCheck %s --check-prefix=SETTLED
// SETTLED: .rule.mlir:1:1: error: expected rules to choose a target or schedules for, got kernels in canonical form
// RUN: (echo 'module attributes {deltanet.target = #deltanet.target<arch = x86_64, isa = generic, vector_bits = 128, vector_registers = 16, vector_units = 2, fma = false, l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {'; cat %s; echo '}') > %t.own.mlir
// RUN: delta-run %t.own.mlir --stage=chunks --kernel delta --target=generic --shape T=3
// RUN: not delta-run %t.own.mlir --stage=chunks --kernel delta --target=avx2 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: .own.mlir:1:1: error: expected a deltanet.target of #deltanet.target<{{.*}}isa = avx2{{.*}}>, as was asked for, got #deltanet.target<{{.*}}isa = generic
// RUN: not delta-run %t.rule.mlir --stage=chunks --kernel delta 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: 'deltanet.delta_rule' op expected to be lowered at the stage 'chunks', got a whole rule

func.func @gdn(%q: tensor<?x1x16xbf16>, %k: tensor<?x1x16xbf16>,
               %v: tensor<?x2x32xbf16>, %g: tensor<?x2xf32>,
               %beta: tensor<?x2xf32>, %s: tensor<?x2x32x16xf32>,
               %cu: tensor<?xi32>)
    -> (tensor<?x2x32xbf16>, tensor<?x2x32x16xf32>) {
  %o, %f = deltanet.delta_rule gated, tiled, vk
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32}
      : (tensor<?x1x16xbf16>, tensor<?x1x16xbf16>, tensor<?x2x32xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x32x16xf32>,
         tensor<?xi32>)
      -> (tensor<?x2x32xbf16>, tensor<?x2x32x16xf32>)
  return %o, %f : tensor<?x2x32xbf16>, tensor<?x2x32x16xf32>
}

func.func @delta(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                 %v: tensor<?x1x16xf32>, %beta: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
