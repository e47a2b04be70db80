//===- StageEstimate.cpp - What each stage of a kernel has to do ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/StageEstimate.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// The value of a field of a schedule's line, or nothing.
static llvm::StringRef fieldOf(llvm::StringRef schedule, llvm::StringRef name) {
  for (llvm::StringRef word : llvm::split(schedule, ' '))
    if (auto [key, value] = word.split('='); key == name)
      return value;
  return "";
}

namespace {
/// Tokens and sequences that a schedule serves.
struct Share {
  int64_t tokens = 0, sequences = 0;
};

/// Flops a token and value head of the matrix form.
struct ChunkFlops {
  double gram, inverse, state, inside;
};
/// Products of tensor cores that a product of the matrix form takes: three
/// where both operands enter as two numbers, and two where T alone does.
struct Repeats {
  double products, ofUpdates, ofOutputs;
};
} // namespace

static ChunkFlops chunkFlops(const RuleFacts &facts, int64_t chunk,
                             Repeats repeats) {
  double k = double(facts.k), v = double(facts.v), c = double(chunk);
  double group = double(facts.hv) / double(facts.h);
  // k kᵀ and q kᵀ of a key head; (I + A)⁻¹; k S, q S and kᵀ v'; T and P times
  // values, which tensor cores take as tf32.
  return {repeats.products * 2 * c * k / group, c * c / 3,
          repeats.products * 6 * k * v,
          (repeats.ofUpdates + repeats.ofOutputs) * c * v};
}

/// The stages of a chunked schedule; `workspace` is what is between two.
static llvm::Expected<std::vector<StageEstimate>>
chunkedStages(const RunnerTraits &traits, const Schedule &schedule, Share share,
              double workspace) {
  int64_t chunk;
  if (fieldOf(schedule.text, "chunk").getAsInteger(10, chunk) || chunk <= 0)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': expected a chunk of at least 1 in the "
                      "schedule, got '{1}'",
                      traits.name, schedule.text));
  const RuleFacts &facts = traits.facts;
  bool onTensorCores = schedule.algorithm == Algorithm::ChunkedMatrix;
  bool isWide = facts.ioType == DN_TYPE_F32;
  Repeats repeats = !onTensorCores ? Repeats{1, 1, 1}
                    : isWide       ? Repeats{3, 3, 3}
                                   : Repeats{1, 2, 1};
  ChunkFlops flops = chunkFlops(facts, chunk, repeats);
  double tokenHeads = double(share.tokens * facts.hv);
  auto multiply = [&](Work &work, double each, double ofTf32 = 0) {
    (onTensorCores ? work.tensorFlops : work.vectorFlops) += each * tokenHeads;
    (onTensorCores ? work.tf32Flops : work.vectorFlops) += ofTf32 * tokenHeads;
  };
  StageEstimate whole{"chunks and scan", schedule.text, 0,
                      workOfCall(traits, share.tokens, share.sequences)};
  whole.work.vectorFlops = flops.inverse * tokenHeads;
  if (fieldOf(schedule.text, "staging") != "two_stage") {
    multiply(whole.work, flops.gram + flops.state, flops.inside);
    return std::vector{whole};
  }
  StageEstimate chunks{"chunks", schedule.text, 0, {}}, scan = whole;
  double keys = 2.0 * double(share.tokens * facts.h * facts.k) *
                elementBytes(facts.ioType);
  double gates = (facts.rule == DN_RULE_GATED ? 2 : 1) * tokenHeads *
                 double(sizeof(float));
  chunks.work.bytes = keys + gates + workspace;
  chunks.work.vectorFlops = whole.work.vectorFlops;
  multiply(chunks.work, flops.gram);
  scan.phases = "scan";
  scan.work.bytes += workspace - keys - gates;
  scan.work.vectorFlops = 0;
  multiply(scan.work, flops.state, flops.inside);
  return std::vector{chunks, scan};
}

llvm::Expected<std::vector<StageEstimate>>
verification::estimateStages(const dn_kernel &kernel,
                             const RunnerTraits &traits,
                             llvm::ArrayRef<int64_t> lengths) {
  dn_args args = {};
  args.size = sizeof args;
  args.sequences = int64_t(lengths.size());
  std::vector<Share> shares(traits.schedules.size());
  for (int64_t length : lengths) {
    args.tokens += length;
    const Schedule *served = scheduleFor(traits.schedules, length);
    if (!served)
      return llvm::createStringError(llvm::formatv(
          "kernel '{0}': expected a schedule that serves {1} tokens, got none",
          traits.name, length));
    Share &share = shares[served - traits.schedules.data()];
    share.tokens += length;
    ++share.sequences;
  }
  double workspace = double(kernel.workspace_bytes(&args));
  std::vector<StageEstimate> stages;
  for (auto [schedule, share] : llvm::zip_equal(traits.schedules, shares)) {
    if (schedule.algorithm == Algorithm::Recurrent) {
      stages.push_back({"recurrent", schedule.text, 0,
                        workOfCall(traits, share.tokens, share.sequences)});
      continue;
    }
    auto own =
        chunkedStages(traits, schedule, share, share.tokens ? workspace : 0);
    if (!own)
      return own.takeError();
    llvm::append_range(stages, *own);
  }
  if (stages.size() != kernel.stages)
    return llvm::createStringError(llvm::formatv(
        "kernel '{0}': expected the {1} stages of its schedules, got {2}",
        traits.name, stages.size(), kernel.stages));
  for (uint32_t i = 0; i < kernel.stages; ++i)
    stages[i].items = kernel.items(&args, i);
  return stages;
}

llvm::Expected<const dn_kernel *>
verification::variantForGpu(const dn_kernel_set &set, unsigned capability) {
  for (const dn_kernel *kernel :
       llvm::ArrayRef(set.variants, set.variant_count))
    if (const dn_cuda_code *code = codeForGpus(*kernel))
      if (code->only ? code->chip == capability : code->chip <= capability)
        return kernel;
  return llvm::createStringError(
      llvm::formatv("kernel '{0}': expected a variant for a GPU of {1}.{2}, "
                    "got none",
                    set.name, capability / 10, capability % 10));
}
