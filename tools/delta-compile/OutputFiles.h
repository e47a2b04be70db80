//===- OutputFiles.h - Where delta-compile writes -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_COMPILE_OUTPUTFILES_H
#define DELTA_COMPILE_OUTPUTFILES_H

#include "Options.h"
#include "mlir/Support/LLVM.h"

namespace delta_compile {

/// The file of --dump-stages for a stage of a staircase and the name of a
/// level: DIR/NN-STAGE.LEVEL.mlir.
std::string dumpPath(llvm::StringRef folder, mlir::deltanet::Stage stage,
                     mlir::deltanet::Processor processor,
                     llvm::StringRef level);

/// Says which output would overwrite the input or another output; empty if none
/// does.
std::string findClash(const Options &options);

/// Writes a file, "-" for the standard output. Errors are printed.
mlir::LogicalResult
writeFile(llvm::StringRef path,
          llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace delta_compile

#endif // DELTA_COMPILE_OUTPUTFILES_H
