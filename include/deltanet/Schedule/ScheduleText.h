//===- ScheduleText.h - Schedules of a command line -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_SCHEDULE_SCHEDULETEXT_H
#define DELTANET_SCHEDULE_SCHEDULETEXT_H

#include "deltanet/IR/DeltaNet.h"
#include "llvm/Support/Error.h"

namespace mlir::deltanet {

/// One or more #deltanet.schedule<...>, separated by ';'. The error says which
/// part is none and why.
llvm::Expected<SmallVector<ScheduleAttr>> parseSchedules(StringRef text,
                                                         MLIRContext *context);

} // namespace mlir::deltanet

#endif // DELTANET_SCHEDULE_SCHEDULETEXT_H
