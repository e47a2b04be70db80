//===- InstructionOrder.h - Where threads that parted wait ------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_INSTRUCTIONORDER_H
#define DELTANET_LIB_EMULATION_PTX_INSTRUCTIONORDER_H

#include "Instruction.h"

namespace mlir::deltanet::ptx {

/// Numbers the instructions of a kernel: both ways of a branch come before the
/// place where they meet, and a loop before what follows it, wherever the text
/// has them. That is the reverse postorder of the blocks of code, where of two
/// ways the one that is further down in the text is searched first.
void rankInstructions(llvm::MutableArrayRef<Instruction> code);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_INSTRUCTIONORDER_H
