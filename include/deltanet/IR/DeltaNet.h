//===- DeltaNet.h - The deltanet dialect, its types and operations -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_IR_DELTANET_H
#define DELTANET_IR_DELTANET_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "deltanet/IR/DeltaNetDialect.h.inc"
#include "deltanet/IR/DeltaNetEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "deltanet/IR/DeltaNetAttrs.h.inc"

#define GET_OP_CLASSES
#include "deltanet/IR/DeltaNetOps.h.inc"

#endif // DELTANET_IR_DELTANET_H
