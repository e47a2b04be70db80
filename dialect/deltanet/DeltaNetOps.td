//===- DeltaNetOps.td - Whole-layer operations --------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_OPS
#define DELTANET_OPS

include "deltanet/DeltaNetAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class DeltaNet_Op<string mnemonic, list<Trait> traits = []>
    : Op<DeltaNet_Dialect, mnemonic, traits>;

def DeltaNet_DeltaRuleOp : DeltaNet_Op<"delta_rule",
    [Pure, AttrSizedOperandSegments]> {
  let summary = "the delta rule of a whole layer";
  let description = [{
    Runs the recurrence of N packed sequences over their tokens, from the initial
    to the final state, and reads every token's output.

    For each sequence and value head hv with key head h (see `head_map`), and for
    its tokens t in order, S ∈ R^{K×V}:

    ```
    S ← e^{g_t} S                       rule = gated; nothing for rule = delta
    δ = β_t (v_t − Sᵀ k_t)
    S ← S + k_t δᵀ
    o_t = scale · Sᵀ q_t
    ```

    `head_map` `grouped` means h = hv / (HV/H), `tiled` means h = hv mod H.
    `state_layout` says how the state lies in memory, `kv` as [N,HV,K,V] or `vk`
    as [N,HV,V,K]. Without `cu_seqlens` there is one sequence (N = 1); with it
    sequence n owns the tokens cu_seqlens[n] … cu_seqlens[n+1]−1 and may be empty,
    which leaves its initial state. Tokens that belong to no sequence have
    unspecified outputs. Without `state` the initial state is zero.

    With `l2norm_eps` every q and k row is first replaced by x·rsqrt(Σx² + eps).
    `scale` multiplies q and is K^−½ unless given; the operand, if there is one,
    replaces the attribute.

    `outs` are destinations: with `schedules` that do not serve all lengths, the
    rows of the other sequences keep the content of the destination.

    Constraints (docs/spec.md):

    - C1: q and k are ranked tensors [T,H,K] of one type.
    - C2: v is a ranked tensor [T,HV,V] with the T and the element type of q. T
      is static in all operands and results or in none.
    - C3: the element type is bf16, f16 or f32.
    - C4: H, HV, K, V are static; H and HV are from 1 to 1024, K and V multiples
      of 16 from 16 to 256. A static T is from 1 to 2⁴⁰.
    - C5: HV is a multiple of H.
    - C6: g is a tensor [T,HV] of f32, present exactly for rule = gated.
    - C7: beta is a tensor [T,HV] of f32.
    - C8: states are tensors [N,HV,K,V] (kv) or [N,HV,V,K] (vk) of f32, all of
      the same N.
    - C9: cu_seqlens is a tensor [N+1] of i32 or i64; without it N is 1.
    - C10: o has the type of v.
    - C11: l2norm_eps is finite and not negative; scale is finite.
    - C12: the schedules of a rule serve disjoint, ascending ranges of lengths;
      value_slice and columns divide V; C is 16, 32, 64 or 128.
    - C13: outs have the types of the results, one for each or none.
    - C26: attributes of a delta_rule that are not named above have a dialect's
      prefix.

    Example:

    ```mlir
    func.func @gdn(%q: tensor<?x16x128xbf16>, %k: tensor<?x16x128xbf16>,
                   %v: tensor<?x32x128xbf16>, %g: tensor<?x32xf32>,
                   %beta: tensor<?x32xf32>, %s: tensor<?x32x128x128xf32>,
                   %cu: tensor<?xi32>)
        -> (tensor<?x32x128xbf16>, tensor<?x32x128x128xf32>) {
      %o, %f = deltanet.delta_rule gated, grouped, kv
          q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
          {l2norm_eps = 1.0e-6 : f32}
          : (tensor<?x16x128xbf16>, tensor<?x16x128xbf16>,
             tensor<?x32x128xbf16>, tensor<?x32xf32>, tensor<?x32xf32>,
             tensor<?x32x128x128xf32>, tensor<?xi32>)
          -> (tensor<?x32x128xbf16>, tensor<?x32x128x128xf32>)
      return %o, %f : tensor<?x32x128xbf16>, tensor<?x32x128x128xf32>
    }
    ```
  }];
  let arguments = (ins
    DeltaNet_RuleAttr:$rule,
    DeltaNet_HeadMapAttr:$head_map,
    DeltaNet_StateLayoutAttr:$state_layout,
    AnyRankedTensor:$q,
    AnyRankedTensor:$k,
    AnyRankedTensor:$v,
    Optional<AnyRankedTensor>:$g,
    AnyRankedTensor:$beta,
    Optional<AnyRankedTensor>:$state,
    Optional<AnyRankedTensor>:$cu_seqlens,
    Optional<F32>:$scale_operand,
    Optional<AnyRankedTensor>:$o_init,
    Optional<AnyRankedTensor>:$state_init,
    OptionalAttr<F32Attr>:$l2norm_eps,
    OptionalAttr<F32Attr>:$scale,
    OptionalAttr<DeltaNet_ScheduleArrayAttr>:$schedules);
  let results = (outs
    AnyRankedTensor:$o,
    Optional<AnyRankedTensor>:$final_state);
  // The attributes print their own leading space.
  let assemblyFormat = [{
    `` $rule `,` `` $head_map `,` `` $state_layout
    `q` `(` $q `)` `k` `(` $k `)` `v` `(` $v `)` (`g` `(` $g^ `)`)?
    `beta` `(` $beta `)` (`state` `(` $state^ `)`)?
    (`cu_seqlens` `(` $cu_seqlens^ `)`)? (`scale` `(` $scale_operand^ `)`)?
    (`outs` `(` $o_init^ (`,` $state_init^)? `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getH() { return getQ().getType().getDimSize(1); }
    int64_t getHV() { return getV().getType().getDimSize(1); }
    int64_t getKeyDim() { return getQ().getType().getDimSize(2); }
    int64_t getValueDim() { return getV().getType().getDimSize(2); }
    /// HV/H: value heads of one key head.
    int64_t getGroupSize() { return getHV() / getH(); }
    /// The factor of q that the attribute or its absence (K^−½) stands for.
    float getScaleValue();
    /// Element type of q, k, v and o.
    ::mlir::FloatType getIoType() {
      return ::llvm::cast<::mlir::FloatType>(getQ().getType().getElementType());
    }
  }];
}

include "deltanet/DeltaNetTileOps.td"

#endif // DELTANET_OPS
