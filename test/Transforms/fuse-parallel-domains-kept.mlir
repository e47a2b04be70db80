// RUN: delta-opt %s -deltanet-fuse-parallel-domains | FileCheck %s
// RUN: delta-opt %s -deltanet-fuse-parallel-domains -remarks-filter="deltanet-fusion" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Loops without a domain are not phases; nothing to do.
// CHECK-LABEL: func.func @no_phase
// CHECK-COUNT-2: scf.forall (
func.func @no_phase(%n: index, %a: tensor<?x16xf32>, %b: tensor<?x16xf32>)
    -> tensor<?x16xf32> {
  %x = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %o[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  }
  %y = scf.forall (%i) in (%n) shared_outs(%o = %b) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  }
  return %y : tensor<?x16xf32>
}

// An item that reads its neighbour's tile would depend on another item.
// REMARK: Reason="the consumer reads tiles of other work items"
// REMARK-SAME: kept [gather] over (chunk) and [gram] over (chunk) apart
// CHECK-LABEL: func.func @neighbour
// CHECK-COUNT-2: scf.forall (
func.func @neighbour(%n: index, %a: tensor<?x16xf32>, %b: tensor<?x16xf32>)
    -> tensor<?x16xf32> {
  %c1 = arith.constant 1 : index
  %x = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %o[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gather], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  %y = scf.forall (%i) in (%n) shared_outs(%o = %b) -> tensor<?x16xf32> {
    %before = arith.subi %i, %c1 : index
    %t = tensor.extract_slice %x[%before, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gram], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  return %y : tensor<?x16xf32>
}

// An output without a tile, or with two, is no output of a phase.
// REMARK: Function=no_tile | Reason="expected a schedule, an axis for each dimension, and one tile inserted into each output"
// REMARK: Function=two_tiles | Reason="expected a schedule, an axis for each dimension, and one tile inserted into each output"
// CHECK-LABEL: func.func @no_tile
// CHECK-COUNT-2: scf.forall (
func.func @no_tile(%n: index, %a: tensor<?x16xf32>, %b: tensor<?x16xf32>)
    -> tensor<?x16xf32> {
  %x = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<?x16xf32> {
    scf.forall.in_parallel {
    }
  } {deltanet.domain = #deltanet.domain<[gather], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  %y = scf.forall (%i) in (%n) shared_outs(%o = %b) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gram], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  return %y : tensor<?x16xf32>
}
// CHECK-LABEL: func.func @two_tiles
// CHECK: scf.forall (
// CHECK-COUNT-2: tensor.parallel_insert_slice
// CHECK: scf.forall (
func.func @two_tiles(%n: index, %a: tensor<?x16xf32>, %b: tensor<?x16xf32>)
    -> tensor<?x16xf32> {
  %x = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1]
        : tensor<?x16xf32> to tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 8] [1, 1]
          : tensor<8xf32> into tensor<?x16xf32>
      tensor.parallel_insert_slice %t into %o[%i, 8] [1, 8] [1, 1]
          : tensor<8xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gather], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  %y = scf.forall (%i) in (%n) shared_outs(%o = %b) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gram], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  return %y : tensor<?x16xf32>
}

// Slices of V would repeat what the key head needs once.
// REMARK: Reason="the producer would be repeated for each item of axis columns"
// CHECK-LABEL: func.func @repeated
func.func @repeated(%n: index, %a: tensor<?x16xf32>, %b: tensor<?x4x16xf32>)
    -> tensor<?x4x16xf32> {
  %x = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %o[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gram], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  %y = scf.forall (%i, %c) in (%n, 4) shared_outs(%o = %b)
      -> tensor<?x4x16xf32> {
    %t = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, %c, 0] [1, 1, 16] [1, 1, 1]
          : tensor<16xf32> into tensor<?x4x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[weights], [chunk, columns]>,
     deltanet.schedule = #deltanet.schedule<chunked>}
  return %y : tensor<?x4x16xf32>
}

// Each schedule serves its own sequences.
// REMARK: Reason="they belong to different schedules"
// CHECK-LABEL: func.func @schedules
func.func @schedules(%n: index, %a: tensor<?x16xf32>, %b: tensor<?x16xf32>)
    -> tensor<?x16xf32> {
  %x = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %o[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gather], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked, max_tokens = 9>}
  %y = scf.forall (%i) in (%n) shared_outs(%o = %b) -> tensor<?x16xf32> {
    %t = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 16] [1, 1]
          : tensor<16xf32> into tensor<?x16xf32>
    }
  } {deltanet.domain = #deltanet.domain<[gram], [chunk]>,
     deltanet.schedule = #deltanet.schedule<chunked, min_tokens = 10>}
  return %y : tensor<?x16xf32>
}
