//===- FragmentDialect.td - The fragment dialect ------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_DIALECT
#define FRAGMENT_DIALECT

include "mlir/IR/OpBase.td"

def Fragment_Dialect : Dialect {
  let name = "fragment";
  let cppNamespace = "::mlir::deltanet::fragment";
  let summary = "tiles in the registers of a block of threads of a GPU";
  let description = [{
    A *fragment* is a tile of numbers that the threads of a block hold together in
    their registers. It is one value; which thread holds which elements is a part
    of its type. All threads of the block execute each operation.

    A dimension of size 1 is not spread: all threads along it hold the same
    values. So a `1x128` tile is a row that every row of threads has, a `32x1` tile
    a value for each row, known to all threads of that row.

    A block has c × d warps, warp w at row ⌊w/d⌋ and column w mod d, and a warp a ×
    b lanes likewise. Rows of a tile are spread over the rows of warps and lanes,
    columns over their columns; the layout says how.

    Threads exchange nothing but in `fragment.reduce` and `fragment.broadcast`. Memory that one thread wrote
    and another reads needs a barrier between.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // FRAGMENT_DIALECT
