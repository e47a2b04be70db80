//===- Roofline.cpp - The least time that a GPU needs for a call ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Roofline.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::ArrayRef<GpuPeaks> verification::knownGpus() {
  static const GpuPeaks gpus[] = {
      {"a100", "A100-SXM4-80GB", 80, 2.039e12, 312e12, 19.5e12},
      {"h100", "H100 80GB HBM3", 90, 3.35e12, 989e12, 67e12},
      {"h200", "H200", 90, 4.8e12, 989e12, 67e12},
      {"b200", "B200", 100, 8e12, 2250e12, 75e12},
      {"l40s", "L40S", 89, 864e9, 362e12, 91.6e12},
      {"rtx4090", "RTX 4090", 89, 1.008e12, 165.2e12, 82.6e12},
      {"rtx5090", "RTX 5090", 120, 1.792e12, 209.5e12, 104.8e12}};
  return gpus;
}

llvm::Expected<GpuPeaks> verification::findGpu(llvm::StringRef name) {
  std::vector<llvm::StringRef> names;
  for (const GpuPeaks &gpu : knownGpus()) {
    if (name == gpu.name)
      return gpu;
    names.push_back(gpu.name);
  }
  return llvm::createStringError("expected one of " + llvm::join(names, ", ") +
                                 ", got '" + name + "'");
}

std::optional<GpuPeaks> verification::gpuOfDevice(llvm::StringRef deviceName) {
  const GpuPeaks *found = llvm::find_if(knownGpus(), [&](const GpuPeaks &gpu) {
    return deviceName.contains(gpu.deviceName);
  });
  if (found == knownGpus().end())
    return std::nullopt;
  return *found;
}

llvm::StringRef verification::boundName(Bound bound) {
  switch (bound) {
  case Bound::Memory:
    return "memory";
  case Bound::Tensor:
    return "tensor cores";
  case Bound::Vector:
    return "multiply-adds";
  }
  return "unknown";
}

Roofline verification::rooflineOf(const GpuPeaks &gpu, const Work &work) {
  Roofline roofline{work.bytes / gpu.bytesPerSecond, Bound::Memory};
  // Of tf32 every GPU that is known does half as many.
  double tensorFlops = work.tensorFlops + 2 * work.tf32Flops;
  for (auto [seconds, bound] :
       {std::pair{tensorFlops / gpu.tensorFlops, Bound::Tensor},
        std::pair{work.vectorFlops / gpu.vectorFlops, Bound::Vector}})
    if (seconds > roofline.seconds)
      roofline = {seconds, bound};
  return roofline;
}

Work verification::workOfCall(const RunnerTraits &traits, int64_t tokens,
                              int64_t sequences) {
  const RuleFacts &facts = traits.facts;
  bool gated = facts.rule == DN_RULE_GATED;
  double t = double(tokens), heads = double(facts.hv);
  double keys = double(facts.h * facts.k), values = heads * double(facts.v);
  double state = heads * double(facts.k * facts.v);
  Work work;
  // q and k, v and o, beta and g.
  work.bytes = t * (2 * keys + 2 * values) * elementBytes(facts.ioType) +
               t * heads * (gated ? 2 : 1) * sizeof(float);
  work.bytes += double(sequences) * state * sizeof(float) *
                (int(traits.takesState) + int(traits.givesState));
  if (traits.takesCuSeqlens())
    work.bytes += double(sequences + 1) * elementBytes(traits.indexType);
  // S'k, k d' and S'q, two each, and the decay of S.
  work.vectorFlops = t * state * (gated ? 7 : 6);
  return work;
}
