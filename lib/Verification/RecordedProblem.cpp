//===- RecordedProblem.cpp - Problems stored with their results -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/RecordedProblem.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// Bounds the depth to which the recursive JSON parser can be driven.
static constexpr size_t maxMetaBytes = 4096;

namespace {
/// Where an error lies; `array` may be empty.
struct Location {
  llvm::StringRef file, array;

  llvm::Error fail(const llvm::Twine &what) const {
    if (array.empty())
      return llvm::createStringError(file + ": " + what);
    return llvm::createStringError(file + ": array '" + array + "': " + what);
  }
};

/// Reads one archive into a RecordedProblem, step by step. Every step returns
/// an error that ends the reading.
class Reader {
public:
  Reader(const NpzArchive &archive, llvm::StringRef file)
      : archive(archive), file(file) {}

  llvm::Expected<RecordedProblem> read() {
    if (llvm::Error error = readMeta())
      return std::move(error);
    if (llvm::Error error = readActivations())
      return std::move(error);
    if (llvm::Error error = readSequences())
      return std::move(error);
    if (llvm::Error error = readGatesAndState())
      return std::move(error);
    if (llvm::Error error = readScale())
      return std::move(error);
    if (llvm::Error error = readExpected())
      return std::move(error);
    if (llvm::Error error = validate(problem))
      return Location{file, ""}.fail(llvm::toString(std::move(error)));
    return std::move(recorded);
  }

private:
  const NpyArray *find(llvm::StringRef name) const {
    auto it = archive.find(name.str());
    return it == archive.end() ? nullptr : &it->second;
  }

  template <typename Fact> using Word = std::pair<llvm::StringRef, Fact>;
  /// Reads one of two words of meta_json; without the key, `fact` stays.
  template <typename Fact>
  llvm::Error readWord(const llvm::json::Object &meta, llvm::StringRef key,
                       Word<Fact> first, Word<Fact> second, Fact &fact);
  /// Reads a number of meta_json; without the key, `number` stays.
  llvm::Error readNumber(const llvm::json::Object &meta, llvm::StringRef key,
                         double &number);
  llvm::Error readMeta();
  llvm::Error readActivation(llvm::StringRef name, std::vector<float> &values,
                             std::vector<int64_t> &shape, dn_type &type);
  llvm::Error readActivations();
  llvm::Error readSequences();
  llvm::Error readF32(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                      bool required, std::vector<float> &values);
  llvm::Error readGatesAndState();
  llvm::Error readScale();
  llvm::Error readResult(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                         std::vector<double> &values);
  llvm::Error readExpected();

  const NpzArchive &archive;
  llvm::StringRef file;
  RecordedProblem recorded;
  Problem &problem = recorded.problem;
  RuleFacts &facts = recorded.problem.facts;
};
} // namespace

template <typename Fact>
llvm::Error Reader::readWord(const llvm::json::Object &meta,
                             llvm::StringRef key, Word<Fact> first,
                             Word<Fact> second, Fact &fact) {
  const llvm::json::Value *given = meta.get(key);
  if (!given)
    return llvm::Error::success();
  llvm::StringRef text = given->getAsString().value_or("");
  for (const Word<Fact> &word : {first, second})
    if (text == word.first) {
      fact = word.second;
      return llvm::Error::success();
    }
  return Location{file, "meta_json"}.fail(
      "expected " + key + " '" + first.first + "' or '" + second.first +
      "', got '" + text + "'");
}

llvm::Error Reader::readNumber(const llvm::json::Object &meta,
                               llvm::StringRef key, double &number) {
  const llvm::json::Value *given = meta.get(key);
  if (!given)
    return llvm::Error::success();
  std::optional<double> read = given->getAsNumber();
  if (!read)
    return Location{file, "meta_json"}.fail(
        llvm::formatv("expected {0} to be a number, got {1}", key, *given));
  number = *read;
  return llvm::Error::success();
}

llvm::Error Reader::readMeta() {
  Location at{file, "meta_json"};
  facts.rule = find("g") ? DN_RULE_GATED : DN_RULE_DELTA;
  const NpyArray *array = find("meta_json");
  if (!array)
    return llvm::Error::success();
  if (array->type != NpyType::U8)
    return at.fail("expected bytes of JSON text of type |u1, got " +
                   npyDescr(array->type));
  if (array->bytes.size() > maxMetaBytes)
    return at.fail(llvm::formatv("expected at most {0} bytes, got {1}",
                                 maxMetaBytes, array->bytes.size()));
  llvm::StringRef text(array->bytes.data(), array->bytes.size());
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return at.fail(llvm::toString(value.takeError()));
  const llvm::json::Object *meta = value->getAsObject();
  if (!meta)
    return at.fail("expected a JSON object");

  if (llvm::Error error = readWord(*meta, "kind", {"gdn", DN_RULE_GATED},
                                   {"delta", DN_RULE_DELTA}, facts.rule))
    return error;
  if (llvm::Error error =
          readWord(*meta, "head_map", {"grouped", DN_HEAD_MAP_GROUPED},
                   {"tiled", DN_HEAD_MAP_TILED}, facts.headMap))
    return error;
  if (const llvm::json::Value *given = meta->get("state_layout"))
    if (llvm::StringRef layout = given->getAsString().value_or("");
        layout != "KV")
      return at.fail("expected state_layout 'KV', got '" + layout + "'");

  double steps = 1, normalizes = 0, eps = 1e-6, correlated = 0;
  for (auto [key, number] :
       std::initializer_list<std::pair<llvm::StringRef, double *>>{
           {"steps_per_token", &steps},
           {"l2norm", &normalizes},
           {"l2_eps", &eps},
           {"correlated", &correlated}})
    if (llvm::Error error = readNumber(*meta, key, *number))
      return error;
  if (steps != 1)
    return at.fail(llvm::formatv("expected steps_per_token 1, got {0}",
                                 llvm::json::Value(steps)));
  if (normalizes)
    facts.l2normEps = eps;
  problem.correlatedKeys = correlated != 0;
  return llvm::Error::success();
}

/// Finds `name` as f32 or f16, or `name`_bf16 as words.
llvm::Error Reader::readActivation(llvm::StringRef name,
                                   std::vector<float> &values,
                                   std::vector<int64_t> &shape, dn_type &type) {
  const NpyArray *array = find(name);
  std::string wordName = (name + "_bf16").str();
  const NpyArray *words = find(wordName);
  Location at{file, words ? llvm::StringRef(wordName) : name};
  if (!array == !words)
    return at.fail("expected exactly one of '" + name + "' and '" + wordName +
                   "'");
  if (words)
    array = words;
  if (words && array->type == NpyType::U16)
    type = DN_TYPE_BF16;
  else if (!words && array->type == NpyType::F32)
    type = DN_TYPE_F32;
  else if (!words && array->type == NpyType::F16)
    type = DN_TYPE_F16;
  else
    return at.fail("expected type " +
                   llvm::StringRef(words ? "<u2" : "<f4 or <f2") + ", got " +
                   npyDescr(array->type));
  if (array->shape.size() != 3)
    return at.fail("expected three dimensions, got shape " +
                   shapeText(array->shape));
  shape = array->shape;
  values.resize(array->elements());
  decode(type, array->bytes.data(), values);
  return llvm::Error::success();
}

llvm::Error Reader::readActivations() {
  std::vector<int64_t> q, k, v;
  dn_type qType, kType, vType;
  if (llvm::Error error = readActivation("q", problem.q, q, qType))
    return error;
  if (llvm::Error error = readActivation("k", problem.k, k, kType))
    return error;
  if (llvm::Error error = readActivation("v", problem.v, v, vType))
    return error;
  Location here{file, ""};
  if (qType != kType || qType != vType)
    return here.fail(llvm::formatv("expected one type of q, k and v, got {0}, "
                                   "{1} and {2}",
                                   elementName(qType), elementName(kType),
                                   elementName(vType)));
  if (q != k)
    return here.fail("expected one shape of q and k, got " + shapeText(q) +
                     " and " + shapeText(k));
  if (v[0] != q[0])
    return here.fail(llvm::formatv("expected as many rows in v as in q, got "
                                   "{0} and {1}",
                                   v[0], q[0]));
  facts.ioType = qType;
  problem.tokens = q[0];
  facts.h = q[1];
  facts.k = q[2];
  facts.hv = v[1];
  facts.v = v[2];
  return llvm::Error::success();
}

llvm::Error Reader::readSequences() {
  problem.sequences = 1;
  problem.cuSeqlens = {0, problem.tokens};
  const NpyArray *array = find("cu_seqlens");
  if (!array)
    return llvm::Error::success();
  Location at{file, "cu_seqlens"};
  if ((array->type != NpyType::I32 && array->type != NpyType::I64) ||
      array->shape.size() != 1 || array->shape[0] < 1)
    return at.fail("expected <i4 or <i8 of shape [N+1], got " +
                   npyDescr(array->type) + " of shape " +
                   shapeText(array->shape));
  if (array->shape[0] == 1)
    return at.fail("expected at least one sequence to compare, got none");
  recorded.packed = true;
  problem.sequences = array->shape[0] - 1;
  if (array->type == NpyType::I64) {
    problem.cuSeqlens = array->values<int64_t>();
    return llvm::Error::success();
  }
  std::vector<int32_t> words = array->values<int32_t>();
  problem.cuSeqlens.assign(words.begin(), words.end());
  return llvm::Error::success();
}

llvm::Error Reader::readF32(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                            bool required, std::vector<float> &values) {
  Location at{file, name};
  const NpyArray *array = find(name);
  if (!array)
    return required ? at.fail("expected shape " + shapeText(shape) +
                              ", got no such array")
                    : llvm::Error::success();
  if (array->type != NpyType::F32 || llvm::ArrayRef(array->shape) != shape)
    return at.fail("expected <f4 of shape " + shapeText(shape) + ", got " +
                   npyDescr(array->type) + " of shape " +
                   shapeText(array->shape));
  values = array->values<float>();
  return llvm::Error::success();
}

llvm::Error Reader::readGatesAndState() {
  int64_t tokens = problem.tokens;
  if (facts.rule == DN_RULE_GATED)
    if (llvm::Error error =
            readF32("g", {tokens, facts.hv}, /*required=*/true, problem.g))
      return error;
  if (facts.rule == DN_RULE_DELTA && find("g"))
    return Location{file, "g"}.fail("expected no gate for kind 'delta'");
  if (llvm::Error error =
          readF32("beta", {tokens, facts.hv}, /*required=*/true, problem.beta))
    return error;
  return readF32("h0", {problem.sequences, facts.hv, facts.k, facts.v},
                 /*required=*/false, problem.stateIn);
}

llvm::Error Reader::readScale() {
  const NpyArray *array = find("scale");
  if (!array) {
    facts.scale = 1 / std::sqrt(double(facts.k));
    return llvm::Error::success();
  }
  Location at{file, "scale"};
  if (array->type != NpyType::F64 || array->elements() != 1)
    return at.fail("expected one <f8, got " + npyDescr(array->type) +
                   " of shape " + shapeText(array->shape));
  facts.scale = array->values<double>().front();
  return llvm::Error::success();
}

llvm::Error Reader::readResult(llvm::StringRef name,
                               llvm::ArrayRef<int64_t> shape,
                               std::vector<double> &values) {
  const NpyArray *array = find(name);
  if (!array)
    return llvm::Error::success();
  Location at{file, name};
  if ((array->type != NpyType::F32 && array->type != NpyType::F64) ||
      llvm::ArrayRef(array->shape) != shape)
    return at.fail("expected <f4 or <f8 of shape " + shapeText(shape) +
                   ", got " + npyDescr(array->type) + " of shape " +
                   shapeText(array->shape));
  if (array->type == NpyType::F64) {
    values = array->values<double>();
    return llvm::Error::success();
  }
  std::vector<float> narrow = array->values<float>();
  values.assign(narrow.begin(), narrow.end());
  return llvm::Error::success();
}

llvm::Error Reader::readExpected() {
  int64_t tokens = problem.tokens;
  if (llvm::Error error =
          readResult("o", {tokens, facts.hv, facts.v}, recorded.o))
    return error;
  if (llvm::Error error =
          readResult("ht", {problem.sequences, facts.hv, facts.k, facts.v},
                     recorded.finalState))
    return error;
  return readResult("h_all", {tokens, facts.hv, facts.k, facts.v},
                    recorded.states);
}

llvm::Expected<RecordedProblem>
verification::readRecordedProblem(const NpzArchive &archive,
                                  llvm::StringRef where) {
  return Reader(archive, where).read();
}

NpzArchive verification::writeResults(const Problem &problem,
                                      llvm::ArrayRef<float> o,
                                      llvm::ArrayRef<float> finalState,
                                      llvm::ArrayRef<float> states) {
  const RuleFacts &facts = problem.facts;
  NpzArchive archive;
  NpyArray output;
  output.shape = {problem.tokens, facts.hv, facts.v};
  output.bytes.resize(o.size() * elementBytes(facts.ioType));
  encode(facts.ioType, o, output.bytes.data());
  bool bf16 = facts.ioType == DN_TYPE_BF16;
  output.type = bf16                          ? NpyType::U16
                : facts.ioType == DN_TYPE_F16 ? NpyType::F16
                                              : NpyType::F32;
  archive[bf16 ? "o_bf16" : "o"] = std::move(output);
  if (!finalState.empty())
    archive["ht"] = NpyArray::make<float>(
        NpyType::F32, {problem.sequences, facts.hv, facts.k, facts.v},
        finalState);
  if (!states.empty())
    archive["h_all"] = NpyArray::make<float>(
        NpyType::F32, {problem.tokens, facts.hv, facts.k, facts.v}, states);
  return archive;
}
