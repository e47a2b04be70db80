//===- ListKernels.cpp - What a kernel library holds ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "deltanet/Verification/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// The operands that a kernel takes and gives beyond q, k, v, beta and o.
static std::vector<std::string> operandNames(const dn_kernel &kernel) {
  std::vector<std::string> names;
  for (auto [bit, name] : {std::pair<unsigned, const char *>{DN_OPERAND_G, "g"},
                           {DN_OPERAND_STATE_IN, "state_in"},
                           {DN_OPERAND_STATE_OUT, "state_out"},
                           {DN_OPERAND_CU_SEQLENS, "cu_seqlens"}})
    if (kernel.operands & bit)
      names.push_back(name);
  return names;
}

/// What a variant needs to run: "stages 1, scratch 64 bytes", or for GPUs
/// "stages 2 (128 threads, 4096 bytes of shared memory; 32 threads), PTX".
static std::string needsText(const dn_kernel &kernel) {
  std::string text = llvm::formatv("stages {0}", kernel.stages);
  if (!isForGpus(kernel))
    return text +
           llvm::formatv(", scratch {0} bytes", kernel.scratch_bytes).str();
  const dn_cuda_code *code = codeForGpus(kernel);
  if (!code)
    return text + ", no code";
  std::vector<std::string> stages;
  for (const dn_cuda_stage &stage :
       llvm::ArrayRef(code->stages, kernel.stages)) {
    stages.push_back(llvm::formatv("{0} threads", stage.threads));
    if (stage.shared_bytes)
      stages.back() +=
          llvm::formatv(", {0} bytes of shared memory", stage.shared_bytes);
  }
  return text + " (" + llvm::join(stages, "; ") + "), PTX" +
         (code->cubin ? " and cubin" : "");
}

/// "runs here", or why not.
static std::string usableText(uint32_t isa) {
  char message[DN_MESSAGE_BYTES];
  if (dn_isa_check(isa, message, sizeof(message)) == DN_OK)
    return "runs here";
  return message;
}

static llvm::SmallVector<llvm::StringRef>
scheduleLines(const dn_kernel &kernel) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(kernel.schedules)
      .split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return lines;
}

/// What all variants share, from the first; the facts, or what is wrong with
/// them.
static std::string commonFacts(const dn_kernel &kernel) {
  llvm::Expected<RunnerTraits> traits = traitsOf(kernel);
  return traits ? factsText(*traits) : llvm::toString(traits.takeError());
}

static void printKernel(const dn_kernel_set &set, llvm::raw_ostream &os) {
  os << "\n" << set.name;
  if (set.variant_count == 0) {
    os << ": no variants\n";
    return;
  }
  const dn_kernel &first = *set.variants[0];
  os << ": " << commonFacts(first) << "\n";
  std::vector<std::string> operands = {"q", "k", "v", "beta"};
  llvm::append_range(operands, operandNames(first));
  std::vector<std::vector<std::string>> rows = {
      {"  operands", llvm::join(operands, " ")}};
  if (first.static_tokens >= 0)
    rows.push_back(
        {"  tokens", llvm::formatv("T={0} only", first.static_tokens)});
  for (uint32_t i = 0; i < set.variant_count; ++i) {
    const dn_kernel &kernel = *set.variants[i];
    rows.push_back({"  variant",
                    llvm::formatv("{0}, {1}, {2}", variantName(kernel),
                                  needsText(kernel), usableText(kernel.isa))});
    for (llvm::StringRef line : scheduleLines(kernel))
      rows.push_back({"    schedule", line.str()});
  }
  printTable(rows, os);
}

static llvm::json::Value kernelToJson(const dn_kernel_set &set) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array variants;
  for (uint32_t i = 0; i < set.variant_count; ++i) {
    const dn_kernel &kernel = *set.variants[i];
    variants.push_back(Object{{"isa", variantName(kernel)},
                              {"stages", int64_t(kernel.stages)},
                              {"scratch_bytes", int64_t(kernel.scratch_bytes)},
                              {"usable", usableText(kernel.isa)},
                              {"schedules", Array(scheduleLines(kernel))}});
  }
  Object object{{"name", set.name}, {"variants", std::move(variants)}};
  if (set.variant_count == 0)
    return object;
  const dn_kernel &kernel = *set.variants[0];
  object["facts"] = commonFacts(kernel);
  object["operands"] = Array(operandNames(kernel));
  object["static_tokens"] = kernel.static_tokens;
  return object;
}

void verification::listKernels(const KernelLibrary &library, bool json) {
  llvm::raw_ostream &os = llvm::outs();
  if (json) {
    llvm::json::Array kernels;
    for (const dn_kernel_set *set : library.kernels())
      kernels.push_back(kernelToJson(*set));
    llvm::json::Object object{{"producer", library.producer()},
                              {"kernels", std::move(kernels)}};
    os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
    return;
  }
  os << "made by " << library.producer() << "\n";
  for (const dn_kernel_set *set : library.kernels())
    printKernel(*set, os);
}
