//===- FragmentTypes.td - Tiles and their layouts -----------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_TYPES
#define FRAGMENT_TYPES

include "fragment/FragmentDialect.td"
include "fragment/FragmentLayout.td"
include "mlir/IR/AttrTypeBase.td"

class Fragment_Layout<string name, string attrMnemonic>
    : AttrDef<Fragment_Dialect, name,
              [DeclareAttrInterfaceMethods<Fragment_LayoutAttr>]> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

def Fragment_LanesAttr : Fragment_Layout<"Lanes", "lanes"> {
  let summary = "neighbouring lanes hold neighbouring columns";
  let description = [{
    For tiles that go through memory once. Threads along a row of a tile take
    turns: each holds 4 neighbouring columns, the next thread the next 4, and after
    4·b·d columns it is the first one's turn again; so a warp reads 16 bytes of f32
    a lane from one line of memory. Rows lie in blocks: each row of threads holds
    M/(a·c) neighbouring ones.

    - C30: a `#fragment.lanes` has lanes [a, b] with a·b = 32, and warps [c, d] with
      c·d from 1 to 32; its tiles have rows in multiples of a·c and columns in
      multiples of 4·b·d, or one.

    ```mlir
    #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$lanes,
                        ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat =
      "`<` `lanes` `=` `[` $lanes `]` `,` `warps` `=` `[` $warps `]` `>`";
}

def Fragment_AccumulatorAttr : Fragment_Layout<"Accumulator", "accumulator"> {
  let summary = "what mma.sync.m16n8 adds to";
  let description = [{
    Each warp holds neighbouring rows and columns, M/c by N/d, in pieces of 16 rows
    and 8 columns. Of a piece, lane l holds the columns 2 (l mod 4) and the next, in
    rows ⌊l/4⌋ and ⌊l/4⌋ + 8.

    - C31: a `#fragment.accumulator` has warps [c, d] with c·d from 1 to 32; its
      tiles have rows in multiples of 16·c and columns in multiples of 8·d, or one.

    ```mlir
    #fragment.accumulator<warps = [4, 2]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = "`<` `warps` `=` `[` $warps `]` `>`";
}

def Fragment_LeftAttr : Fragment_Layout<"Left", "left"> {
  let summary = "the left operand of mma.sync.m16n8";
  let description = [{
    Each warp holds M/c neighbouring rows with all their columns; the d warps along
    a row hold the same. Of 16 rows and 8 columns, lane l holds the columns
    2 (l mod 4) and the next, in rows ⌊l/4⌋ and ⌊l/4⌋ + 8, as in an accumulator.

    - C32: a `#fragment.left` has warps [c, d] with c·d from 1 to 32; its tiles have
      rows in multiples of 16·c and columns in multiples of 16, or of 8 if the
      elements are f32, or one.

    ```mlir
    #fragment.left<warps = [4, 1]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = "`<` `warps` `=` `[` $warps `]` `>`";
}

def Fragment_TileType : TypeDef<Fragment_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "rows and columns in the registers of a block";
  let description = [{
    Constraints:

    - C33: a `!fragment.tile` has rows and columns of 1 to 1024 that its layout
      spreads, and elements of f32, bf16 or f16.

    ```mlir
    func.func private @hold(!fragment.tile<32x128xf32,
        #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>)
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::mlir::deltanet::fragment::LayoutAttr":$layout);
  let assemblyFormat = "`<` custom<Elements>($shape, $elementType) `,` $layout `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRows() const { return getShape()[0]; }
    int64_t getColumns() const { return getShape()[1]; }

    /// How a dimension is spread; one of size 1 is not.
    ::mlir::deltanet::fragment::Spread getSpread(unsigned dimension) const;

    /// Elements that a thread holds, row by row.
    int64_t getElementsPerThread() const;

    /// A tile with the same layout.
    TileType with(::llvm::ArrayRef<int64_t> shape) const {
      return get(getContext(), shape, getElementType(), getLayout());
    }
  }];
}

class Fragment_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fragment_Dialect, mnemonic, traits>;

def Fragment_Memory : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
                                "tensor or memref with a rank">;
def Fragment_Element : AnyTypeOf<[F32, BF16, F16], "f32, bf16 or f16">;

#endif // FRAGMENT_TYPES
