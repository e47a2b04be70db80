//===- FragmentDialect.cpp - Registration of the fragment dialect ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

/// The shape and element type of a tile, as `32x128xf32`.
static ParseResult parseElements(AsmParser &parser, SmallVector<int64_t> &shape,
                                 Type &type) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
                 parser.parseType(type));
}

static void printElements(AsmPrinter &printer, ArrayRef<int64_t> shape,
                          Type type) {
  for (int64_t size : shape)
    printer << size << 'x';
  printer << type;
}

#include "deltanet/Fragment/IR/FragmentDialect.cpp.inc"
#include "deltanet/Fragment/IR/FragmentLayout.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "deltanet/Fragment/IR/FragmentAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "deltanet/Fragment/IR/FragmentTypes.cpp.inc"

namespace {

/// A layout is written once a module.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    return TypeSwitch<Attribute, AliasResult>(attribute)
        .Case<LanesAttr, AccumulatorAttr, LeftAttr>([&](auto layout) {
          os << layout.getMnemonic();
          return AliasResult::OverridableAlias;
        })
        .Default(AliasResult::NoAlias);
  }
};

} // namespace

void FragmentDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "deltanet/Fragment/IR/FragmentAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "deltanet/Fragment/IR/FragmentTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "deltanet/Fragment/IR/FragmentOps.cpp.inc"
      >();
  addInterfaces<LayoutAliases>();
}
