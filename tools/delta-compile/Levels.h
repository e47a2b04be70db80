//===- Levels.h - What a command line and a module compile for ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_COMPILE_LEVELS_H
#define DELTA_COMPILE_LEVELS_H

#include "Options.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace delta_compile {

/// Each a #deltanet.target or #deltanet.gpu_target.
using Targets = llvm::SmallVector<mlir::Attribute>;

/// The targets that --isa names, one a level and of one architecture, and those
/// of --sm; without --isa all levels of the architecture, unless only GPUs are
/// asked for. Errors are faults of the command line.
llvm::Expected<Targets> readLevels(const Options &options,
                                   mlir::MLIRContext *context);

/// The targets to compile a module for: its own, with which the command line
/// must agree, or else `levels`. Errors are reported at the module.
mlir::FailureOr<Targets> chooseTargets(const Options &options,
                                       llvm::ArrayRef<mlir::Attribute> levels,
                                       mlir::ModuleOp module);

} // namespace delta_compile

#endif // DELTA_COMPILE_LEVELS_H
