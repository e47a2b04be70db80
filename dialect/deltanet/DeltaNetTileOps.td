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
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def DeltaNet_RecurrencePassOp : DeltaNet_Op<"recurrence_pass", [Pure]> {
  let summary = "one pass over a slice of the state: B tokens, W columns";
  let description = [{
    Adds the outer products of the B tokens before to W columns of the state and,
    while each row is at hand, takes its products with the keys and queries of
    the next B tokens: one load and one store of the state for 3·B products. What
    the B tokens owe each other is settled afterwards, on W-wide rows.

    With k_b = current[b,0,:], q_b = current[b,1,:] and the coefficients c:

    ```
    S' = c.decay · S + Σ_b previous[b,0,:] ⊗ delta[b,:]
    u_b = c.beta_b · values_b + c.key_b · S'ᵀ k_b + Σ_{j<b} c.erase_bj · u_j
    out_b = c.query_b · S'ᵀ q_b + Σ_{j≤b} c.mix_bj · u_j
    delta'_b = c.carry_b · u_b
    ```

    `coefficients` holds, in this order: beta, key, query, carry (B each), erase
    (row by row, B(B−1)/2), mix (row by row, B(B+1)/2) and decay. key and erase
    take away, so they are negative: every term is a fused multiply-add.
    `rare_decay` says that decay is almost always one, so that a test pays.

    Constraints:

    - C20: S is a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64;
      previous and current are [B,2,K] with B from 1 to 8, delta, values and the
      destination [B,W], coefficients [4B + B² + 1], all of f32; rows is from 1
      to 8 and divides K.

    Example:

    ```mlir
    func.func @pass(%s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>,
                    %c: tensor<2x2x128xf32>, %d: tensor<2x16xf32>,
                    %v: tensor<2x16xf32>, %f: tensor<13xf32>,
                    %o: tensor<2x16xf32>)
        -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>) {
      %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c)
          delta(%d) values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
          : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
             tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>,
             tensor<2x16xf32>)
          -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
      return %r#0, %r#1, %r#2
          : tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>
    }
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$state,
    AnyRankedTensor:$previous,
    AnyRankedTensor:$current,
    AnyRankedTensor:$delta,
    AnyRankedTensor:$values,
    AnyRankedTensor:$coefficients,
    AnyRankedTensor:$out_init,
    UnitAttr:$rare_decay,
    DefaultValuedAttr<I64Attr, "1">:$rows);
  let results = (outs AnyRankedTensor:$new_state, AnyRankedTensor:$new_delta,
                      AnyRankedTensor:$out);
  let assemblyFormat = [{
    `state` `(` $state `)` `previous` `(` $previous `)` `current` `(` $current `)`
    `delta` `(` $delta `)` `values` `(` $values `)`
    `coefficients` `(` $coefficients `)` `outs` `(` $out_init `)`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getTokens() { return getCurrent().getType().getDimSize(0); }
    /// Positions in the coefficients of a pass of B tokens.
    struct Coefficients {
      int64_t tokens;
      int64_t beta(int64_t b) const { return b; }
      int64_t key(int64_t b) const { return tokens + b; }
      int64_t query(int64_t b) const { return 2 * tokens + b; }
      int64_t carry(int64_t b) const { return 3 * tokens + b; }
      int64_t erase(int64_t b, int64_t j) const {
        return 4 * tokens + b * (b - 1) / 2 + j;
      }
      int64_t mix(int64_t b, int64_t j) const {
        return 4 * tokens + tokens * (tokens - 1) / 2 + b * (b + 1) / 2 + j;
      }
      int64_t decay() const { return 4 * tokens + tokens * tokens; }
      int64_t count() const { return decay() + 1; }
    };
  }];
}

def DeltaNet_TokenStepOp : DeltaNet_Op<"token_step", [Pure]> {
  let summary = "one token of some value heads, their states where they lie";
  let description = [{
    The step of decode for G value heads of one key head. A state is read from
    memory once and written once, so what counts is the order of that:

    ```
    reads = Sᵀ [k, q]
    δ = β (v − γ reads_k)
    out = scale (γ reads_q + (k·q) δ)
    S' = γ S + k ⊗ δ
    ```

    for each of the G heads. Its `values` are v, its `factors` γ and β; `product`
    is k·q. With `layout = vk` the state is transposed: rows are those of V.
    Without `state_init` only `out` is computed.

    `rows` are taken at once, as far apart in the heads as they divide into equal
    parts: memory then sees that many sequential streams.

    Constraints:

    - C25: state is a tensor [G,K,V] (kv) or [G,V,K] (vk) of f32 with K a
      multiple of 16 and V of 8, key and query are [K], values and the
      destination of out [G,V], factors [G,2], all of f32; state_init and
      new_state, both or none, are of the type of state; rows is 1, 2 or 4; for
      vk it is a multiple of G.

    Example:

    ```mlir
    func.func @step(%s: tensor<2x64x128xf32>, %k: tensor<128xf32>,
                    %q: tensor<128xf32>, %v: tensor<2x64xf32>,
                    %f: tensor<2x2xf32>, %kq: f32, %scale: f32,
                    %o: tensor<2x64xf32>, %d: tensor<2x64x128xf32>)
        -> (tensor<2x64xf32>, tensor<2x64x128xf32>) {
      %r:2 = deltanet.token_step vk state(%s) key(%k) query(%q) values(%v)
          factors(%f) product(%kq) scale(%scale) outs(%o, %d) {rows = 4 : i64}
          : (tensor<2x64x128xf32>, tensor<128xf32>, tensor<128xf32>,
             tensor<2x64xf32>, tensor<2x2xf32>, f32, f32, tensor<2x64xf32>,
             tensor<2x64x128xf32>)
          -> (tensor<2x64xf32>, tensor<2x64x128xf32>)
      return %r#0, %r#1 : tensor<2x64xf32>, tensor<2x64x128xf32>
    }
    ```
  }];
  let arguments = (ins
    DeltaNet_StateLayoutAttr:$layout,
    AnyRankedTensor:$state,
    AnyRankedTensor:$key,
    AnyRankedTensor:$query,
    AnyRankedTensor:$values,
    AnyRankedTensor:$factors,
    F32:$product,
    F32:$scale,
    AnyRankedTensor:$out_init,
    Optional<AnyRankedTensor>:$state_init,
    DefaultValuedAttr<I64Attr, "1">:$rows);
  let results = (outs AnyRankedTensor:$out, Optional<AnyRankedTensor>:$new_state);
  let assemblyFormat = [{
    $layout `state` `(` $state `)` `key` `(` $key `)` `query` `(` $query `)`
    `values` `(` $values `)` `factors` `(` $factors `)` `product` `(` $product `)`
    `scale` `(` $scale `)` `outs` `(` $out_init (`,` $state_init^)? `)`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isVK() { return getLayout() == StateLayout::VK; }
    int64_t getHeads() { return getState().getType().getDimSize(0); }
    int64_t getKeyDim() {
      return getState().getType().getDimSize(isVK() ? 2 : 1);
    }
    int64_t getValueDim() {
      return getState().getType().getDimSize(isVK() ? 1 : 2);
    }
  }];
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

def DeltaNet_TrilSolveOp : DeltaNet_Op<"tril_solve",
    [Pure, DestinationStyleOpInterface, AttrSizedOperandSegments]> {
  let summary = "a triangular system, solved in numbers of bf16";
  let description = [{
    The rows of U that a matrix unit multiplies next, rounded to bf16. A rounding
    of one row is known to the rows below it, which correct it as they correct
    the row itself: so the roundings of nearly equal keys do not add up.

    ```
    u_i = rhs_i + Σ_{j<i} matrix_ij solution_j
    solution_i = bf16(u_i)
    ```

    With factors f, what goes into the state is a second result, rounded on its
    own. It takes the share c_i of the rounding of u_i that the next row takes
    back, and its own rounding r is passed on to the next row, as much of it as
    the keys have in common, p:

    ```
    w_i = u_i + c_i (solution_i − u_i) − p_i r_{i−1}
    scaled_i = bf16(f_i w_i)
    r_i = (scaled_i − f_i w_i) / f_i           0 where f_i < 2⁻⁶⁴
    ```

    where r_{−1} = 0. The solution depends on no factor, so not on later tokens.
    The diagonal of the matrix and what is above it are not read.

    A result is rows of f32, or what a matrix unit takes as its right operand:
    tiles of 16 pairs of rows and 16 columns of bf16.

    Constraints:

    - C27: matrix is a tensor [B,B] of f32 with B a multiple of 8 from 8 to 128,
      rhs is [B,W] of f32 with W a multiple of 16; factors, shares and passes, all
      or none, and with them two destinations, are [B]; a destination and its
      result are of the type of rhs or, where 32 divides B, [B/32,W/16,16,16,2] of
      bf16.

    Example:

    ```mlir
    func.func @solve(%a: tensor<32x32xf32>, %x: tensor<32x64xf32>,
                     %f: tensor<32xf32>, %c: tensor<32xf32>,
                     %p: tensor<32xf32>, %u: tensor<32x64xf32>,
                     %e: tensor<32x64xf32>)
        -> (tensor<32x64xf32>, tensor<32x64xf32>) {
      %r:2 = deltanet.tril_solve matrix(%a) rhs(%x) factors(%f, %c, %p)
          outs(%u, %e)
          : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32xf32>,
             tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>,
             tensor<32x64xf32>)
          -> (tensor<32x64xf32>, tensor<32x64xf32>)
      return %r#0, %r#1 : tensor<32x64xf32>, tensor<32x64xf32>
    }
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$matrix,
    AnyRankedTensor:$rhs,
    Optional<AnyRankedTensor>:$factors,
    Optional<AnyRankedTensor>:$shares,
    Optional<AnyRankedTensor>:$passes,
    AnyRankedTensor:$solution_init,
    Optional<AnyRankedTensor>:$scaled_init);
  let results = (outs AnyRankedTensor:$solution,
                      Optional<AnyRankedTensor>:$scaled);
  let assemblyFormat = [{
    `matrix` `(` $matrix `)` `rhs` `(` $rhs `)`
    (`factors` `(` $factors^ `,` $shares `,` $passes `)`)?
    `outs` `(` $solution_init (`,` $scaled_init^)? `)`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable();

    /// Rows [R,W] as right-hand tiles of bf16, 32 rows by 16 columns each:
    /// [R/32,W/16,16,16,2].
    static mlir::RankedTensorType getTilesType(mlir::RankedTensorType rows);
  }];
}

#endif // DELTANET_TILE_OPS
