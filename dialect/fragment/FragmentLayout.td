//===- FragmentLayout.td - What a layout tells --------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_LAYOUT
#define FRAGMENT_LAYOUT

include "mlir/IR/OpBase.td"

def Fragment_LayoutAttr : AttrInterface<"LayoutAttr"> {
  let cppNamespace = "::mlir::deltanet::fragment";
  let description = [{
    Which thread of a block holds which elements of a tile. Each dimension is
    spread on its own.
  }];
  let methods = [
    InterfaceMethod<"The warps of a block, [c, d].",
                    "::std::array<int64_t, 2>", "getWarpGrid">,
    InterfaceMethod<"The lanes of a warp, [a, b].",
                    "::std::array<int64_t, 2>", "getLaneGrid">,
    InterfaceMethod<[{
      The size that a spread dimension of tiles of this element type is a
      multiple of.
    }], "int64_t", "getStep",
        (ins "unsigned":$dimension, "::mlir::Type":$elementType)>,
    InterfaceMethod<[{
      How a dimension of this size, a multiple of its step, is spread.
    }], "::mlir::deltanet::fragment::Spread", "getSpread",
        (ins "unsigned":$dimension, "int64_t":$size)>];
}

#endif // FRAGMENT_LAYOUT
