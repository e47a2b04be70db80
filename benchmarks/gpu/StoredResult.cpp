//===- StoredResult.cpp - What a simulator computed, in a file ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "StoredResult.h"
#include "deltanet/Verification/ElementTypes.h"
#include "deltanet/Verification/RecordedProblem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

static constexpr const char *kAbout = "meta_json";

llvm::Error gpubench::write(llvm::StringRef path, const Problem &problem,
                            const StoredResult &stored) {
  NpzArchive archive =
      writeResults(problem, stored.o, stored.finalState, /*states=*/{});
  std::string about = llvm::formatv(
      "{0}", llvm::json::Value(llvm::json::Object{
                 {"device", stored.device},
                 {"variant", stored.variant},
                 {"algorithm", algorithmName(stored.algorithm)}}));
  archive[kAbout] = NpyArray::make<char>(NpyType::U8, {int64_t(about.size())},
                                         {about.data(), about.size()});
  return writeNpz(path, archive);
}

/// An array of floats of a type; `shape` is what the problem gives it.
static llvm::Expected<std::vector<float>>
floatsOf(const NpzArchive &archive, llvm::StringRef path, llvm::StringRef name,
         dn_type type, llvm::ArrayRef<int64_t> shape) {
  auto found = archive.find(name.str());
  std::string got = "none";
  if (found != archive.end())
    got = llvm::formatv("{0} of {1}", shapeText(found->second.shape),
                        npyDescr(found->second.type));
  if (found == archive.end() || found->second.shape != shape.vec() ||
      npyElementBytes(found->second.type) != elementBytes(type))
    return llvm::createStringError(
        llvm::formatv("{0}: expected '{1}' of shape {2}, got {3}", path, name,
                      shapeText(shape), got));
  std::vector<float> values(found->second.elements());
  decode(type, found->second.bytes.data(), values);
  return values;
}

llvm::Expected<StoredResult> gpubench::read(llvm::StringRef path,
                                            const Problem &problem) {
  llvm::Expected<NpzArchive> archive = readNpz(path);
  if (!archive)
    return archive.takeError();
  StoredResult stored;
  std::optional<Algorithm> algorithm;
  if (auto found = archive->find(kAbout); found != archive->end()) {
    llvm::StringRef text(found->second.bytes.data(),
                         found->second.bytes.size());
    llvm::Expected<llvm::json::Value> about = llvm::json::parse(text);
    if (!about)
      return about.takeError();
    if (const llvm::json::Object *object = about->getAsObject()) {
      stored.device = object->getString("device").value_or("").str();
      stored.variant = object->getString("variant").value_or("").str();
      algorithm = parseAlgorithm(object->getString("algorithm").value_or(""));
    }
  }
  if (!algorithm)
    return llvm::createStringError(
        path + ": expected 'meta_json' with an algorithm, got none");
  stored.algorithm = *algorithm;
  const RuleFacts &facts = problem.facts;
  llvm::Expected<std::vector<float>> o =
      floatsOf(*archive, path, facts.ioType == DN_TYPE_BF16 ? "o_bf16" : "o",
               facts.ioType, {problem.tokens, facts.hv, facts.v});
  if (!o)
    return o.takeError();
  stored.o = std::move(*o);
  if (archive->count("ht")) {
    llvm::Expected<std::vector<float>> state =
        floatsOf(*archive, path, "ht", DN_TYPE_F32,
                 {problem.sequences, facts.hv, facts.k, facts.v});
    if (!state)
      return state.takeError();
    stored.finalState = std::move(*state);
  }
  return stored;
}

std::vector<Comparison>
gpubench::compareWithStored(const Problem &problem, const RunResult &result,
                            Algorithm algorithm, const StoredResult &stored) {
  const RuleFacts &facts = problem.facts;
  ErrorLimits own =
      errorLimits(algorithm, facts.ioType, problem.correlatedKeys);
  ErrorLimits other =
      errorLimits(stored.algorithm, facts.ioType, problem.correlatedKeys);
  Tolerance output(own.output + other.output), state(own.state + other.state);
  output.element = elementFactor * (own.computed + other.computed);
  output.type = facts.ioType;
  state.element = elementFactor * state.limit;
  output.nearZero = state.nearZero = NearZero::Compare;
  auto compare = [&](llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<float> got, llvm::ArrayRef<float> expected,
                     const Tolerance &tolerance) {
    std::vector<double> exact(expected.begin(), expected.end());
    return compareTensor(name, stored.device, shape, got, exact, tolerance);
  };
  std::vector<Comparison> comparisons = {compare(
      "o", {problem.tokens, facts.hv, facts.v}, result.o, stored.o, output)};
  if (!stored.finalState.empty())
    comparisons.push_back(
        compare("ht", {problem.sequences, facts.hv, facts.k, facts.v},
                result.finalState, stored.finalState, state));
  return comparisons;
}
