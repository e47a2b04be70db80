//===- KernelList.h - What the kernels of a file ask for --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_PTXSIM_KERNELLIST_H
#define DELTA_PTXSIM_KERNELLIST_H

#include "deltanet/Emulation/PTX/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace delta_ptxsim {

void printKernels(const mlir::deltanet::ptx::Program &program,
                  llvm::StringRef file, llvm::raw_ostream &out);

} // namespace delta_ptxsim

#endif // DELTA_PTXSIM_KERNELLIST_H
