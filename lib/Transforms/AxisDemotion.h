//===- AxisDemotion.h - A parallel axis becomes a loop inside the item ----===//
//
// Part of the Delta-Net project.
//
// The items of an axis move into their common work item: a loop over them takes
// the place of the axis, innermost, that is inside the sequential loop over the
// chunks of a sequence, which then carries the tensors of all of them:
//
//   forall (n, h, x) { s = load; for c { s = step(s) }; store(s) }
//   forall (n, h) { for x { S[x] = load }
//                   for c { for x { S[x] = step(S[x]) } }
//                   for x { store(S[x]) } }
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_AXISDEMOTION_H
#define DELTANET_LIB_TRANSFORMS_AXISDEMOTION_H

#include "ParallelDomains.h"

namespace mlir::deltanet {

/// Why the axis has to stay parallel; nothing if it can be demoted.
std::optional<std::string> whyNotDemoted(PhaseLoop phase, Axis axis);

/// Demotes an axis for which whyNotDemoted gives no reason. The loop is
/// replaced.
PhaseLoop demoteAxis(PhaseLoop phase, Axis axis);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_AXISDEMOTION_H
