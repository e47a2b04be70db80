//===- FragmentRegisterOps.td - Computing with tiles --------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_REGISTER_OPS
#define FRAGMENT_REGISTER_OPS

include "fragment/FragmentTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Fragment_SplatOp : Fragment_Op<"splat", [Pure]> {
  let summary = "a tile of one number";
  let description = [{
    Constraints:

    - C35: the scalar of a `fragment.splat` or `fragment.extract` has the element
      type of the tile, and a tile that one is extracted from is 1x1.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
    func.func @zeros() -> !fragment.tile<32x128xf32, #lanes> {
      %zero = arith.constant 0.0 : f32
      %t = fragment.splat %zero : !fragment.tile<32x128xf32, #lanes>
      return %t : !fragment.tile<32x128xf32, #lanes>
    }
    ```
  }];
  let arguments = (ins Fragment_Element:$scalar);
  let results = (outs Fragment_TileType:$result);
  let assemblyFormat = [{
    $scalar attr-dict `:` custom<TileOfScalar>(type($result), type($scalar))
  }];
  let hasVerifier = 1;
}

def Fragment_ExtractOp : Fragment_Op<"extract",
    [Pure, InferTypeOpAdaptor]> {
  let summary = "the number of a tile that has one";
  let description = [{
    All threads hold it.

    Constraints: C35.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>
    func.func @number(%t: !fragment.tile<1x1xf32, #lanes>) -> f32 {
      %x = fragment.extract %t : !fragment.tile<1x1xf32, #lanes>
      return %x : f32
    }
    ```
  }];
  let arguments = (ins Fragment_TileType:$tile);
  let results = (outs Fragment_Element:$scalar);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fragment_MapOp : Fragment_Op<"map",
    [RecursiveMemoryEffects, RecursivelySpeculatable,
     SingleBlock]> {
  let summary = "compute each element from those at its place";
  let description = [{
    The body computes one element of each result from the element of each input at
    the same row and column. An input of one row or column lends it to all of them.
    The body may use scalars from outside, and `fragment.index`.

    Constraints:

    - C36: the tiles of a `fragment.map` have one layout and its results one shape;
      each dimension of an input has that size or 1. The body has an argument and
      yields a value for each of them, of their element types, touches no memory and
      has no tile or tensor within.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
    func.func @update(%s: !fragment.tile<32x128xf32, #lanes>,
                      %d: !fragment.tile<32x1xf32, #lanes>,
                      %k: !fragment.tile<1x128xf32, #lanes>)
        -> !fragment.tile<32x128xf32, #lanes> {
      %new = fragment.map %s, %d, %k
          : (!fragment.tile<32x128xf32, #lanes>, !fragment.tile<32x1xf32, #lanes>,
             !fragment.tile<1x128xf32, #lanes>)
          -> !fragment.tile<32x128xf32, #lanes> {
      ^bb0(%old: f32, %delta: f32, %key: f32):
        %r = math.fma %delta, %key, %old : f32
        fragment.yield %r : f32
      }
      return %new : !fragment.tile<32x128xf32, #lanes>
    }
    ```
  }];
  let arguments = (ins Variadic<Fragment_TileType>:$inputs);
  let results = (outs Variadic<Fragment_TileType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($inputs^)? attr-dict `:` functional-type($inputs, $results) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results,
      "::mlir::ValueRange":$inputs,
      CArg<"::llvm::function_ref<::llvm::SmallVector<::mlir::Value>("
           "::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>", "nullptr">:$body)>];
  let extraClassDeclaration = [{
    ::mlir::deltanet::fragment::YieldOp getYield();
  }];
}

def Fragment_YieldOp : Fragment_Op<"yield",
    [Pure, Terminator, HasParent<"::mlir::deltanet::fragment::MapOp">]> {
  let summary = "the elements that a map computes";
  let description = [{
    Ends the body of a `fragment.map`, with a value for each of its results.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>
    func.func @both(%t: !fragment.tile<4x128xf32, #lanes>)
        -> (!fragment.tile<4x128xbf16, #lanes>, !fragment.tile<4x128xbf16, #lanes>) {
      %high, %low = fragment.map %t : (!fragment.tile<4x128xf32, #lanes>)
          -> (!fragment.tile<4x128xbf16, #lanes>, !fragment.tile<4x128xbf16, #lanes>) {
      ^bb0(%x: f32):
        %h = arith.truncf %x : f32 to bf16
        %back = arith.extf %h : bf16 to f32
        %rest = arith.subf %x, %back : f32
        %l = arith.truncf %rest : f32 to bf16
        fragment.yield %h, %l : bf16, bf16
      }
      return %high, %low
          : !fragment.tile<4x128xbf16, #lanes>, !fragment.tile<4x128xbf16, #lanes>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Fragment_IndexOp : Fragment_Op<"index", [Pure]> {
  let summary = "the row or column of the element that a map computes";
  let description = [{
    Constraints:

    - C37: a `fragment.index` is within a `fragment.map` and names dimension 0 or 1.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [4, 8], warps = [1, 1]>
    func.func @below(%t: !fragment.tile<32x32xf32, #lanes>)
        -> !fragment.tile<32x32xf32, #lanes> {
      %zero = arith.constant 0.0 : f32
      %masked = fragment.map %t : (!fragment.tile<32x32xf32, #lanes>)
          -> !fragment.tile<32x32xf32, #lanes> {
      ^bb0(%x: f32):
        %row = fragment.index 0
        %column = fragment.index 1
        %keep = arith.cmpi ult, %column, %row : index
        %y = arith.select %keep, %x, %zero : f32
        fragment.yield %y : f32
      }
      return %masked : !fragment.tile<32x32xf32, #lanes>
    }
    ```
  }];
  let arguments = (ins I64Attr:$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "$dimension attr-dict";
  let hasVerifier = 1;
}

def Fragment_ReduceOp : Fragment_Op<"reduce", [Pure]> {
  let summary = "sums or maxima along the rows or columns of a tile";
  let description = [{
    Adds the elements of each column (`along 0`) or row (`along 1`); the result has
    size 1 there, and all threads along it hold the sums. The order of additions
    depends on the types alone: first those of a thread one after the other, then
    those of lanes, by halves.

    With `max` it is the largest number of them, as by `arith.maxnumf`: a NaN counts
    only where there is nothing else, and never in another row. What follows holds for
    maxima, too.

    Sums of rows need not be in every lane of the row: with a layout of more rows of
    lanes as result, each lane keeps some of those that it had a part in. That takes
    fewer exchanges, and what is computed with them is computed once. When all lanes
    need them, `fragment.broadcast` gives them.

    Constraints:

    - C38: the elements of a `fragment.reduce` are f32; it is along dimension 0 or
      1, in which the layout has one warp unless the tile has size 1 there. The
      result has size 1 there and is otherwise as the tile; along 1, a
      `#fragment.lanes` with lanes [a, b] may become one with [a·f, b/f], where f
      divides the rows of a thread.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
    #rows = #fragment.lanes<lanes = [8, 4], warps = [4, 1]>
    func.func @sums(%t: !fragment.tile<32x128xf32, #lanes>)
        -> (!fragment.tile<32x1xf32, #lanes>, !fragment.tile<32x1xf32, #rows>,
            !fragment.tile<32x1xf32, #lanes>) {
      %everywhere = fragment.reduce %t along 1
          : !fragment.tile<32x128xf32, #lanes> -> !fragment.tile<32x1xf32, #lanes>
      %once = fragment.reduce %t along 1
          : !fragment.tile<32x128xf32, #lanes> -> !fragment.tile<32x1xf32, #rows>
      %largest = fragment.reduce max %t along 1
          : !fragment.tile<32x128xf32, #lanes> -> !fragment.tile<32x1xf32, #lanes>
      return %everywhere, %once, %largest
          : !fragment.tile<32x1xf32, #lanes>, !fragment.tile<32x1xf32, #rows>,
            !fragment.tile<32x1xf32, #lanes>
    }
    ```
  }];
  let arguments = (ins Fragment_TileType:$tile, I64Attr:$dimension,
                       UnitAttr:$maximum);
  let results = (outs Fragment_TileType:$result);
  let assemblyFormat = [{
    (`max` $maximum^)? $tile `along` $dimension attr-dict
    `:` type($tile) `->` type($result)
  }];
  // Sums that all lanes hold.
  let builders = [OpBuilder<(ins "::mlir::Value":$tile, "int64_t":$dimension)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fragment_BroadcastOp : Fragment_Op<"broadcast", [Pure]> {
  let summary = "values of rows for all lanes of the row";
  let description = [{
    From one value a row, in fewer or other lanes, to one in all lanes that hold the
    row in another layout. Lanes of a warp exchange it.

    Constraints:

    - C44: a `fragment.broadcast` is from a tile of one column to one of its shape
      and element type, both in `#fragment.lanes` of the same warps, with lanes
      [a·f, b/f] and [a, b], where f divides the rows of a thread of the latter.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
    #rows = #fragment.lanes<lanes = [8, 4], warps = [4, 1]>
    func.func @everywhere(%t: !fragment.tile<32x1xf32, #rows>)
        -> !fragment.tile<32x1xf32, #lanes> {
      %b = fragment.broadcast %t
          : !fragment.tile<32x1xf32, #rows> to !fragment.tile<32x1xf32, #lanes>
      return %b : !fragment.tile<32x1xf32, #lanes>
    }
    ```
  }];
  let arguments = (ins Fragment_TileType:$tile);
  let results = (outs Fragment_TileType:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // FRAGMENT_REGISTER_OPS
