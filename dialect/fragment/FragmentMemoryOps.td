//===- FragmentMemoryOps.td - Tiles and memory --------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_MEMORY_OPS
#define FRAGMENT_MEMORY_OPS

include "fragment/FragmentTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/SubsetOpInterface.td"

class Fragment_MemoryOp<string mnemonic, list<Trait> traits>
    : Fragment_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<BufferizableOpInterface,
            ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
             "getAliasingValues", "bufferize"]>,
        DeclareOpInterfaceMethods<SubsetOpInterface,
            ["operatesOnEquivalentSubset", "operatesOnDisjointSubset"]>]> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  code memoryDeclaration = [{
    /// The dimension of the tile that each dimension of the memory is.
    ::llvm::SmallVector<int64_t, 2> getDimensionMap();

    /// Bytes that the address of each row of memory is a multiple of.
    int64_t getKnownAlignment();

    /// The tensor or memref.
    ::mlir::ShapedType getMemoryType();

    ::mlir::deltanet::fragment::TileType getTileType();
  }];
}

def Fragment_LoadOp : Fragment_MemoryOp<"load",
    [DeclareOpInterfaceMethods<SubsetExtractionOpInterface>]> {
  let summary = "read a tile from memory";
  let description = [{
    Each thread reads the elements that it holds. Dimension i of the source is
    dimension `dims[i]` of the tile, [0, 1] unless given: `dims [1, 0]` reads the
    transposed source, `dims [0]` or `dims [1]` a source of one dimension as one
    column or row.

    Where the source ends before the tile, in a dimension of dynamic size, the tile
    has zeros; where it goes on, nothing more is read.

    `alignment` tells of how many bytes the address of the first element and all
    strides but those of 1 are multiples. Several elements are read at once, 16
    bytes at most, where it and the layout allow. It is the size of an element
    unless given: the C ABI promises no more. Memory that is `swizzled` (C39) has 16.

    Elements of 16 bits that lie in pieces of `mma` are read from shared memory by
    `ldmatrix`, if they are aligned.

    Constraints:

    - C34: the memory of a `fragment.load` or `fragment.store` has rank 1 or 2 and
      the element type of the tile; dims names a different dimension of the tile for
      each of its dimensions, and is there for rank 1; a static size is the tile's, a
      dimension without one in memory has size 1 in the tile; alignment is a power
      of two from the size of an element to 16.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
    func.func @read(%state: memref<32x128xf32, strided<[?, 1]>, 1>,
                    %key: tensor<128xbf16>)
        -> (!fragment.tile<32x128xf32, #lanes>, !fragment.tile<1x128xbf16, #lanes>) {
      %s = fragment.load %state alignment 16
          : memref<32x128xf32, strided<[?, 1]>, 1> -> !fragment.tile<32x128xf32, #lanes>
      %k = fragment.load %key dims [1]
          : tensor<128xbf16> -> !fragment.tile<1x128xbf16, #lanes>
      return %s, %k
          : !fragment.tile<32x128xf32, #lanes>, !fragment.tile<1x128xbf16, #lanes>
    }
    ```
  }];
  let arguments = (ins Fragment_Memory:$source,
                       OptionalAttr<DenseI64ArrayAttr>:$dims,
                       OptionalAttr<I64Attr>:$alignment,
                       UnitAttr:$swizzled);
  let results = (outs Fragment_TileType:$result);
  let assemblyFormat = [{
    $source (`dims` $dims^)? (`alignment` $alignment^)? (`swizzled` $swizzled^)?
    attr-dict
    `:` type($source) `->` type($result)
  }];
  let extraClassDeclaration = memoryDeclaration;
}

def Fragment_StoreOp : Fragment_MemoryOp<"store",
    [DestinationStyleOpInterface,
     InferTypeOpAdaptor,
     DeclareOpInterfaceMethods<SubsetInsertionOpInterface>]> {
  let summary = "write a tile to memory";
  let description = [{
    Writes a memref, or gives a tensor in place of its destination. Each element is
    written by one thread; where several hold it, they share the work. `dims`,
    `alignment` and `swizzled` are those of `fragment.load`. Where the destination ends before the
    tile, in a dimension of dynamic size, nothing is written; where it goes on, it
    stays as it is.

    Constraints: C34.

    Example:

    ```mlir
    #lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
    func.func @write(%t: !fragment.tile<32x1xf32, #lanes>, %out: tensor<32xf32>)
        -> tensor<32xf32> {
      %new = fragment.store %t, %out dims [0]
          : !fragment.tile<32x1xf32, #lanes>, tensor<32xf32>
      return %new : tensor<32xf32>
    }
    ```
  }];
  let arguments = (ins Fragment_TileType:$value,
                       Fragment_Memory:$dest,
                       OptionalAttr<DenseI64ArrayAttr>:$dims,
                       OptionalAttr<I64Attr>:$alignment,
                       UnitAttr:$swizzled);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $value `,` $dest (`dims` $dims^)? (`alignment` $alignment^)?
    (`swizzled` $swizzled^)? attr-dict
    `:` type($value) `,` type($dest)
  }];
  let extraClassDeclaration = memoryDeclaration # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }
  }];
}

#endif // FRAGMENT_MEMORY_OPS
