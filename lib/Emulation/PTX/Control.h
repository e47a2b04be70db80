//===- Control.h - Branches and ends of threads ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_CONTROL_H
#define DELTANET_LIB_EMULATION_PTX_CONTROL_H

#include "Instruction.h"

namespace mlir::deltanet::ptx {

bool isBranch(const Instruction &instruction);
bool isEnd(const Instruction &instruction);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_CONTROL_H
