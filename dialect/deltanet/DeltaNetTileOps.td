//===- DeltaNetTileOps.td - Operations of one chunk or pass -*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
// Only what upstream dialects have no structured form for.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TILE_OPS
#define DELTANET_TILE_OPS

include "deltanet/DeltaNetAttrs.td"

def DeltaNet_RecurrencePassOp : DeltaNet_Op<"recurrence_pass", [Pure]> {
  let summary = "one pass over a state slice: update by B tokens, read by B";
  let description = [{
    Adds the outer products of the B tokens before to a slice of W state columns
    and, while each row is at hand, takes the products of the slice with the keys
    and queries of the next B tokens, so that both share one load and one store
    of the state.

    ```
    S'  = decay · S + Σ_b previous[b,0,:] ⊗ delta[b,:]
    reads[b,0,:] = S'ᵀ current[b,0,:]          keys
    reads[b,1,:] = S'ᵀ current[b,1,:]          queries
    ```

    `previous` and `current` hold a key row and a query row a token. Without
    `decay` the factor is one.

    Constraints:

    - C20: S is a tensor [K,W] of f32, W a multiple of 8; previous and current
      are tensors [B,2,K], delta [B,W] and reads [B,2,W] of f32.

    Example:

    ```mlir
    func.func @pass(%s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>,
                    %c: tensor<2x2x128xf32>, %d: tensor<2x16xf32>)
        -> (tensor<128x16xf32>, tensor<2x2x16xf32>) {
      %r:2 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
          {rows = 2 : i64}
          : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
             tensor<2x16xf32>) -> (tensor<128x16xf32>, tensor<2x2x16xf32>)
      return %r#0, %r#1 : tensor<128x16xf32>, tensor<2x2x16xf32>
    }
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$state,
    AnyRankedTensor:$previous,
    AnyRankedTensor:$current,
    AnyRankedTensor:$delta,
    Optional<F32>:$decay,
    DefaultValuedAttr<I64Attr, "1">:$rows);
  let results = (outs AnyRankedTensor:$new_state, AnyRankedTensor:$reads);
  let assemblyFormat = [{
    `state` `(` $state `)` `previous` `(` $previous `)` `current` `(` $current `)`
    `delta` `(` $delta `)` (`decay` `(` $decay^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def DeltaNet_SlotSequenceOp : DeltaNet_Op<"slot_sequence", [Pure]> {
  let summary = "the sequence that may own a chunk slot";
  let description = [{
    Chunks of all sequences lie in T/C + N slots; those of sequence n begin at slot
    cu_seqlens[n]/C + n (integer division), which is unique and enough without a
    sum over the lengths. The result is the last sequence whose first slot is not
    after `slot`:

    ```
    n = max { n < N : cu_seqlens[n]/C + n ≤ slot }
    ```

    It owns the slot if it is long enough.

    Constraints:

    - C21: cu_seqlens is a tensor [N+1] of i32 or i64; chunk is 16, 32, 64 or 128.

    Example:

    ```mlir
    func.func @owner(%slot: index, %cu: tensor<?xi32>) -> index {
      %n = deltanet.slot_sequence %slot in %cu {chunk = 64 : i64} : tensor<?xi32>
      return %n : index
    }
    ```
  }];
  let arguments = (ins Index:$slot, AnyRankedTensor:$cu_seqlens, I64Attr:$chunk);
  let results = (outs Index:$sequence);
  let assemblyFormat =
      "$slot `in` $cu_seqlens attr-dict `:` type($cu_seqlens)";
  let hasVerifier = 1;
}

def DeltaNet_DecayOp : DeltaNet_Op<"decay", [Pure]> {
  let summary = "what the log gates of one chunk do to its tokens";
  let description = [{
    From the log gates g of the C tokens of a chunk: how much token j has decayed
    at token i, and the sums of the gates from the chunk's begin and to its end.

    ```
    matrix_ij = exp(g_{j+1} + … + g_i)   j ≤ i, else 0
    prefix_i  = g_0 + … + g_i
    suffix_i  = g_{i+1} + … + g_{C−1}
    ```

    All of it by forward sums of gates, never by a difference of sums: exact at
    g = 0 and g = −inf, and no exponent is positive for g ≤ 0.

    Constraints:

    - C22: gates is a tensor [C] of f32 with C 16, 32, 64 or 128, matrix a tensor
      [C,C] of f32, prefix and suffix are of the type of gates.

    Example:

    ```mlir
    func.func @decays(%g: tensor<64xf32>)
        -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) {
      %d, %p, %s = deltanet.decay %g
          : tensor<64xf32> -> tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
      return %d, %p, %s : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$gates);
  let results = (outs AnyRankedTensor:$matrix, AnyRankedTensor:$prefix,
                      AnyRankedTensor:$suffix);
  let assemblyFormat = [{
    $gates attr-dict `:` type($gates) `->` type($matrix) `,` type($prefix) `,`
    type($suffix)
  }];
  let hasVerifier = 1;
}

def DeltaNet_TrilInverseOp : DeltaNet_Op<"tril_inverse",
    [Pure, AllTypesMatch<["matrix", "result"]>]> {
  let summary = "the inverse of a unit lower triangular matrix";
  let description = [{
    ```
    result = (I + stril(matrix))⁻¹
    ```

    where stril keeps what is below the diagonal: the diagonal and what is above
    it are not read, and may be unwritten. The result is lower triangular with a
    unit diagonal and zeros above it. Computed by block forward substitution,
    never by powers of the matrix, which overflow where the inverse is small.

    Constraints:

    - C23: matrix is a tensor [C,C] of f32 with C 16, 32, 64 or 128.

    Example:

    ```mlir
    func.func @inverse(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %t = deltanet.tril_inverse %a : tensor<64x64xf32>
      return %t : tensor<64x64xf32>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$matrix);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$matrix attr-dict `:` type($matrix)";
  let hasVerifier = 1;
}

#endif // DELTANET_TILE_OPS
