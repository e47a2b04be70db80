//===- KernelText.cpp - What a kernel says of itself ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/ABI/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::deltanet;

std::string abi::describeSchedule(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool onMatrixUnit = schedule.getMatrix() != MatrixUnit::None;
  os << stringifyAlgorithm(schedule.getAlgorithm())
     << (onMatrixUnit ? "-matrix" : "")
     << " min_tokens=" << schedule.getMinTokens();
  if (schedule.getMaxTokens() != ScheduleAttr::kUnbounded)
    os << " max_tokens=" << schedule.getMaxTokens();
  os << " value_slice=" << schedule.getValueSlice()
     << " columns=" << schedule.getColumns();
  if (schedule.getAlgorithm() == Algorithm::Recurrent)
    os << " tokens=" << schedule.getTokens() << " rows=" << schedule.getRows()
       << " block=" << schedule.getBlock()
       << " state=" << stringifyResidency(schedule.getState())
       << " prefetch=" << schedule.getPrefetch();
  else
    os << " chunk=" << schedule.getChunk()
       << " staging=" << stringifyStaging(schedule.getStaging())
       << " register_rows=" << schedule.getRegisterRows();
  if (schedule.isForGpu())
    os << " warps=" << schedule.getWarps();
  if (schedule.getMatrix() == MatrixUnit::Mma)
    os << " intra_warps=" << schedule.getIntraWarps()
       << " stages=" << schedule.getStages();
  return text;
}

std::string abi::describeSchedules(KernelAttr kernel) {
  if (!kernel.getSchedules())
    return {};
  return llvm::join(
      llvm::map_range(kernel.getSchedules().getAsRange<ScheduleAttr>(),
                      describeSchedule),
      "\n");
}
