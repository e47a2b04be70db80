//===- Passes.td - Every pass, in pipeline order ------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
// Read from top to bottom: this is the pipeline. The headings are the stages of
// lib/Pipelines/Stages.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_PASSES
#define DELTANET_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// rule
//===----------------------------------------------------------------------===//

def FormKernels : Pass<"deltanet-form-kernels", "::mlir::ModuleOp"> {
  let summary = "give every kernel function its canonical, destination-passing "
                "form";
  let description = [{
    A kernel is a public function whose body is one `deltanet.delta_rule` on its
    arguments, and a module holds kernels alone. The pass checks that, orders the
    arguments (q, k, v, g, beta, state_in, cu_seqlens, scale, o, state_out, those
    that exist), names each by a `deltanet.role`, makes the scale an argument and
    the outputs destinations. Kernels that have this form already are checked and
    left as they are. All later passes and the C ABI rely on it.

    Before:
    ```mlir
    func.func @f(%q: …, %k: …, %v: …, %b: …) -> tensor<?x2x16xf32> {
      %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : …
      return %o
    }
    ```
    After:
    ```mlir
    func.func @f(%q: … {deltanet.role = #deltanet<role q>}, …, %scale: f32,
                 %dst: tensor<?x2x16xf32> {deltanet.role = #deltanet<role o>})
        attributes {deltanet.kernel = #deltanet.kernel<…>} {
      %o = deltanet.delta_rule … scale(%scale) outs(%dst) : …
      return %o
    }
    ```
  }];
}

def SelectSchedule : Pass<"deltanet-select-schedule", "::mlir::ModuleOp"> {
  let summary = "choose how each delta_rule is computed";
  let description = [{
    Sets `schedules` of every rule: those given by the option, else those that
    the rule already has, else the choice of the cost model for the module's
    `deltanet.target` (lib/Schedule/CostModel.cpp). Where T is dynamic
    there may be several, each for a range of sequence lengths. A remark of the
    category `deltanet-schedule` says what was chosen and why; a warning names the
    lengths that no schedule serves, and it is an error if those are all. So
    is a given schedule with a matrix unit that the target lacks.

    Before:
    ```mlir
    %o, %s = deltanet.delta_rule … outs(%od, %sd)
    ```
    After:
    ```mlir
    %o, %s = deltanet.delta_rule … outs(%od, %sd) {schedules = [
        #deltanet.schedule<recurrent, max_tokens = 1, rows = 4,
                           state = memory, prefetch = 65536>,
        #deltanet.schedule<recurrent, min_tokens = 2, tokens = 2, rows = 2>]}
    ```
  }];
  let options = [Option<
      "schedule", "schedule", "std::string", /*default=*/"\"\"",
      "one or more #deltanet.schedule<…> to use for every rule, separated by "
      "';'">];
}

def SpecializeByLength
    : Pass<"deltanet-specialize-by-length", "::mlir::ModuleOp"> {
  let summary = "split a delta_rule with several schedules into one for each";
  let description = [{
    The rules are chained through their destinations, and each writes only the
    rows of the sequences whose length its schedule serves.

    Before:
    ```mlir
    %o = deltanet.delta_rule … outs(%dst) {schedules = [#a, #b]}
    ```
    After:
    ```mlir
    %1 = deltanet.delta_rule … outs(%dst) {schedules = [#a]}
    %o = deltanet.delta_rule … outs(%1) {schedules = [#b]}
    ```
  }];
}

//===----------------------------------------------------------------------===//
// chunks
//===----------------------------------------------------------------------===//

def ExpandRecurrence
    : Pass<"deltanet-expand-recurrence", "::mlir::ModuleOp"> {
  let summary = "write recurrent schedules as loops over tokens";
  let description = [{
    Replaces each `delta_rule` with a `recurrent` schedule by one `scf.forall`
    over (sequence, key head, slice of value columns). With `state = scratch` an
    item keeps the states of all value heads of its key head in scratch, blocked
    by W columns, and goes through blocks of tokens with
    `deltanet.recurrence_pass`; beside each pass `memref.prefetch` asks for rows
    of q, k, v and o that come next. With `state = memory` it reads and writes the
    state once, where it lies, for one token, with `deltanet.token_step`. With
    `state = registers`, for GPUs, items are value heads, too, and a loop over the
    tokens carries the state through one `deltanet.token_step` each.

    Before:
    ```mlir
    %o, %s = deltanet.delta_rule … outs(%od, %sd)
        {schedules = [#deltanet.schedule<recurrent, tokens = 2, …>]}
    ```
    After:
    ```mlir
    %r:2 = scf.forall (%n, %h, %c) in (%N, 16, 1)
        shared_outs(%oa = %od, %sa = %sd) {
      … gather, deltanet.recurrence_pass, store …
    } {deltanet.schedule = #deltanet.schedule<recurrent, …>}
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def SplitSequenceIntoChunks
    : Pass<"deltanet-split-sequence-into-chunks", "::mlir::ModuleOp"> {
  let summary = "write chunked schedules as one parallel loop a phase";
  let description = [{
    Replaces each `delta_rule` with a `chunked` schedule by its phases, each one
    `scf.forall` over its own work items (`deltanet.domain` names them), with
    tensors of one tile a chunk slot between them:

    | phase | work items | tiles of a chunk |
    | --- | --- | --- |
    | `gather` | chunk, key head | k, q: rows in f32, normalised, zero tail |
    | `gram` | chunk, key head | k kᵀ, q kᵀ: blocks on and below the diagonal |
    | `gates` | chunk, key head, member | beta, decays |
    | `inverse` | chunk, key head, member | (I + stril(beta k kᵀ))⁻¹ |
    | `weights` | chunk, key head, member | T = D ⊙ inverse ⊙ beta, P |
    | `scan` | sequence, key head, member | o and the state, in order |

    There are T/C + N slots, and sequence n owns those from cu_seqlens[n]/C + n.
    Everything is computed in f32 and on static tiles; only copies of rows have
    dynamic sizes.

    Before:
    ```mlir
    %o, %s = deltanet.delta_rule … outs(%od, %sd)
        {schedules = [#deltanet.schedule<chunked, chunk = 64>]}
    ```
    After:
    ```mlir
    %k:2 = scf.forall (%slot, %h) in (%slots, 16) shared_outs(…) {
      %n = deltanet.slot_sequence %slot in %cu {chunk = 64 : i64}
      … scf.if %used { gather } …
    } {deltanet.domain = #deltanet.domain<[gather], [chunk, key_head]>, …}
    …
    %r:2 = scf.forall (%n, %h, %x) in (%N, 16, 2) shared_outs(%o, %s) {
      scf.for %slot = %first to %last step %c1 iter_args(…) {…}
          {deltanet.axis = #deltanet<axis chunk>}
    } {deltanet.domain = #deltanet.domain<[scan], [sequence, key_head, member]>}
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// fused
//===----------------------------------------------------------------------===//

def FuseParallelDomains
    : Pass<"deltanet-fuse-parallel-domains", "::mlir::func::FuncOp"> {
  let summary = "merge phases that share their work items";
  let description = [{
    Merges two parallel loops of which one uses what the other makes, if they run
    over the same independent work items, or one over a local part of the
    other's; if what passes between them is used by the same item only; and if
    merging neither makes items depend on each other nor repeats work. Tiles that
    no other loop reads become scratch of the item. A remark says for each pair
    what was done and why.

    With `staging = two_stage` two loops are left: chunks and key heads, then
    sequences and value heads. With `one_pass` one is left, over sequences and key
    heads: the value heads of a key head become a loop inside the loop over the
    chunks, which carries the states of all of them.

    Before:
    ```mlir
    %k:2 = scf.forall (%slot, %h) … {gather}
        {deltanet.domain = #deltanet.domain<[gather], [chunk, key_head]>}
    …
    %r:2 = scf.forall (%n, %h, %x) … {scf.for %slot … {scan}}
        {deltanet.domain = #deltanet.domain<[scan], [sequence, key_head, member]>}
    ```
    After:
    ```mlir
    %r:2 = scf.forall (%n, %h) in (%N, 16) shared_outs(…) {
      scf.for %slot = %first to %last step %c1 iter_args(%s = %states, …) {
        … gather, gram …
        scf.for %x = %c0 to %c2 step %c1 iter_args(…) {
          … gates, inverse, weights, scan …
        } {deltanet.axis = #deltanet<axis member>}
      } {deltanet.axis = #deltanet<axis chunk>}
    } {deltanet.domain = #deltanet.domain<[gather, …], [sequence, key_head]>}
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::scf::SCFDialect"];
}

def ExpandSlotSequence : Pass<"deltanet-expand-slot-sequence"> {
  let summary = "write slot_sequence as a bisection of cu_seqlens";
  let description = [{
    Replaces each `deltanet.slot_sequence` by a loop that halves the range of
    sequences until the owner of the slot is left. Phases that were merged into a
    loop over sequences have none left.

    Before:
    ```mlir
    %n = deltanet.slot_sequence %slot in %cu {chunk = 64 : i64} : tensor<?xi32>
    ```
    After:
    ```mlir
    %n:2 = scf.while (%low = %c0, %high = %N) : (index, index) -> (index, index) {
      … %high - %low > 1
    } do {
      … %cu[%middle] / 64 + %middle ≤ %slot …
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// layout
//===----------------------------------------------------------------------===//

def AssignLayouts : Pass<"deltanet-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "lay out what products read as vectors, before tiling";
  let description = [{
    The vectors of a product come from its right-hand side; this pass makes them
    contiguous. The state that the chunks of a sequence carry becomes blocks of W
    columns (`columns` of the schedule), and what is computed from it a loop over
    blocks. Keys whose transpose is taken are packed into panels, once a tile. A
    remark says for each loop what was laid out how and why.

    Before:
    ```mlir
    scf.for %slot … iter_args(%s = %init) -> (tensor<128x128xf32>) {
      %ks = linalg.matmul ins(%k, %s : tensor<64x128xf32>, tensor<128x128xf32>) …
    }
    ```
    After:
    ```mlir
    scf.for %slot … iter_args(%s = %init) -> (tensor<8x128x16xf32>) {
      scf.for %b = %c0 to %c8 step %c1 iter_args(%sb = %s, …) {
        %part = tensor.extract_slice %sb[%b, 0, 0] [1, 128, 16] [1, 1, 1]
        %ks = linalg.matmul ins(%k, %part : tensor<64x128xf32>,
                                            tensor<128x16xf32>) …
      } {deltanet.axis = #deltanet<axis columns>}
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"];
}

def AssignMatrixTiles
    : Pass<"deltanet-assign-matrix-tiles", "::mlir::func::FuncOp"> {
  let summary = "products on a matrix unit: operands as tiles of bf16";
  let description = [{
    In a parallel loop whose schedule has `matrix = amx`, each product of
    matrices becomes one of tiles of 16 rows of 16 pairs. Its operands are
    rounded to bf16 and packed once, where the matrices that they are parts of
    are made; sums stay rows of f32. A remark says how many there are.

    Before:
    ```mlir
    %ks = linalg.matmul ins(%k, %s : tensor<64x128xf32>, tensor<128x32xf32>)
        outs(%zero : tensor<64x32xf32>)
    ```
    After:
    ```mlir
    %left = linalg.generic … outs(%1 : tensor<4x4x16x16x2xbf16>) {truncf}
    %right = linalg.generic … outs(%2 : tensor<4x2x16x16x2xbf16>) {truncf}
    %ks = linalg.generic … ins(%left, %right) outs(%sums : tensor<4x16x2x16xf32>)
        {extf, extf, mulf, addf}
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SinkPacks : Pass<"deltanet-sink-packs", "::mlir::func::FuncOp"> {
  let summary = "pack in the same pass over memory as the operation before";
  let description = [{
    A pack (`linalg.transpose` of rows split into panels) whose source an
    elementwise operation has just made becomes a second result of that
    operation, so that scaling, converting and packing read and write once.

    Right-hand tiles of a matrix unit whose rows `deltanet.tril_solve` makes, and
    nothing else reads, are written by it. Solves of one matrix follow each other,
    one below the other.

    Before:
    ```mlir
    %k = linalg.generic … ins(%factors) outs(%rows : tensor<64x128xf32>) {scale}
    %e = tensor.expand_shape %k [[0, 1], [2]] … into tensor<4x16x128xf32>
    %p = linalg.transpose ins(%e) outs(%out : tensor<4x128x16xf32>)
        permutation = [0, 2, 1]
    ```
    After:
    ```mlir
    %e:2 = linalg.generic … outs(%blocks, %out : tensor<4x16x128xf32>,
                                                 tensor<4x128x16xf32>) {scale}
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// tiles
//===----------------------------------------------------------------------===//

def ExpandDecay : Pass<"deltanet-expand-decay"> {
  let summary = "write decay as forward sums, row scans and outer products";
  let description = [{
    Replaces each `deltanet.decay` by loops on blocks of 16 tokens: running sums
    of the gates, a scan down the rows of each diagonal block, and an outer
    product of two vectors of exponentials for each block below.

    Before:
    ```mlir
    %d, %p, %s = deltanet.decay %g : tensor<64xf32> -> …
    ```
    After:
    ```mlir
    %p:2 = scf.for … {sums from the begin of the chunk and of each block}
    %s:2 = scf.for … {sums to the end of the chunk and of each block}
    %d = scf.for %column = %c0 to %c64 step %c16 iter_args(%m = %zeros) {
      … the diagonal block, then those below …
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"];
}

def ExpandTriangularInverse : Pass<"deltanet-expand-triangular-inverse"> {
  let summary = "write deltanet.tril_inverse as block forward substitution";
  let description = [{
    Diagonal blocks of 16 are inverted row by row, then pairs of blocks are merged
    by two products each until the whole matrix is reached. Never by powers of the
    matrix, which overflow where the inverse is small.

    Before:
    ```mlir
    %x = deltanet.tril_inverse %a : tensor<32x32xf32>
    ```
    After:
    ```mlir
    %x0 = scf.for %b = %c0 to %c2 step %c1 iter_args(…) -> (tensor<2x16x16xf32>) {
      … // X_r = e_r − Σ A_rl X_l
    }
    %x1 = scf.for %p = %c0 to %c1 step %c1 iter_args(…) -> (tensor<1x32x32xf32>) {
      … // X₂₁ = −X₂₂ (A₂₁ X₁₁)
    }
    %x = tensor.extract_slice %x1[0, 0, 0] [1, 32, 32] [1, 1, 1]
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"];
}

def TileToRegisters : Pass<"deltanet-tile-to-registers", "::mlir::func::FuncOp"> {
  let summary = "cut linalg operations into blocks that fit the registers";
  let description = [{
    Contractions become blocks of `register_rows` × `columns` (of the
    `#deltanet.schedule` on the enclosing `scf.forall`) with the reduction as the
    innermost loop. Fills, scalings of the accumulators and elementwise epilogues
    move into the loop over blocks; copies and exponentials do not. The remainder
    rows are peeled, so all blocks are static. Every other operation becomes a
    loop over pieces of rows, a transposition one over blocks of 8 × 8.

    Before:
    ```mlir
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>)
    %p = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x16xf32>)
                       outs(%f : tensor<64x16xf32>)
    %y = linalg.generic … ins(%p, %r : …) outs(%d : tensor<64x16xf32>) {…}
    ```
    After:
    ```mlir
    %y0 = scf.for %i = %c0 to %c60 step %c6 iter_args(%x = %d) {
      %f = linalg.fill … : tensor<6x16xf32>
      %p = scf.for %k = %c0 to %c128 step %c1 iter_args(%acc = %f) {
        %n = linalg.matmul ins(… : tensor<6x1xf32>, tensor<1x16xf32>)
                           outs(%acc : tensor<6x16xf32>)
        scf.yield %n
      } {deltanet.reduction}
      %y = linalg.generic … ins(%p, %r6 : …) outs(… : tensor<6x16xf32>) {…}
      …
    }
    // rows 60 … 63: the same with tensor<4x16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// vectors
//===----------------------------------------------------------------------===//

def VectorizeRecurrencePass
    : Pass<"deltanet-vectorize-recurrence-pass", "::mlir::func::FuncOp"> {
  let summary = "write deltanet.recurrence_pass as a loop over state rows";
  let description = [{
    The products with keys and queries are vector accumulators that the loop
    carries; with `rare_decay` there are two loops, and only the one for a decay
    other than one multiplies the state. The loops carry `deltanet.keep_loop`:
    their unrolling is decided by the schedule.

    Before:
    ```mlir
    %s1, %d1, %o1 = deltanet.recurrence_pass state(%s) … {rows = 2 : i64}
    ```
    After:
    ```mlir
    %r:5 = scf.for %i = %c0 to %c128 step %c2
        iter_args(%s = …, %k0 = …, %k1 = …, %q0 = …, %q1 = …)
        -> (tensor<128x16xf32>, vector<16xf32>, …) { … }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorizeTokenStep
    : Pass<"deltanet-vectorize-token-step", "::mlir::func::FuncOp"> {
  let summary = "write deltanet.token_step as loops over state rows";
  let description = [{
    `rows` rows of the state at once, each from another part of it. For vk, the
    sums of those rows with key and query are accumulators that a loop over K
    carries; the rows are updated while they are in L1, a single row beside the
    sums of the next one. For kv, the sums of all columns lie in scratch and the
    rows are updated, in order, when all have been read; those loops carry
    `deltanet.prefetch_here`.

    Before:
    ```mlir
    %r:2 = deltanet.token_step vk state(%s) … outs(%o, %d) {rows = 4 : i64}
    ```
    After:
    ```mlir
    %r:2 = scf.for %i = %c0 to %c32 step %c1 iter_args(%o1 = %o, %d1 = %d) {
      %sums:8 = scf.for %j = %c0 to %c128 step %c16
          iter_args(%k0 = %zero, …) -> (vector<8xf32>, …) { … }
      …
      %d2 = scf.for %j = %c0 to %c128 step %c16 iter_args(%x = %d1) { … }
      scf.yield %o2, %d2
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorizeTrilSolve
    : Pass<"deltanet-vectorize-tril-solve", "::mlir::func::FuncOp"> {
  let summary = "write deltanet.tril_solve as loops over blocks of eight rows";
  let description = [{
    Two vectors of columns at once. Eight rows first take what all rows above
    them owe them, in a loop that carries their sums; then each row is rounded
    and at once goes into the sums of those below it.

    Before:
    ```mlir
    %u = deltanet.tril_solve matrix(%n) rhs(%x) outs(%o) : …
    ```
    After:
    ```mlir
    %u = scf.for %c = %c0 to %c64 step %c32 iter_args(%u0 = %o) {
      %u1 = scf.for %i = %c0 to %c32 step %c8 iter_args(%u2 = %u0) {
        %sums:16 = scf.for %j = %c0 to %i step %c1 iter_args(…) { … }
        … // eight rows, rounded one after the other
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def VectorizeTiles : Pass<"deltanet-vectorize-tiles", "::mlir::func::FuncOp"> {
  let summary = "turn every tile into a vector, with accumulators carried by "
                "the loops";
  let description = [{
    Vectorizes each linalg operation of the kernel's parallel loops on its own,
    while it is still on tensors: there, hoisting what a loop reads and writes
    at the same place is a matter of values. Accumulators become vectors carried
    by the reduction loops, which are unrolled by two. The sum along a row adds
    its pieces of 16 lanes first and the lanes last.

    An operation that is no static tile is an error.

    Before:
    ```mlir
    %p = scf.for %k = %c0 to %c128 step %c1 iter_args(%acc = %f) {
      %n = linalg.matmul ins(… : tensor<6x1xf32>, tensor<1x16xf32>)
                         outs(%acc : tensor<6x16xf32>)
      scf.yield %n
    } {deltanet.reduction}
    ```
    After:
    ```mlir
    %p = scf.for %k = %c0 to %c128 step %c2 iter_args(%acc = %v) {
      %a = vector.transfer_read … vector<6x1xf32>
      %b = vector.transfer_read … vector<1x16xf32>
      %n = vector.contract … %a, %b, %acc … into vector<6x16xf32>
      …
      scf.yield %n1 : vector<6x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::vector::VectorDialect"];
}

//===----------------------------------------------------------------------===//
// fragments (GPU)
//===----------------------------------------------------------------------===//

def ExpandGpuDecay : Pass<"deltanet-gpu-expand-decay", "::mlir::func::FuncOp"> {
  let summary = "write decay as three steps of many elements";
  let description = [{
    Replaces each `deltanet.decay` by operations of as many parallel elements as
    there are, so that the threads of a block wait three times, not once a row. Each
    element selects the gates that it sums from those of its block of 16 tokens.

    Before:
    ```mlir
    %d, %p, %s = deltanet.decay %g : tensor<64xf32> -> …
    ```
    After:
    ```mlir
    %b:3 = linalg.generic … -> (tensor<4x16xf32>, …) {sums of blocks and e^ them}
    %i = linalg.generic … -> tensor<4x16x16xf32> {diagonal blocks}
    %r = linalg.generic … -> tensor<4x16x4xf32> {rows below them}
    %c:2 = linalg.generic … -> (tensor<4x16xf32>, …) {sums of the chunk}
    %m = linalg.generic … -> tensor<4x16x4x16xf32> {i == j ? %i : %r * %b#2}
    %d = tensor.collapse_shape %m [[0, 1], [2, 3]]
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def ExpandGpuTriangularInverse
    : Pass<"deltanet-gpu-expand-triangular-inverse", "::mlir::func::FuncOp"> {
  let summary = "write deltanet.tril_inverse as columns and merges of all pairs";
  let description = [{
    Columns of the diagonal blocks of 16 are solved by one thread each, in
    registers; then all pairs of blocks are merged at once by two products, until
    the whole matrix is reached. The threads of a block wait once for the former and
    twice a level, not once a row.

    Before:
    ```mlir
    %x = deltanet.tril_inverse %a : tensor<32x32xf32>
    ```
    After:
    ```mlir
    %x0 = linalg.generic … ins(120 elements of a block of %a)
        outs(… : tensor<2x16x16xf32>) {x_r = e_r − Σ a_rl x_l} {deltanet.together}
    %x1 = linalg.generic … -> tensor<1x2x16x2x16xf32> {X₁₁, 0, 0, X₂₂}
    %t = linalg.generic … {A₂₁ X₁₁} {deltanet.together}
    %x21 = linalg.generic … {−X₂₂ T} {deltanet.together}
    %x2 = tensor.insert_slice %x21 into %x1[0, 1, 0, 0, 0] …
    %x = tensor.collapse_shape %x2 …
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def ConvertToFragments
    : Pass<"deltanet-gpu-convert-to-fragments", "::mlir::func::FuncOp"> {
  let summary = "work items as tiles in the registers of a block";
  let description = [{
    Follows what the token steps of a parallel loop read and make through copies,
    elementwise operations and dot products, and turns all of it into operations on
    fragments of one layout, `#fragment.lanes`: the state as it lies in memory, with
    four neighbouring columns a lane, key and query along K, values and outputs along
    V. What one operation writes and the next reads stays in registers; a loop over
    tokens carries the state as a fragment.

    With matrix = mma, the products of matrices of a parallel loop become
    `fragment.mma`: sums are `#fragment.accumulator`, and so is what is computed from
    them, element by element or along rows. A product whose left matrix another work
    item made is computed transposed, so that the right one, the state or what is
    computed from it, is the operand in registers; the other one is copied to shared
    memory at the begin of the block of code. Rows that are padded with zeros and
    reduced lie as `#fragment.lanes`. What is neither stays an operation of `linalg`.

    Before:
    ```mlir
    %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%o = …, %s = %initial) {
      %out, %s1 = deltanet.token_step vk state(%s) … outs(%row, %s)
      …
    }
    ```
    After:
    ```mlir
    %state = fragment.load %initial : tensor<32x128xf32> -> !fragment.tile<…>
    %r:2 = scf.for %t = … iter_args(%o = …, %s = %state) {
      %k = fragment.load %key dims [1] : tensor<128xbf16> -> !fragment.tile<1x128xbf16, …>
      %p = fragment.map %s, %k : … {mulf}
      %read = fragment.reduce %p along 1 : …
      …
    }
    %final = fragment.store %r#1, %dest : …
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::deltanet::fragment::FragmentDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NarrowSums : Pass<"deltanet-gpu-narrow-sums", "::mlir::func::FuncOp"> {
  let summary = "what follows from sums of rows, computed once";
  let description = [{
    All lanes of a row of threads would hold the sums of its rows, and compute the
    same with them. Here each keeps some of the sums, as far as they halve evenly,
    and with them goes what is computed from them and stored: maps of one column,
    and loads that meet them. Tiles of more columns get their values by a
    `fragment.broadcast`, as late as that is possible.

    Before:
    ```mlir
    %v = fragment.load … -> !fragment.tile<32x1xf32, #lanes>
    %read = fragment.reduce %p along 1 : … -> !fragment.tile<32x1xf32, #lanes>
    %delta = fragment.map %v, %read : … -> !fragment.tile<32x1xf32, #lanes>
    %new = fragment.map %s, %k, %delta : … -> !fragment.tile<32x128xf32, #lanes>
    ```
    After:
    ```mlir
    %v = fragment.load … -> !fragment.tile<32x1xf32, #rows>
    %read = fragment.reduce %p along 1 : … -> !fragment.tile<32x1xf32, #rows>
    %some = fragment.map %v, %read : … -> !fragment.tile<32x1xf32, #rows>
    %delta = fragment.broadcast %some : … to !fragment.tile<32x1xf32, #lanes>
    %new = fragment.map %s, %k, %delta : … -> !fragment.tile<32x128xf32, #lanes>
    ```
  }];
}

def PadRows : Pass<"deltanet-gpu-pad-rows", "::mlir::func::FuncOp"> {
  let summary = "matrices that accumulators access get rows that lie apart";
  let description = [{
    A new matrix of f32 that is read or written as a `#fragment.accumulator` or
    `#fragment.left`, and is not swizzled, has 32 bytes behind each row if rows are
    multiples of 128 bytes. Else eight rows of an access would share their banks of
    shared memory. Matrices whose rows and columns are joined anywhere stay as they
    are.

    Before:
    ```mlir
    %m = bufferization.alloc_tensor() : tensor<64x64xf32>
    %w = fragment.store %t, %m : …
    ```
    After:
    ```mlir
    %p = bufferization.alloc_tensor() : tensor<64x72xf32>
    %m = tensor.extract_slice %p[0, 0] [64, 64] [1, 1] : …
    %w = fragment.store %t, %m : …
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// buffers
//===----------------------------------------------------------------------===//

def BufferizeKernels : Pass<"deltanet-bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "replace the tensors of kernels by memory, without a copy";
  let description = [{
    Bufferizes every kernel with one-shot bufferization. Inputs are read-only,
    `o` and `state_out` are updated in place, results are dropped. Arguments have
    unit stride in their innermost dimension and, but for the rows of one state,
    free strides elsewhere.

    Then verifies that no copy was needed: a `memref.copy`, a tensor that is
    left, or an allocation of dynamic size inside an `scf.forall` is an error at
    the operation that caused it.

    Before:
    ```mlir
    %r = scf.forall (%i) in (%n) shared_outs(%x = %o) -> (tensor<?x2x16xf32>) {…}
    return %r : tensor<?x2x16xf32>
    ```
    After:
    ```mlir
    scf.forall (%i) in (%n) {…}   // writes into %o
    return
    ```
  }];
  let options = [Option<
      "allowCopies", "allow-copies", "bool", /*default=*/"false",
      "copy tensors that cannot be updated in place, as linalg.copy, instead "
      "of refusing them: for stages that are executed as scalar code">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PipelineCopies
    : Pass<"deltanet-gpu-pipeline-copies", "::mlir::func::FuncOp"> {
  let summary = "the copies of the next turn of a loop while one is computed";
  let description = [{
    In parallel loops whose schedule has stages = 2. Where a loop begins with
    asynchronous copies to memory of a turn, that memory becomes two slots, which the
    turns use one after the other. The copies of the first turn come before the loop,
    those of every other one into the turn before it, which waits for its own.

    Before:
    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<64x128xf16>
      %k = memref.subview %keys[%i, 0, 0] …
      fragment.copy_async %k to %a swizzled : …
      … %a …
    }
    ```
    After:
    ```mlir
    %slots = memref.alloc() : memref<2x64x128xf16>
    scf.if %has_first { fragment.copy_async %k0 to %slot0 swizzled : … }
    fragment.commit
    scf.for %i = %c0 to %n step %c1 {
      %slot = memref.subview %slots[%i mod 2, 0, 0] …
      scf.if %has_next { fragment.copy_async %k1 to %other swizzled : … }
      fragment.commit
      fragment.wait 1
      … %slot …
    }
    ```
  }];
  let dependentDialects = ["::mlir::deltanet::fragment::FragmentDialect",
                           "::mlir::memref::MemRefDialect"];
}

def SinkTileReads : Pass<"deltanet-sink-tile-reads", "::mlir::func::FuncOp"> {
  let summary = "read tiles beside the products that use them";
  let description = [{
    The tile of an operand (a contraction of [16,32] and [32,16] of extended bf16
    has two) is read in the block of the product, with no loop between: once for
    all products that follow each other. It is not, where its memory may have been
    written since. So a matrix unit keeps the tiles of few products at a time.

    Before:
    ```mlir
    %r = vector.transfer_read %l[…] : memref<4x4x16x16x2xbf16>, vector<16x16x2xbf16>
    %a = arith.extf %r : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %m = vector.shape_cast %a : vector<16x16x2xf32> to vector<16x32xf32>
    scf.for … {
      %t = vector.contract … %m, %b, %s : …
    }
    ```
    After:
    ```mlir
    scf.for … {
      %r = vector.transfer_read %l[…] : memref<4x4x16x16x2xbf16>, vector<16x16x2xbf16>
      %a = arith.extf %r : vector<16x16x2xbf16> to vector<16x16x2xf32>
      %m = vector.shape_cast %a : vector<16x16x2xf32> to vector<16x32xf32>
      %t = vector.contract … %m, %b, %s : …
    }
    ```
  }];
}

def PlaceScratch : Pass<"deltanet-place-scratch", "::mlir::func::FuncOp"> {
  let summary = "put the allocations of a work item into one arena";
  let description = [{
    Allocations inside a top-level `scf.forall` become views of one arena, in
    which those that are not used at the same time share bytes; those between the
    loops are marked as workspace, which lives for a whole call.

    Before:
    ```mlir
    %w = memref.alloc(%n) : memref<?x8x16xf32>
    scf.forall (%i) in (%n) {
      %a = memref.alloc() : memref<8x32xf32>
      …
    }
    ```
    After:
    ```mlir
    %w = memref.alloc(%n) {deltanet.workspace} : memref<?x8x16xf32>
    scf.forall (%i) in (%n) {
      %s = memref.alloc() {alignment = 64, deltanet.scratch} : memref<1024xi8>
      %a = memref.view %s[%c0][] : memref<1024xi8> to memref<8x32xf32>
      …
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PrefetchState : Pass<"deltanet-prefetch-state", "::mlir::func::FuncOp"> {
  let summary = "prefetch the next state while one is updated";
  let description = [{
    While a state is updated from the L2 cache, nothing is read from memory. In
    work items whose schedule has `prefetch` bytes, the loops marked with
    `deltanet.prefetch_here` ask for lines of the state that lies that much
    further on: with `rows` rows a turn, one line from each of as many parts of
    the state in turn. After the last turn the first `1/rows` of each part is on
    its way.

    Before:
    ```mlir
    scf.for %c = %c0 to %c128 step %c16 {
      %x = vector.transfer_read %s[%i, %c], %zero : …, vector<8xf32>
      …
    } {deltanet.prefetch_here}
    ```
    After:
    ```mlir
    scf.for %c = %c0 to %c128 step %c16 {
      memref.prefetch %s[%i_ahead, %c_ahead], read, locality<2>, data : …
      %x = vector.transfer_read %s[%i, %c], %zero : …, vector<8xf32>
      …
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

//===----------------------------------------------------------------------===//
// target
//===----------------------------------------------------------------------===//

def SplitIntoWorkItems
    : Pass<"deltanet-split-into-work-items", "::mlir::ModuleOp"> {
  let summary = "one function a stage, over a range of its work items";
  let description = [{
    Turns each top-level loop of a kernel on buffers into a function that runs
    the items [begin, end) of the linearised loop, and makes the functions that
    count its items and the bytes of workspace. The kernel itself keeps only its
    signature and names these functions.

    Before:
    ```mlir
    func.func @f(%q: memref<…>, …) attributes {deltanet.kernel = …} {
      %w = memref.alloc(%n) {deltanet.workspace} : memref<?x64xf32>
      scf.forall (%i, %j) in (%n, 4) {
        %s = memref.alloc() {deltanet.scratch} : memref<4096xi8>
        …
      } {deltanet.schedule = …}
      …
    }
    ```
    After:
    ```mlir
    func.func private @f.stage0(%q: memref<…>, …, %workspace: memref<?xi8>,
                                %s: memref<4096xi8>, %begin: index, %end: index)
        attributes {deltanet.schedule = …} {
      %w = memref.view %workspace[…][%n] : memref<?xi8> to memref<?x64xf32>
      scf.for %item = %begin to %end step %c1 {
        %i, %j = %item / 4, %item % 4
        …
      }
    }
    func.func private @f.items0(%q: memref<…>, …) -> index
    func.func private @f.workspace(%q: memref<…>, …) -> index
    func.func private @f(memref<…>, …) attributes {deltanet.kernel = …,
        deltanet.stages = [@f.stage0], deltanet.items = [@f.items0],
        deltanet.workspace = @f.workspace}
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// target (CPU)
//===----------------------------------------------------------------------===//

def ConvertToAmx : Pass<"deltanet-cpu-convert-to-amx", "::mlir::ModuleOp"> {
  let summary = "products of tiles on AMX";
  let description = [{
    Where the target has `matrix = amx`, a contraction of [16,32] and [32,16] of
    extended bf16 into [16,16] of f32 becomes a product of tiles. Its operands are
    loaded as tiles from the memory that they are read from, more than once where
    the eight registers would not suffice; its sums are tiles where they are read,
    zero, carried by loops and written. Any other use of them is an error. What
    tiles cannot be loaded from or stored to stays vectors, and so do its products:
    memory under a mask, out of bounds, or with rows that are not neighbours or not
    at a constant distance.

    Before:
    ```mlir
    %r = vector.transfer_read %l[…] : memref<4x4x16x16x2xbf16>, vector<16x16x2xbf16>
    %a = arith.extf %r : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %m = vector.shape_cast %a : vector<16x16x2xf32> to vector<16x32xf32>
    %t = vector.contract … %m, %b, %s : vector<16x32xf32>, vector<32x16xf32>
        into vector<16x16xf32>
    ```
    After:
    ```mlir
    %m = amx.tile_load %l[…], %c32 : memref<4x4x16x16x2xbf16> into
        !amx.tile<16x32xbf16>
    %t = amx.tile_mulf %m, %b, %s : …, !amx.tile<16x16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::amx::AMXDialect",
                           "::mlir::arith::ArithDialect"];
}

def ExpandNarrowFloats
    : Pass<"deltanet-cpu-expand-narrow-floats", "::mlir::ModuleOp"> {
  let summary = "bf16 and f16 as 16-bit integers";
  let description = [{
    Replaces bf16 and f16 by i16 wherever values only move, and conversions to
    and from f32 by integer code that rounds to nearest, ties to even. Where the
    target converts f16 itself, those conversions stay. Narrow operands of
    `vector.contract` are widened first. Arithmetic on narrow floats, or another
    rounding, is an error.

    Before:
    ```mlir
    %x = vector.load %m[%i] : memref<?xbf16>, vector<8xbf16>
    %y = arith.extf %x : vector<8xbf16> to vector<8xf32>
    ```
    After:
    ```mlir
    %x = vector.load %m[%i] : memref<?xi16>, vector<8xi16>
    %a = arith.extui %x : vector<8xi16> to vector<8xi32>
    %b = arith.shli %a, %c16 : vector<8xi32>
    %y = arith.bitcast %b : vector<8xi32> to vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandExp : Pass<"deltanet-cpu-expand-exp"> {
  let summary = "exponentials as polynomials, without calls";
  let description = [{
    Replaces `math.exp` on f32 scalars and vectors by arithmetic: range reduction
    and a polynomial of degree 6. At most 2 ulp, with or without a fused
    multiply-add; exactly 1 at 0, exactly 0 where the result would be subnormal
    and at -inf, +inf beyond the range, NaN stays NaN. `math.rsqrt` becomes
    1 / sqrt. Other operations that would become calls are errors.

    Before:
    ```mlir
    %y = math.exp %x : vector<8xf32>
    ```
    After:
    ```mlir
    %t = math.fma %x, %reciprocal_ln2, %rounder : vector<8xf32>
    %n = arith.subf %t, %rounder : vector<8xf32>
    …
    %y = arith.select %high, %infinite, %z : vector<8xi1>, vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def LowerVectors : Pass<"deltanet-cpu-lower-vectors", "::mlir::ModuleOp"> {
  let summary = "vectors of any shape to rows, shuffles and multiply-adds";
  let description = [{
    Contractions become outer products and those broadcasts and fused
    multiply-adds (a multiplication and an addition where the target has none),
    transfers of several dimensions loads and stores of rows, transpositions
    shuffles of two registers. Reductions of a row may be summed in any order.

    Before:
    ```mlir
    %c = vector.contract {…} %a, %b, %acc
        : vector<4x1xf32>, vector<1x16xf32> into vector<4x16xf32>
    ```
    After:
    ```mlir
    %x = vector.broadcast %a0 : f32 to vector<16xf32>
    %c0 = vector.fma %x, %b0, %acc0 : vector<16xf32>
    …
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def KeepLoops : Pass<"deltanet-cpu-keep-loops", "::mlir::ModuleOp"> {
  let summary = "forbid LLVM to unroll loops whose unrolling is decided";
  let description = [{
    Loops marked with `deltanet.keep_loop` get LLVM's annotation against
    unrolling: it would spill accumulators and gather prefetches in one place.

    Before:
    ```mlir
    scf.for %i = %c0 to %c128 step %c2 { … } {deltanet.keep_loop}
    ```
    After:
    ```mlir
    scf.for %i = %c0 to %c128 step %c2 { … }
        {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// target (GPU)
//===----------------------------------------------------------------------===//

def MapToBlocks : Pass<"deltanet-gpu-map-to-blocks", "::mlir::ModuleOp"> {
  let summary = "the function of a stage as code of a block of threads";
  let description = [{
    Arguments and workspace of a stage lie in global memory, its scratch is shared
    memory of a block, and `deltanet.threads` tells how many threads a block has:
    32 for each of the `warps` of the schedule.

    Before:
    ```mlir
    func.func private @f.stage0(%q: memref<?x8xf32>, …, %scratch: memref<4096xi8>,
                                %begin: index, %end: index)
        attributes {deltanet.schedule = #deltanet.schedule<…, warps = 4>}
    ```
    After:
    ```mlir
    func.func private @f.stage0(%q: memref<?x8xf32, 1>, …,
                                %scratch: memref<4096xi8, 3>, %begin: index,
                                %end: index)
        attributes {deltanet.schedule = …, deltanet.threads = 128 : i64}
    ```
  }];
}

def AwaitCopies : Pass<"deltanet-gpu-await-copies", "::mlir::ModuleOp"> {
  let summary = "asynchronous copies are waited for where they are used";
  let description = [{
    Copies that follow each other in a stage's function become one group, and a wait
    for it comes before the first operation that touches what they write. Groups
    that are made already stay as they are.

    Before:
    ```mlir
    fragment.copy_async %k to %a swizzled : …
    fragment.copy_async %q to %b swizzled : …
    …
    %x = fragment.mma %s, %a, %zero dims [1, 0] : …
    ```
    After:
    ```mlir
    fragment.copy_async %k to %a swizzled : …
    fragment.copy_async %q to %b swizzled : …
    fragment.commit
    …
    fragment.wait 0
    %x = fragment.mma %s, %a, %zero dims [1, 0] : …
    ```
  }];
  let dependentDialects = ["::mlir::deltanet::fragment::FragmentDialect"];
}

def InsertBarriers : Pass<"deltanet-gpu-insert-barriers", "::mlir::ModuleOp"> {
  let summary = "threads of a block wait for what others write";
  let description = [{
    Operations of a stage's function are executed by all threads of a block, each
    its part. Where one may read or write bytes that another thread has written, or
    write bytes that another has read, since the last barrier, a barrier comes
    before it. Fragments that are read and written alike stay within a thread, and
    turns of a loop that write rows of their own do not meet; work items share
    nothing but scratch. An asynchronous copy is there after a wait and a barrier.

    Before:
    ```mlir
    linalg.copy ins(%rows) outs(%tile : memref<64x128xbf16, 3>)
    linalg.matmul ins(%tile, %state) outs(%sums)
    ```
    After:
    ```mlir
    linalg.copy ins(%rows) outs(%tile : memref<64x128xbf16, 3>)
    nvvm.barrier
    linalg.matmul ins(%tile, %state) outs(%sums)
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def DistributeToThreads
    : Pass<"deltanet-gpu-distribute-to-threads", "::mlir::ModuleOp"> {
  let summary = "share operations on memory among the threads of a block";
  let description = [{
    Operations of linalg become loops in which thread t takes the parallel elements
    t, t + threads, …; sums are formed by the thread that owns the result, in
    registers. With `deltanet.together` the elements of the last parallel dimension
    are one thread's, which reads once what they have in common. Single numbers are
    computed and stored by the first thread. Another write, but of a fragment, is an
    error.

    Before:
    ```mlir
    linalg.copy ins(%from) outs(%to : memref<64x2xbf16, 3>)
    ```
    After:
    ```mlir
    %t = nvvm.read.ptx.sreg.tid.x : i32
    scf.for %i = %thread to %c128 step %c128 {
      %row, %column = %i / 2, %i % 2
      %x = memref.load %from[%row, %column]
      memref.store %x, %to[%row, %column]
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def VersionByAlignment
    : Pass<"deltanet-gpu-version-by-alignment", "::mlir::ModuleOp"> {
  let summary = "stages for calls that are aligned to 16 bytes, and for all";
  let description = [{
    Tensors of a call have the alignment of their elements. Where a stage reads or
    writes fragments of them, it gets two functions: one for calls whose pointers
    and strides are multiples of 16 bytes, which says so at each access, and one
    for all others, which `deltanet.unaligned` names. Who launches the stage
    decides.

    Before:
    ```mlir
    func.func private @f.stage0(%q: memref<…, 1>, …) {
      %s = fragment.load %state : memref<32x128xf32, …, 1> -> …
    }
    ```
    After:
    ```mlir
    func.func private @f.stage0(%q: memref<…, 1>, …)
        attributes {deltanet.unaligned = @f.stage0.unaligned} {
      %s = fragment.load %state alignment 16 : memref<32x128xf32, …, 1> -> …
    }
    func.func private @f.stage0.unaligned(…) {
      %s = fragment.load %state : memref<32x128xf32, …, 1> -> …
    }
    ```
  }];
}

def LowerFragments
    : Pass<"deltanet-gpu-lower-fragments", "::mlir::func::FuncOp"> {
  let summary = "tiles as the registers of one thread";
  let description = [{
    Writes a function that works on tiles as the program of one of the threads of a
    block. A tile becomes the elements that its layout gives the thread, row by
    row, also where loops of `scf` carry it. Loads and stores take several
    neighbouring elements where the layout and the known alignment allow; of
    threads that hold the same, one stores. Sums go through the lanes of a warp by
    shuffles that halve the number of values.

    The layouts of a function are for one number of threads, that of
    `nvvm.reqntid` if it is there.

    Before:
    ```mlir
    %s = fragment.load %m alignment 16
        : memref<32x128xf32, 1> -> !fragment.tile<32x128xf32, #lanes>
    ```
    After:
    ```mlir
    %thread = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
    …
    %v = vector.load %m[%row, %column] {alignment = 16 : i64}
        : memref<32x128xf32, 1>, vector<4xf32>
    %s0 = vector.extract %v[0] : f32 from vector<4xf32>
    …
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

//===----------------------------------------------------------------------===//
// llvm (CPU)
//===----------------------------------------------------------------------===//

def EmitKernelAbi : Pass<"deltanet-cpu-emit-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "put every kernel behind the C ABI";
  let description = [{
    Makes for each kernel that is split into work items the constant descriptor
    (`dn_kernel` of kernel_abi.h) and the three functions it points to. They
    build the memrefs of the kernel from a `dn_args`; `run` also flushes
    subnormals to zero while it lasts. Conversion to the LLVM dialect follows.

    Before:
    ```mlir
    func.func private @f.stage0(%q: memref<…>, …, %begin: index, %end: index)
    func.func private @f.items0(%q: memref<…>, …) -> index
    func.func private @f.workspace(%q: memref<…>, …) -> index
    func.func private @f(memref<…>, …) attributes {deltanet.kernel = …, …}
    ```
    After:
    ```mlir
    llvm.func internal @f.workspace_bytes(%args: !llvm.ptr) -> i64
    llvm.func internal @f.items(%args: !llvm.ptr, %stage: i32) -> i64
    llvm.func internal @f.run(%args: !llvm.ptr, %stage: i32,
                              %scratch: !llvm.ptr, %begin: i64, %end: i64)
    llvm.mlir.global external hidden constant @f.avx2() : !llvm.struct<(…)> {…}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def StreamTiles : Pass<"deltanet-cpu-stream-tiles", "::mlir::ModuleOp"> {
  let summary = "loads of left operands that leave the L1 cache alone";
  let description = [{
    The left operand of a product of tiles is read once while all rows pass, the
    right one for every two rows of tiles. Loads of left operands become
    `tileloaddt1`, so that they do not drive what is used again, state and sums,
    out of the L1 cache.

    Before:
    ```mlir
    %a = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(…)
    %s = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(…, %a, %b)
    ```
    After:
    ```mlir
    %a = llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"(…)
    %s = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(…, %a, %b)
    ```
  }];
}

//===----------------------------------------------------------------------===//
// llvm (GPU)
//===----------------------------------------------------------------------===//

def EmitGpuKernelAbi
    : Pass<"deltanet-gpu-emit-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "put every kernel of a GPU behind the C ABI";
  let description = [{
    Makes for each kernel that is split into work items the constant descriptor
    (`dn_kernel` of kernel_abi.h), the functions it points to, which a CPU runs,
    how its stages are launched, and a module of what the GPU runs. There each
    stage is a kernel function of one work item a block: it builds the memrefs of
    the kernel from a `dn_args`, takes the dynamic shared memory as scratch, and
    flushes subnormals to zero. Stages say their number of threads by
    `deltanet.threads`; what they take lies in memory space 1, scratch in 3. The
    images of the module are made from the finished IR, so `dn_cuda_code` is
    declared here and defined in lib/Codegen.

    Before:
    ```mlir
    func.func private @f.stage0(%q: memref<…, 1>, …, %workspace: memref<?xi8, 1>,
                                %scratch: memref<4096xi8, 3>, %begin: index,
                                %end: index) attributes {deltanet.threads = 128}
    func.func private @f.items0(%q: memref<…>, …) -> index
    func.func private @f.workspace(%q: memref<…>, …) -> index
    func.func private @f(memref<…>, …) attributes {deltanet.kernel = …, …}
    ```
    After:
    ```mlir
    llvm.func internal @f.workspace_bytes(%args: !llvm.ptr) -> i64
    llvm.func internal @f.items(%args: !llvm.ptr, %stage: i32) -> i64
    llvm.mlir.global internal constant @f.sm_80.stages() : !llvm.array<…> {…}
    llvm.mlir.global external constant @f.sm_80.cuda() : !llvm.array<64 x i8>
    llvm.mlir.global external hidden constant @f.sm_80() : !llvm.struct<(…)> {…}
    module @f.device {
      llvm.mlir.global external @scratch() {addr_space = 3 : i32, …} : …
      func.func @f_stage0.body(%q: memref<…, 1>, …)
      llvm.func @f_stage0(%args: !llvm.ptr {llvm.byval = …}, %first: i64)
          attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, …}
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandMath : Pass<"deltanet-gpu-expand-math"> {
  let summary = "exponentials, roots and TF32 as instructions, without calls";
  let description = [{
    Replaces `math.exp` on f32 scalars and vectors by `math.exp2`, which is one
    approximate instruction on a GPU, of a product whose rounding error is put
    right afterwards: a relative error of at most 1.5 · 2^-22, with any x. Exactly
    1 at 0, exactly 0 where the result would be subnormal and at -inf, +inf beyond
    the range, NaN stays NaN. `math.rsqrt` becomes 1 / sqrt, both rounded
    correctly. The nearest TF32 to a number, which is written on its bits, is one
    instruction, too. Other operations that would become calls are errors.

    Before:
    ```mlir
    %y = math.exp %x : f32
    ```
    After:
    ```mlir
    %t = arith.mulf %x, %log2e : f32
    %e = math.fma %x, %log2e, %minus_t : f32
    %p = math.exp2 %t : f32
    …
    %y = arith.select %in_range, %z, %p : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

//===----------------------------------------------------------------------===//
// end of every stage
//===----------------------------------------------------------------------===//

def VerifyStage : Pass<"deltanet-verify-stage", "::mlir::ModuleOp"> {
  let summary = "check that a module has come to a stage";
  let description = [{
    The last pass of each stage of the pipeline. Every operation of a dialect that
    the stage does not allow is an error; lib/Pipelines/Stages.cpp lists what each
    allows.

    Before, and after:
    ```mlir
    deltanet.delta_rule …   // with stage=llvm: an error
    ```
  }];
  let options = [Option<"stage", "stage", "std::string", /*default=*/"",
                        "name of the stage, rule to llvm">];
}

//===----------------------------------------------------------------------===//
// execution of a stage
//===----------------------------------------------------------------------===//

def VerifyLoopsOnMemory
    : Pass<"deltanet-verify-loops-on-memory", "::mlir::ModuleOp"> {
  let summary = "check that parallel loops have no results";
  let description = [{
    Stands in the pipelines to plain scalar code once there are no tensors, before
    upstream's lowering of parallel loops, which takes for granted that they have
    no results.

    Before, and after:
    ```mlir
    %r = scf.forall … shared_outs(…) -> tensor<4xf32> {…}   // an error
    ```
  }];
}

def WriteTileProductsAsLoops
    : Pass<"deltanet-write-tile-products-as-loops", "::mlir::func::FuncOp"> {
  let summary = "products of tiles as linalg operations on memory";
  let description = [{
    As vectors, a product of tiles of a matrix unit is 8192 multiplications
    without a loop, which LLVM takes half a minute to compile. Each step from a
    read to a product gets memory of its own, filled where the step stands.

    Before:
    ```mlir
    %t = vector.transfer_read %a[…] : memref<…xbf16>, vector<16x16x2xbf16>
    %w = arith.extf %t
    %l = vector.shape_cast %w : vector<16x16x2xf32> to vector<16x32xf32>
    %s = vector.contract … %l, %r, %sums : … into vector<16x16xf32>
    ```
    After:
    ```mlir
    linalg.copy ins(%part) outs(%narrow : memref<16x16x2xbf16>)
    linalg.generic … ins(%narrow) outs(%wide : memref<16x16x2xf32>) {extf}
    linalg.generic … ins(%left, %right) outs(%acc : memref<16x16xf32>) {…}
    %s = vector.transfer_read %acc[…]
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

#endif // DELTANET_PASSES
