//===- KernelSpec.cpp - What a kernel is asked to be ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelSpec.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <ostream>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

RuleFacts KernelSpec::facts() const {
  RuleFacts facts;
  facts.rule = rule;
  facts.headMap = headMap;
  facts.ioType = ioType;
  facts.h = h;
  facts.hv = hv;
  facts.k = k;
  facts.v = v;
  // Kernels hold their scale in f32.
  facts.scale = float(scale.value_or(1 / std::sqrt(double(k))));
  facts.l2normEps = l2normEps;
  return facts;
}

std::string KernelSpec::toMlir() const {
  std::string tokens = staticTokens < 0 ? "?" : std::to_string(staticTokens);
  std::string io = elementName(ioType).str();
  std::string keys = llvm::formatv("tensor<{0}x{1}x{2}x{3}>", tokens, h, k, io);
  std::string values =
      llvm::formatv("tensor<{0}x{1}x{2}x{3}>", tokens, hv, v, io);
  std::string heads = llvm::formatv("tensor<{0}x{1}xf32>", tokens, hv);
  bool vk = stateLayout == DN_STATE_LAYOUT_VK;
  std::string state = llvm::formatv("tensor<{0}x{1}x{2}x{3}xf32>",
                                    indexType == DN_TYPE_NONE ? "1" : "?", hv,
                                    vk ? v : k, vk ? k : v);

  std::vector<std::string> arguments, types;
  std::string operands;
  auto add = [&](llvm::StringRef name, const std::string &type) {
    arguments.push_back(llvm::formatv("%{0}: {1}", name, type));
    operands += llvm::formatv(" {0}(%{0})", name);
    types.push_back(type);
  };
  add("q", keys);
  add("k", keys);
  add("v", values);
  if (rule == DN_RULE_GATED)
    add("g", heads);
  add("beta", heads);
  if (takesState)
    add("state", state);
  if (indexType != DN_TYPE_NONE)
    add("cu_seqlens",
        llvm::formatv("tensor<?x{0}>", elementName(indexType)).str());

  std::vector<std::string> attributes;
  if (l2normEps)
    attributes.push_back(
        llvm::formatv("l2norm_eps = {0:e8} : f32", *l2normEps));
  if (scale)
    attributes.push_back(llvm::formatv("scale = {0:e8} : f32", *scale));
  if (!schedules.empty()) {
    std::vector<std::string> list;
    for (const std::string &schedule : schedules)
      list.push_back("#deltanet.schedule<" + schedule + ">");
    attributes.push_back("schedules = [" + llvm::join(list, ", ") + "]");
  }

  std::vector<std::string> results = {values};
  if (givesState)
    results.push_back(state);
  std::string names = givesState ? "%r:2" : "%r";
  std::string returned = givesState ? "%r#0, %r#1" : "%r";
  return llvm::formatv("func.func @{0}({1}) -> ({2}) {{\n"
                       "  {3} = deltanet.delta_rule {4}, {5}, {6}{7} {{{8}}\n"
                       "      : ({9}) -> ({2})\n"
                       "  return {10} : {2}\n"
                       "}\n",
                       name, llvm::join(arguments, ", "),
                       llvm::join(results, ", "), names,
                       rule == DN_RULE_GATED ? "gated" : "delta",
                       headMap == DN_HEAD_MAP_GROUPED ? "grouped" : "tiled",
                       vk ? "vk" : "kv", operands, llvm::join(attributes, ", "),
                       llvm::join(types, ", "), returned);
}

void execution::PrintTo(const KernelSpec &spec, std::ostream *os) {
  *os << spec.name;
}

KernelSpec execution::f32Spec() {
  KernelSpec spec;
  spec.ioType = DN_TYPE_F32;
  return spec;
}

bool execution::fitsMatrixUnit(const KernelSpec &spec) {
  return spec.ioType == DN_TYPE_BF16 && spec.k % 32 == 0;
}

bool execution::fitsTensorCores(const KernelSpec &spec) {
  constexpr int64_t mostKeys = 128, mostTokens = 64;
  bool isShort = spec.staticTokens >= 0 && spec.staticTokens < mostTokens;
  return spec.k <= mostKeys && !isShort;
}

/// A forced schedule of chunks on tensor cores, for all lengths: small blocks.
static std::string tensorCoreSchedule(const KernelSpec &spec, int64_t chunk) {
  int64_t slice = spec.v % 32 ? 16 : 32;
  return llvm::formatv("chunked, value_slice = {0}, chunk = {1}, staging = "
                       "two_stage, matrix = mma, warps = {2}, intra_warps = 4",
                       slice, std::clamp<int64_t>(chunk, 32, 64), slice / 16);
}

std::vector<KernelSpec> execution::everyAlgorithm(const KernelSpec &spec,
                                                  int64_t chunk) {
  std::vector<KernelSpec> specs(4, spec);
  specs[0].name = "chosen";
  specs[1].name = "recurrent";
  specs[1].schedules = {"recurrent, tokens = 2, rows = 2"};
  specs[2].name = "one_pass";
  specs[2].schedules = {
      llvm::formatv("chunked, chunk = {0}, staging = one_pass", chunk)};
  specs[3].name = "two_stage";
  specs[3].schedules = {
      llvm::formatv("chunked, chunk = {0}, staging = two_stage",
                    std::max<int64_t>(chunk / 2, 16))};
  if (fitsMatrixUnit(spec)) {
    // What these are at the highest level is what they are one below.
    for (KernelSpec &vectors : llvm::drop_begin(specs))
      vectors.levels = "generic,avx2,avx512,avx512_bf16";
    KernelSpec matrix = spec;
    matrix.name = "matrix";
    matrix.levels = "amx";
    matrix.schedules = {
        llvm::formatv("chunked, columns = {0}, chunk = {1}, matrix = amx",
                      spec.v % 32 ? 16 : 32, std::max<int64_t>(chunk, 32))};
    specs.push_back(std::move(matrix));
  }
  KernelSpec gpu = spec;
  gpu.name = "gpu";
  gpu.levels = "sm_80";
  specs.push_back(gpu);
  if (fitsTensorCores(spec)) {
    gpu.name = "gpu_chunks";
    gpu.schedules = {tensorCoreSchedule(spec, chunk)};
    specs.push_back(std::move(gpu));
  }
  return specs;
}

std::vector<KernelSpec> execution::bothAlgorithms(const KernelSpec &spec) {
  std::vector<KernelSpec> every = everyAlgorithm(spec, /*chunk=*/16);
  std::vector<KernelSpec> some = {every[1], every[2]};
  some.insert(some.end(), every.begin() + 4, every.end());
  return some;
}

Problem execution::makeProblem(const KernelSpec &spec,
                               llvm::ArrayRef<int64_t> lengths,
                               const GeneratorOptions &options) {
  GeneratorOptions own = options;
  own.initialState &= spec.takesState;
  return llvm::cantFail(generateProblem(spec.facts(), lengths, own));
}
