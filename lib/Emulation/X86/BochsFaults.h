//===- BochsFaults.h - Instructions that Bochs gets wrong -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_BOCHSFAULTS_H
#define DELTANET_LIB_EMULATION_X86_BOCHSFAULTS_H

#include "Bochs.h"
#include "Disassembler.h"

namespace mlir::deltanet::emulation {

/// VDPBF16PS: Bochs takes its memory operand for one of four bytes and scales
/// displacements of 8 bits by that. Gives it the operand of VPDPBUSD, which has
/// the same forms. Fails where Bochs' table is not as expected.
llvm::Error correctDotProductOperands(const Bochs &bochs);

/// VCVTNE2PS2BF16: Bochs reads the wrong elements for the upper half of the
/// result. Executes the present instruction in its place; false if it is
/// another one. A memory operand has been loaded.
bool convertTwoToBf16(const Bochs &bochs, const uint64_t *opmasks,
                      const Disassembler &disassembler,
                      const Disassembler::Instruction &instruction);

/// Lets Bochs go on behind an instruction that was executed here.
void continueAfterInstruction(const Bochs &bochs);

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_BOCHSFAULTS_H
