//===- Estimate.cpp - The least time of a kernel on a GPU -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "deltanet/Verification/Report.h"
#include "deltanet/Verification/StageEstimate.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

namespace {
struct Estimate {
  GpuPeaks gpu;
  RunnerTraits traits;
  std::string variant;
  std::vector<int64_t> lengths;
  std::vector<StageEstimate> stages;

  int64_t tokens() const {
    return std::accumulate(lengths.begin(), lengths.end(), int64_t(0));
  }
  double seconds() const {
    double sum = 0;
    for (const StageEstimate &stage : stages)
      sum += rooflineOf(gpu, stage.work).seconds;
    return sum;
  }
};
} // namespace

static constexpr const char *kHonesty = "from a data sheet; nothing was run";

static void print(const Estimate &estimate, llvm::raw_ostream &os) {
  const GpuPeaks &gpu = estimate.gpu;
  printTable(
      {{"estimate",
        llvm::formatv(
            "{0}: {1:f2} TB/s, {2:f0} TFLOP/s on tensor cores, {3:f0} "
            "TFLOP/s of multiply-adds; {4}",
            gpu.name, gpu.bytesPerSecond * 1e-12, gpu.tensorFlops * 1e-12,
            gpu.vectorFlops * 1e-12, kHonesty)},
       {"kernel", estimate.traits.name + ": " + factsText(estimate.traits)},
       {"variant", estimate.variant},
       {"call", llvm::formatv("T={0} N={1}", estimate.tokens(),
                              estimate.lengths.size())}},
      os);
  os << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"stage", "does", "blocks", "MB", "GFLOP 16 bits", "GFLOP tf32",
       "GFLOP other", "estimate", "bound by"}};
  for (const StageEstimate &stage : estimate.stages) {
    Roofline roofline = rooflineOf(gpu, stage.work);
    rows.push_back({llvm::formatv("{0}", rows.size() - 1), stage.phases,
                    llvm::formatv("{0}", stage.items),
                    llvm::formatv("{0:f2}", stage.work.bytes * 1e-6),
                    llvm::formatv("{0:f2}", stage.work.tensorFlops * 1e-9),
                    llvm::formatv("{0:f2}", stage.work.tf32Flops * 1e-9),
                    llvm::formatv("{0:f2}", stage.work.vectorFlops * 1e-9),
                    llvm::formatv("{0:f2} us", roofline.seconds * 1e6),
                    boundName(roofline.bound).str()});
  }
  rows.push_back({"all", "", "", "", "", "", "",
                  llvm::formatv("{0:f2} us", estimate.seconds() * 1e6)});
  printTable(rows, os);
}

static llvm::json::Value toJson(const Estimate &estimate) {
  llvm::json::Array stages;
  for (const StageEstimate &stage : estimate.stages) {
    Roofline roofline = rooflineOf(estimate.gpu, stage.work);
    stages.push_back(
        llvm::json::Object{{"does", stage.phases},
                           {"schedule", stage.schedule},
                           {"items", stage.items},
                           {"bytes", stage.work.bytes},
                           {"tensor_flops", stage.work.tensorFlops},
                           {"tf32_flops", stage.work.tf32Flops},
                           {"vector_flops", stage.work.vectorFlops},
                           {"estimated_seconds", roofline.seconds},
                           {"bound", boundName(roofline.bound)}});
  }
  return llvm::json::Object{{"estimate", kHonesty},
                            {"gpu", estimate.gpu.name},
                            {"kernel", estimate.traits.name},
                            {"variant", estimate.variant},
                            {"T", estimate.tokens()},
                            {"N", int64_t(estimate.lengths.size())},
                            {"stages", std::move(stages)},
                            {"estimated_seconds", estimate.seconds()}};
}

llvm::Error verification::estimateKernel(const KernelLibrary &library,
                                         const Options &options) {
  llvm::Expected<const dn_kernel_set *> set = library.find(options.kernel);
  if (!set)
    return set.takeError();
  llvm::Expected<const dn_kernel *> kernel =
      variantForGpu(**set, options.estimate->capability);
  if (!kernel)
    return kernel.takeError();
  llvm::Expected<RunnerTraits> traits = traitsOf(**kernel);
  if (!traits)
    return traits.takeError();
  Estimate estimate{
      *options.estimate, std::move(*traits), variantName(**kernel), {}, {}};
  const RunnerTraits &own = estimate.traits;
  estimate.lengths = options.lengths.value_or(
      std::vector<int64_t>{own.staticTokens >= 0 ? own.staticTokens : 64});
  if (own.staticTokens >= 0 && estimate.tokens() != own.staticTokens)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': expected {1} tokens, got {2}", own.name,
                      own.staticTokens, estimate.tokens()));
  if (!own.takesCuSeqlens() && estimate.lengths.size() != 1)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': expected one sequence, got {1}", own.name,
                      estimate.lengths.size()));
  if (llvm::Expected<int64_t> size = checkedElements(
          own.facts, estimate.tokens(), int64_t(estimate.lengths.size()));
      !size)
    return size.takeError();
  auto stages = estimateStages(**kernel, own, estimate.lengths);
  if (!stages)
    return stages.takeError();
  estimate.stages = std::move(*stages);
  if (options.json)
    llvm::outs() << llvm::formatv("{0:2}\n", toJson(estimate));
  else
    print(estimate, llvm::outs());
  return llvm::Error::success();
}
