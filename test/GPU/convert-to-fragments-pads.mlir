// RUN: delta-opt %s -deltanet-gpu-convert-to-fragments | FileCheck %s

// A load makes zeros of rows that memory of dynamic size does not have, and no other
// padding.

#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv, h = 1,
                           hv = 1, k = 32, v = 32, io = bf16, scale = 1.0 : f32>
#schedule = #deltanet.schedule<chunked, value_slice = 32, chunk = 32,
                               staging = two_stage, matrix = mma, warps = 2>

// CHECK-LABEL: func.func @zeros_below
// CHECK-NOT: tensor.pad
// CHECK: fragment.load %{{.*}} : tensor<?x32xbf16> -> <32x32xbf16
// CHECK: return
func.func @zeros_below(%a: tensor<?x32xbf16>, %n: index, %d: tensor<32x32xbf16>)
    -> tensor<32x32xbf16> attributes {deltanet.kernel = #kernel} {
  %value = arith.constant 0.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xbf16>) {
    %x = tensor.pad %a low[0, 0] high[%n, 0] {
    ^bb0(%k: index, %l: index):
      tensor.yield %value : bf16
    } : tensor<?x32xbf16> to tensor<32x32xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xbf16> into tensor<32x32xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @zeros_above(
// CHECK: tensor.pad
// CHECK-NOT: fragment.
// CHECK: return
func.func @zeros_above(%a: tensor<?x32xbf16>, %n: index, %d: tensor<32x32xbf16>)
    -> tensor<32x32xbf16> attributes {deltanet.kernel = #kernel} {
  %value = arith.constant 0.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xbf16>) {
    %x = tensor.pad %a low[%n, 0] high[0, 0] {
    ^bb0(%k: index, %l: index):
      tensor.yield %value : bf16
    } : tensor<?x32xbf16> to tensor<32x32xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xbf16> into tensor<32x32xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @ones(
// CHECK: tensor.pad
// CHECK-NOT: fragment.
// CHECK: return
func.func @ones(%a: tensor<?x32xbf16>, %n: index, %d: tensor<32x32xbf16>)
    -> tensor<32x32xbf16> attributes {deltanet.kernel = #kernel} {
  %value = arith.constant 1.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xbf16>) {
    %x = tensor.pad %a low[0, 0] high[%n, 0] {
    ^bb0(%k: index, %l: index):
      tensor.yield %value : bf16
    } : tensor<?x32xbf16> to tensor<32x32xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xbf16> into tensor<32x32xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @negative_zeros(
// CHECK: tensor.pad
// CHECK-NOT: fragment.
// CHECK: return
func.func @negative_zeros(%a: tensor<?x32xbf16>, %n: index, %d: tensor<32x32xbf16>)
    -> tensor<32x32xbf16> attributes {deltanet.kernel = #kernel} {
  %value = arith.constant -0.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xbf16>) {
    %x = tensor.pad %a low[0, 0] high[%n, 0] {
    ^bb0(%k: index, %l: index):
      tensor.yield %value : bf16
    } : tensor<?x32xbf16> to tensor<32x32xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xbf16> into tensor<32x32xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @static_rows(
// CHECK: tensor.pad
// CHECK-NOT: fragment.
// CHECK: return
func.func @static_rows(%a: tensor<20x32xbf16>, %n: index, %d: tensor<32x32xbf16>)
    -> tensor<32x32xbf16> attributes {deltanet.kernel = #kernel} {
  %value = arith.constant 0.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xbf16>) {
    %x = tensor.pad %a low[0, 0] high[12, 0] {
    ^bb0(%k: index, %l: index):
      tensor.yield %value : bf16
    } : tensor<20x32xbf16> to tensor<32x32xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xbf16> into tensor<32x32xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @columns(
// CHECK: tensor.pad
// CHECK-NOT: fragment.
// CHECK: return
func.func @columns(%a: tensor<?x16xbf16>, %n: index, %d: tensor<32x32xbf16>)
    -> tensor<32x32xbf16> attributes {deltanet.kernel = #kernel} {
  %value = arith.constant 0.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xbf16>) {
    %x = tensor.pad %a low[0, 0] high[%n, 16] {
    ^bb0(%k: index, %l: index):
      tensor.yield %value : bf16
    } : tensor<?x16xbf16> to tensor<32x32xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xbf16> into tensor<32x32xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @dynamic_columns(
// CHECK: tensor.pad
// CHECK-NOT: fragment.
// CHECK: return
func.func @dynamic_columns(%a: tensor<?x?xbf16>, %n: index, %d: tensor<32x32xbf16>)
    -> tensor<32x32xbf16> attributes {deltanet.kernel = #kernel} {
  %value = arith.constant 0.0 : bf16
  %r = scf.forall (%i) in (1) shared_outs(%o = %d) -> (tensor<32x32xbf16>) {
    %x = tensor.pad %a low[0, 0] high[%n, 0] {
    ^bb0(%k: index, %l: index):
      tensor.yield %value : bf16
    } : tensor<?x?xbf16> to tensor<32x32xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0, 0] [32, 32] [1, 1]
          : tensor<32x32xbf16> into tensor<32x32xbf16>
    }
  } {deltanet.schedule = #schedule}
  return %r : tensor<32x32xbf16>
}
