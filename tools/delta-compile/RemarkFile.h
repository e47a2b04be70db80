//===- RemarkFile.h - Remarks of a compilation as text --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_COMPILE_REMARKFILE_H
#define DELTA_COMPILE_REMARKFILE_H

#include "mlir/IR/MLIRContext.h"
#include <string>

namespace delta_compile {

/// Appends every remark of `context` to `text`, as YAML, and prints those about
/// schedules where `printSchedules` asks for it. `text` must outlive the
/// context. Also makes the context run passes in one thread: streams of remarks
/// have no lock, and their order would depend on the threads.
void collectRemarks(mlir::MLIRContext &context, std::string &text,
                    bool printSchedules);

} // namespace delta_compile

#endif // DELTA_COMPILE_REMARKFILE_H
