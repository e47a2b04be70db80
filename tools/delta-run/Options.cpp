//===- Options.cpp - The command line of delta-run ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Version.h"
#include "deltanet-c/runtime.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

void verification::usageError(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "delta-run") << message << "\n";
  exit(2);
}

static int64_t parseCount(llvm::StringRef option, llvm::StringRef text) {
  int64_t count;
  if (text.trim().getAsInteger(10, count) || count < 0)
    usageError("--" + option + ": expected a number of at least 0, got '" +
               text + "'");
  return count;
}

/// --shape or --lengths as lengths of sequences.
std::vector<int64_t> CommandLine::parseLengths() {
  llvm::SmallVector<llvm::StringRef> items;
  if (lengths.getNumOccurrences()) {
    llvm::StringRef(lengths).split(items, ',', /*MaxSplit=*/-1,
                                   /*KeepEmpty=*/!lengths.empty());
    std::vector<int64_t> list;
    for (llvm::StringRef item : items)
      list.push_back(parseCount("lengths", item));
    return list;
  }
  constexpr int64_t maxSequences = 1 << 20;
  std::optional<int64_t> tokens, sequences;
  for (llvm::StringRef item : llvm::split(shape, ',')) {
    auto [name, value] = item.split('=');
    name = name.trim();
    if (name != "T" && name != "N")
      usageError("--shape: expected T=… or N=…, got '" + item + "'");
    std::optional<int64_t> &count = name == "T" ? tokens : sequences;
    if (count)
      usageError("--shape: expected " + name + " once, got '" + shape + "'");
    count = parseCount("shape", value);
  }
  if (sequences > maxSequences)
    usageError(llvm::formatv("--shape: expected N of at most {0}, got {1}",
                             maxSequences, *sequences));
  // T tokens of no sequence are more likely a mistake than a wish.
  if (sequences == 0)
    usageError("--shape: expected N of at least 1, got 0; --lengths= is a call "
               "without sequences");
  return std::vector<int64_t>(sequences.value_or(1), tokens.value_or(64));
}

Stage CommandLine::parseStageName() {
  // Which stages execute depends on the module's target.
  std::optional<Stage> found = parseStage(stage);
  if (!found)
    found = parseStage(stage, Processor::GPU);
  if (!found)
    usageError("--stage: expected rule, chunks, fused, layout, tiles, vectors "
               "or buffers, got '" +
               stage + "'");
  return *found;
}

dn_isa CommandLine::parseEmulatedIsa() {
  llvm::SmallVector<llvm::StringRef> names;
  for (uint32_t isa = 0; const char *name = dn_isa_name(isa); ++isa) {
    if (emulate == name)
      return dn_isa(isa);
    names.push_back(name);
  }
  usageError("--emulate: expected one of " + llvm::join(names, ", ") +
             ", got '" + emulate + "'");
}

/// The name that an option's present value has on the command line.
template <typename T>
static llvm::StringRef valueName(const cl::opt<T> &option) {
  cl::parser<T> &parser = const_cast<cl::opt<T> &>(option).getParser();
  for (unsigned i = 0; i < parser.getNumOptions(); ++i) {
    const auto &value =
        static_cast<const cl::OptionValue<T> &>(parser.getOptionValue(i));
    if (value.getValue() == option.getValue())
      return parser.getOption(i);
  }
  return "";
}

Options verification::parseCommandLine(int argc, char **argv) {
  cl::ResetCommandLineParser();
  setVersion("delta-run");
  CommandLine line;
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Runs a kernel, compiled or as the IR of a stage, and compares it "
          "with a\nfloat64 token recurrence.\n",
          &errorStream)) {
    llvm::errs() << errors;
    exit(2);
  }
  line.checkValues();
  line.checkCombinations();
  line.checkFiles();

  Options options;
  options.file = line.file;
  options.list = line.list;
  options.kernel = line.kernel;
  if (line.isa.getNumOccurrences())
    options.isa = line.isa;
  options.emulate = line.emulate.getNumOccurrences();
  if (!line.emulate.empty())
    options.emulatedIsa = line.parseEmulatedIsa();
  if (line.device.getNumOccurrences())
    options.device = line.parseDevice();
  if (line.estimate.getNumOccurrences()) {
    llvm::Expected<GpuPeaks> gpu = findGpu(line.estimate);
    if (!gpu)
      usageError("--estimate: " + llvm::toString(gpu.takeError()));
    options.estimate = *gpu;
  }
  options.counts = line.counts;
  if (line.stage.getNumOccurrences())
    options.stage = line.parseStageName();
  options.target = line.target;
  options.sm = line.sm;
  options.schedule = line.schedule;
  options.inputs = line.inputs;
  if (line.shape.getNumOccurrences() || line.lengths.getNumOccurrences())
    options.lengths = line.parseLengths();
  options.gatesGiven = line.gates.getNumOccurrences();
  options.generator = {line.seed, line.gates, line.betas, line.keys,
                       !line.zeroState};
  options.generatorText =
      llvm::formatv("generated with seed {0}, beta {1}, keys {2}{3}",
                    line.seed.getValue(), valueName(line.betas),
                    valueName(line.keys), line.zeroState ? ", zero state" : "");
  options.gatesText = valueName(line.gates);
  options.layout = {line.strides, line.misalign, line.inPlace};
  options.threads = int(line.threads);
  options.repeat = int(line.repeat);
  options.tokensPerCall = line.steps ? 1 : int64_t(line.tokensPerCall);
  options.verify = !line.noVerify;
  if (line.limits.getNumOccurrences())
    options.limits = line.limits;
  options.json = line.json;
  options.output = line.output;
  return options;
}

void verification::checkOptions(const Options &options,
                                const RunnerTraits &traits) {
  auto expect = [&](bool holds, llvm::StringRef option,
                    const llvm::Twine &what) {
    if (!holds)
      usageError("--" + option + ": expected " + what + ", got kernel '" +
                 traits.name + "'");
  };
  expect(!options.gatesGiven || traits.facts.rule == DN_RULE_GATED, "gates",
         "a rule with gates");
  expect(options.generator.initialState || traits.takesState, "zero-state",
         "a rule with an initial state");
  unsigned bytes = elementBytes(traits.facts.ioType);
  if (options.layout.misalign % bytes)
    usageError(llvm::formatv(
        "--misalign: expected a multiple of {0} bytes for {1} tensors, got {2}",
        bytes, elementName(traits.facts.ioType), options.layout.misalign));
}
