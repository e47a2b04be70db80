//===- MergePhases.h - One parallel loop for two phases -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_MERGEPHASES_H
#define DELTANET_LIB_TRANSFORMS_MERGEPHASES_H

#include "ParallelDomains.h"

namespace mlir::deltanet {

/// Moves the work of the producer into the consumer, in front of its own, as
/// `decision` (not Keep) says. Tiles that nobody else reads become scratch; the
/// others stay outputs. Both loops are replaced by the one that is returned.
PhaseLoop mergePhases(PhaseLoop producer, PhaseLoop consumer,
                      const FusionDecision &decision);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_MERGEPHASES_H
