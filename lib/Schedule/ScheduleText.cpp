//===- ScheduleText.cpp - Schedules of a command line ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Schedule/ScheduleText.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::deltanet;

llvm::Expected<SmallVector<ScheduleAttr>>
mlir::deltanet::parseSchedules(StringRef text, MLIRContext *context) {
  // The first is the reason, and locations in the text mean nothing to others.
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = ": " + diagnostic.str();
    return success();
  });
  SmallVector<ScheduleAttr> schedules;
  for (StringRef part : llvm::split(text, ';')) {
    auto schedule = dyn_cast_if_present<ScheduleAttr>(
        part.trim().empty() ? Attribute()
                            : parseAttribute(part.trim(), context));
    if (!schedule)
      return llvm::createStringError("expected a #deltanet.schedule, got '" +
                                     part.trim() + "'" + reason);
    schedules.push_back(schedule);
  }
  return schedules;
}
