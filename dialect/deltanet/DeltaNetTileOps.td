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

#endif // DELTANET_TILE_OPS
