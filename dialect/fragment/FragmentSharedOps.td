//===- FragmentSharedOps.td - Copies to shared memory -------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_SHARED_OPS
#define FRAGMENT_SHARED_OPS

include "fragment/FragmentTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Fragment_CopyAsyncOp : Fragment_Op<"copy_async",
    [DestinationStyleOpInterface, InferTypeOpAdaptor,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<BufferizableOpInterface,
         ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
          "getAliasingValues", "bufferize"]>]> {
  let summary = "copy to shared memory while computation goes on";
  let description = [{
    The threads of the block share the work. A thread's copies are there after its
    `fragment.wait`, those of others after a barrier behind it. Nothing keeps
    operations on tensors in order with these, so they come after bufferization.

    Rows beyond the end of a source of dynamic size are zeros in the destination,
    more rows than it has are left out. `alignment` is that of the source, as in
    `fragment.load`: with 16, or 8 or 4, copies bypass registers; with less, elements
    are loaded one by one and stored at once.

    Swizzled memory has its 16-byte pieces in another order, so that the same piece
    of 8 rows, and 8 pieces of a row, lie in different banks: piece p of row r, where
    a row has n pieces, is at p ⊕ (f(r) mod m) with m the largest power of two, 8 at
    most, that divides n. All that access it say so; a view of it begins at a multiple
    of 8 rows and m pieces.

    For elements of 16 bits f(r) = ⌊r m / 8⌋. For f32 f is 0 4 2 6 5 1 7 3 for r mod 8
    from 0 to 7, so that two neighbouring pieces of rows 0 to 3 and 4 to 7 lie in
    different banks, too, and where rows are multiples of 128 bytes those of the even
    and of the odd rows.

    Constraints:

    - C39: memory that is swizzled, as is the right operand of a `fragment.mma`, has
      rank 2 and rows of whole pieces of 16 bytes; a memref is in space 3, if it
      names one, the elements of a row are neighbours and the rows a static number
      of pieces apart.
    - C40: a `fragment.copy_async` is from memory of rank 1 or 2 to a static one of
      its element type, f32, bf16 or f16, and sizes, but the first one of the source
      may be dynamic; rows are whole pieces of 16 bytes; a memref as source is in
      space 1, as destination in space 3, if it names one, with rows as in C39; the
      alignment is within C34.

    Example:

    ```mlir
    func.func @keys(%k: memref<?x128xbf16, strided<[?, 1]>, 1>,
                    %shared: memref<64x128xbf16, 3>) {
      fragment.copy_async %k to %shared alignment 16 swizzled
          : memref<?x128xbf16, strided<[?, 1]>, 1>, memref<64x128xbf16, 3>
      fragment.commit
      fragment.wait 0
      fragment.barrier
      return
    }
    ```
  }];
  let arguments = (ins Fragment_Memory:$source,
                       Fragment_Memory:$dest,
                       OptionalAttr<I64Attr>:$alignment,
                       UnitAttr:$swizzled);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $source `to` $dest (`alignment` $alignment^)? (`swizzled` $swizzled^)? attr-dict
    `:` type($source) `,` type($dest)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }

    /// Bytes that the address of each row of the source is a multiple of.
    int64_t getKnownAlignment();
  }];
}

def Fragment_CommitOp
    : Fragment_Op<"commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "make a group of the copies since the last one";
  let description = [{
    Example:

    ```mlir
    func.func @group() {
      fragment.commit
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Fragment_WaitOp
    : Fragment_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for all groups of copies but the latest";
  let description = [{
    Waits until at most so many of the thread's groups are under way.

    Constraints:

    - C41: a `fragment.wait` leaves 0 to 7 groups.

    Example:

    ```mlir
    func.func @all_but_one() {
      fragment.wait 1
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$groups);
  let assemblyFormat = "$groups attr-dict";
  let hasVerifier = 1;
}

def Fragment_BarrierOp
    : Fragment_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the block meet";
  let description = [{
    What a thread wrote before, the others read after it.

    Example:

    ```mlir
    func.func @meet() {
      fragment.barrier
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FRAGMENT_SHARED_OPS
