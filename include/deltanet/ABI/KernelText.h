//===- KernelText.h - What a kernel says of itself ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ABI_KERNELTEXT_H
#define DELTANET_ABI_KERNELTEXT_H

#include "deltanet/IR/DeltaNet.h"

namespace mlir::deltanet::abi {

/// One line for a schedule: the algorithm, the lengths it serves (no max_tokens
/// if there is no upper limit) and every choice, e.g.
///   recurrent min_tokens=0 max_tokens=15 value_slice=0 columns=16 tokens=2 …
std::string describeSchedule(ScheduleAttr schedule);

/// The schedules of a kernel, one a line; empty if none are chosen.
std::string describeSchedules(KernelAttr kernel);

} // namespace mlir::deltanet::abi

#endif // DELTANET_ABI_KERNELTEXT_H
