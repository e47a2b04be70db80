//===- StageEstimate.h - What each stage of a kernel has to do --*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_STAGEESTIMATE_H
#define DELTANET_VERIFICATION_STAGEESTIMATE_H

#include "deltanet/Verification/KernelLibrary.h"
#include "deltanet/Verification/Roofline.h"

namespace mlir::deltanet::verification {

struct StageEstimate {
  std::string phases;   ///< "recurrent", "chunks", "scan"
  std::string schedule; ///< that it is of
  int64_t items = 0;    ///< work items: blocks on a GPU
  Work work;
};

/// The work of each stage for sequences of these lengths, each taken by the
/// schedule that serves it. A stage reads its inputs once and writes its
/// outputs once; what passes between the two stages of chunks is the workspace,
/// once in each direction. Arithmetic is that of the recurrence, or of the
/// matrix form, causal products as the half that they are; norms, gates and
/// masks do not count. Fails where the schedules do not tell what the stages
/// are.
llvm::Expected<std::vector<StageEstimate>>
estimateStages(const dn_kernel &kernel, const RunnerTraits &traits,
               llvm::ArrayRef<int64_t> lengths);

/// The variant of a set that the runtime chooses for a GPU of a compute
/// capability, 10 * major + minor; the error says that there is none.
llvm::Expected<const dn_kernel *> variantForGpu(const dn_kernel_set &set,
                                                unsigned capability);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_STAGEESTIMATE_H
