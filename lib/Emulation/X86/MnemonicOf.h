//===- MnemonicOf.h - Mnemonics of Bochs' instructions ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_MNEMONICOF_H
#define DELTANET_LIB_EMULATION_X86_MNEMONICOF_H

#include "llvm/ADT/StringRef.h"

namespace mlir::deltanet::emulation {

/// "VADDPS" of Bochs' name BX_IA_EVEX_VADDPS_VpsHpsWps_Kmask.
llvm::StringRef mnemonicOf(llvm::StringRef opcode);

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_MNEMONICOF_H
