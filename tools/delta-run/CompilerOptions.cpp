//===- CompilerOptions.cpp - What delta-run hands to the compiler ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GpuName.h"
#include "Options.h"
#include "deltanet/Schedule/ScheduleText.h"
#include "deltanet/Target/Target.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::deltanet;

void verification::checkTargetName(StringRef name) {
  SmallVector<StringRef> known = {"native"};
  llvm::append_range(known, getKnownTargetNames());
  if (!llvm::is_contained(known, name))
    usageError("--target: expected one of " + llvm::join(known, ", ") +
               ", got '" + name + "'");
}

void verification::checkGpuName(StringRef name) {
  SmallVector<StringRef> known = getKnownGpuNames();
  if (llvm::is_contained(known, gpuNameOf(name)))
    return;
  for (StringRef &each : known)
    each.consume_front("sm_");
  usageError("--sm: expected one of " + llvm::join(known, ", ") + ", got '" +
             name + "'");
}

void verification::checkSchedules(StringRef text) {
  MLIRContext context;
  context.loadDialect<DeltaNetDialect>();
  auto schedules = deltanet::parseSchedules(text, &context);
  if (!schedules)
    usageError("--schedule: " + llvm::toString(schedules.takeError()));
}
