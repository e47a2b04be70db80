//===- FragmentMatrixOps.td - Products of tiles -------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_MATRIX_OPS
#define FRAGMENT_MATRIX_OPS

include "fragment/FragmentTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Fragment_CastOp : Fragment_Op<"cast", [Pure]> {
  let summary = "the same registers as a tile of another layout";
  let description = [{
    Where both layouts give every thread the same elements: an accumulator whose
    warps have whole rows, as left operand of the next product.

    Constraints:

    - C42: a `fragment.cast` keeps shape and element type, and each thread of the
      same block its elements in their order.

    Example:

    ```mlir
    #accumulator = #fragment.accumulator<warps = [4, 1]>
    #left = #fragment.left<warps = [4, 1]>
    func.func @operand(%t: !fragment.tile<64x32xbf16, #accumulator>)
        -> !fragment.tile<64x32xbf16, #left> {
      %l = fragment.cast %t : !fragment.tile<64x32xbf16, #accumulator>
          to !fragment.tile<64x32xbf16, #left>
      return %l : !fragment.tile<64x32xbf16, #left>
    }
    ```
  }];
  let arguments = (ins Fragment_TileType:$tile);
  let results = (outs Fragment_TileType:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fragment_MmaOp : Fragment_Op<"mma",
    [AllTypesMatch<["accumulator", "result"]>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<ConditionallySpeculatable>,
     DeclareOpInterfaceMethods<BufferizableOpInterface,
         ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
          "getAliasingValues", "bufferize"]>]> {
  let summary = "add a product by tensor cores";
  let description = [{
    ```
    result = accumulator + left · right
    ```

    The right operand [K,N] is read from shared memory, where it lies swizzled
    (`fragment.copy_async`), by each warp as much as it needs. `dims` names the
    dimension of the operand that each of memory is: [0, 1], the default, if it lies
    as [K,N], [1, 0] as [N,K]. Products are added in the order of K, 16 at a time.

    Operands of f32 are multiplied as TF32, 8 terms at a time: of each the lowest 13
    bits are ignored, so that numbers are rounded towards zero. Who wants the nearest
    TF32 makes it before, in a `fragment.map` and before the right operand is stored.
    Of f32, [N,K] is read by half as many loads as [K,N], and without bank conflicts.

    `split_left` and `split_right` say that of an operand of f32 the lowest bits count,
    too: it enters as a TF32 and what that leaves, with twice as many products, or with
    three times as many if both are split. What both leave is not multiplied.

    `causal` says that the right operand has zeros where k > n. Of 8 columns, terms
    from the first multiple of 16, or 8 of f32, behind the last column on are then
    neither read nor multiplied; that memory may be uninitialised.

    Constraints:

    - C43: a `fragment.mma` has a left operand [M,K] in `#fragment.left` and an
      accumulator [M,N] of f32 in `#fragment.accumulator`, of the same warps, and a
      right operand of static size with the element type of the left one, [K,N] or,
      with dims = [1, 0], [N,K], that keeps C39.
    - C45: a `fragment.mma` that is causal has K = N and an accumulator of warps
      [c, 1].
    - C47: a `fragment.mma` that splits an operand has operands of f32.

    Example:

    ```mlir
    #accumulator = #fragment.accumulator<warps = [4, 1]>
    #left = #fragment.left<warps = [4, 1]>
    func.func @add(%s: !fragment.tile<64x128xbf16, #left>,
                   %k: memref<64x128xbf16, 3>,
                   %x: !fragment.tile<64x64xf32, #accumulator>)
        -> !fragment.tile<64x64xf32, #accumulator> {
      %y = fragment.mma %s, %k, %x dims [1, 0]
          : !fragment.tile<64x128xbf16, #left>, memref<64x128xbf16, 3>,
            !fragment.tile<64x64xf32, #accumulator>
      return %y : !fragment.tile<64x64xf32, #accumulator>
    }
    ```
  }];
  let arguments = (ins Fragment_TileType:$left,
                       Fragment_Memory:$right,
                       Fragment_TileType:$accumulator,
                       OptionalAttr<DenseI64ArrayAttr>:$dims,
                       UnitAttr:$causal,
                       UnitAttr:$split_left,
                       UnitAttr:$split_right);
  let results = (outs Fragment_TileType:$result);
  let assemblyFormat = [{
    $left `,` $right `,` $accumulator (`dims` $dims^)? (`causal` $causal^)?
    (`split_left` $split_left^)? (`split_right` $split_right^)? attr-dict
    `:` type($left) `,` type($right) `,` type($accumulator)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the right operand lies as [N,K].
    bool isRightTransposed();
  }];
}

#endif // FRAGMENT_MATRIX_OPS
