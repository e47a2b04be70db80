//===- Options.cpp - The command line of delta-run ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RepeatedOptions.h"
#include "SameFile.h"
#include "Version.h"
#include "deltanet-c/runtime.h"
#include "deltanet/Emulation/X86/Machine.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;
namespace cl = llvm::cl;

namespace {
/// The options live in an object, not in globals: LLVM's dynamic library brings
/// options of its own, some with the same names, which must be gone before.
struct CommandLine {
  cl::OptionCategory category{"delta-run options"};

  cl::opt<std::string> file{cl::Positional, cl::Required,
                            cl::desc("LIBRARY.so or MODULE.mlir"),
                            cl::cat(category)};
  cl::opt<bool> list{"list", cl::desc("List the kernels of the library"),
                     cl::cat(category)};
  cl::opt<std::string> kernel{"kernel", cl::desc("Kernel to run"),
                              cl::value_desc("name"), cl::cat(category)};
  cl::opt<dn_isa> isa{
      "isa", cl::desc("Variant to run (default: the best for this machine)"),
      cl::values(
          clEnumValN(DN_ISA_GENERIC, "generic", "baseline of the architecture"),
          clEnumValN(DN_ISA_AVX2, "avx2", "AVX2 and FMA"),
          clEnumValN(DN_ISA_AVX512, "avx512", "AVX-512 F, BW, DQ and VL"),
          clEnumValN(DN_ISA_AVX512_BF16, "avx512_bf16", "AVX512-BF16"),
          clEnumValN(DN_ISA_AMX, "amx", "AMX-TILE and AMX-BF16")),
      cl::cat(category)};
  cl::opt<std::string> emulate{
      "emulate", cl::ValueOptional,
      cl::desc("Run the variant of a level (default: the highest) in an "
               "emulator that checks every access, whatever this machine is"),
      cl::value_desc("level"), cl::cat(category)};
  cl::opt<std::string> counts{
      "counts", cl::desc("Write how many instructions of each kind ran"),
      cl::value_desc("file.json"), cl::cat(category)};

  cl::opt<std::string> stage{
      "stage",
      cl::desc("Execute the IR of a stage as scalar code: rule, chunks, fused, "
               "layout, tiles, vectors or buffers. The passes up to it run "
               "first, unless the kernels already are in canonical form"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> target{
      "target",
      cl::desc("Target of the passes (default: the module's own, or native)"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> schedule{
      "schedule", cl::desc("Schedules for the passes, separated by ';'"),
      cl::value_desc("#deltanet.schedule<…>"), cl::cat(category)};

  cl::opt<std::string> inputs{
      "inputs",
      cl::desc("Recorded inputs and results (docs/recorded.md); states are "
               "[N,HV,K,V] for vk kernels too"),
      cl::value_desc("file.npz"), cl::cat(category)};
  cl::opt<std::string> shape{
      "shape",
      cl::desc("N generated sequences of T tokens (default T=64, N=1)"),
      cl::value_desc("T=tokens,N=sequences"), cl::cat(category)};
  cl::opt<std::string> lengths{"lengths",
                               cl::desc("Generated sequences of these lengths"),
                               cl::value_desc("5,0,70"), cl::cat(category)};
  cl::opt<Gates> gates{
      "gates", cl::desc("Generated log decays"), cl::init(Gates::Realistic),
      cl::values(
          clEnumValN(Gates::Realistic, "realistic",
                     "rates of 0 to 16 a head; about -1e-4 to below -20"),
          clEnumValN(Gates::Weak, "weak", "-3e-3 to -1e-5"),
          clEnumValN(Gates::Strong, "strong", "-20"),
          clEnumValN(Gates::Mixed, "mixed", "-20 or 0"),
          clEnumValN(Gates::Reset, "reset", "weak with sudden -20, -60, -200"),
          clEnumValN(Gates::Huge, "huge", "-1e5 to -1e3"),
          clEnumValN(Gates::Zero, "zero", "0"),
          clEnumValN(Gates::NegInf, "neginf", "weak with some -inf")),
      cl::cat(category)};
  cl::opt<Betas> betas{
      "beta", cl::desc("Generated step sizes"), cl::init(Betas::Uniform),
      cl::values(clEnumValN(Betas::Uniform, "uniform", "0 to 1"),
                 clEnumValN(Betas::Zero, "zero", "0"),
                 clEnumValN(Betas::One, "one", "1"),
                 clEnumValN(Betas::Two, "two", "0 to 2")),
      cl::cat(category)};
  cl::opt<Keys> keys{
      "keys", cl::desc("Generated keys"), cl::init(Keys::Normal),
      cl::values(clEnumValN(Keys::Normal, "normal", "independent"),
                 clEnumValN(Keys::Correlated, "correlated",
                            "one direction with 1 % noise"),
                 clEnumValN(Keys::Zero, "zero", "every 7th q and k zero")),
      cl::cat(category)};
  cl::opt<bool> zeroState{"zero-state",
                          cl::desc("Generated initial states are zero"),
                          cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("Seed of generated inputs"),
                         cl::init(0), cl::cat(category)};

  cl::opt<Strides> strides{
      "strides", cl::desc("Memory layout of the tensors"),
      cl::init(Strides::Packed),
      cl::values(
          clEnumValN(Strides::Packed, "packed", "C order"),
          clEnumValN(Strides::Padded, "padded", "gaps after every row"),
          clEnumValN(Strides::Heads, "heads", "head-major"),
          clEnumValN(Strides::QKV, "qkv", "q, k, v slices of one tensor")),
      cl::cat(category)};
  cl::opt<unsigned> misalign{
      "misalign", cl::desc("Bytes that tensors begin after alignment"),
      cl::init(0), cl::value_desc("bytes"), cl::cat(category)};
  cl::opt<bool> inPlace{
      "in-place", cl::desc("Let the final state overwrite the initial one"),
      cl::cat(category)};
  cl::opt<unsigned> threads{"threads", cl::desc("Threads (default 1)"),
                            cl::init(1), cl::cat(category)};
  cl::opt<unsigned> repeat{
      "repeat",
      cl::desc("Timed runs, after one that is not; all must "
               "give the same bits"),
      cl::init(1), cl::cat(category)};
  cl::opt<bool> steps{
      "steps", cl::desc("Feed the tokens one by one, carrying the state"),
      cl::cat(category)};
  cl::opt<unsigned> tokensPerCall{
      "tokens-per-call",
      cl::desc("Feed so many tokens at a time, carrying the state"),
      cl::init(0), cl::cat(category)};

  cl::opt<bool> noVerify{"no-verify",
                         cl::desc("Do not compare with the reference"),
                         cl::cat(category)};
  cl::opt<Algorithm> limits{
      "limits",
      cl::desc("Error limits (default: those of the schedule that ran)"),
      cl::values(
          clEnumValN(Algorithm::Recurrent, "recurrent", "token by token"),
          clEnumValN(Algorithm::Chunked, "chunked", "f32 matrix form"),
          clEnumValN(Algorithm::ChunkedMatrix, "chunked-matrix",
                     "16-bit matrix units")),
      cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("Print JSON instead of tables"),
                     cl::cat(category)};
  cl::opt<std::string> output{"output", cl::desc("Write the results as arrays"),
                              cl::value_desc("file.npz"), cl::cat(category)};

  std::vector<int64_t> parseLengths();
  Stage parseStageName();
  dn_isa parseEmulatedIsa();
  void checkValues();
  void checkCombinations();
  void checkFiles();
  void refuse(llvm::ArrayRef<cl::Option *> options, llvm::StringRef expected,
              llvm::StringRef got);
};
} // namespace

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
  return std::vector<int64_t>(sequences.value_or(1), tokens.value_or(64));
}

Stage CommandLine::parseStageName() {
  std::optional<Stage> found = parseStage(stage);
  if (!found || *found > Stage::Buffers)
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

void CommandLine::refuse(llvm::ArrayRef<cl::Option *> options,
                         llvm::StringRef expected, llvm::StringRef got) {
  for (cl::Option *option : options)
    if (option->getNumOccurrences())
      usageError("--" + option->ArgStr + ": expected " + expected + ", got " +
                 got);
}

/// Refuses what no command line can mean.
void CommandLine::checkValues() {
  if (std::string fault = findRepeated(category); !fault.empty())
    usageError(fault);
  if (file.empty())
    usageError("expected a file, got ''");
  for (cl::opt<std::string> *option :
       {&kernel, &target, &schedule, &inputs, &shape, &counts, &output})
    if (option->getNumOccurrences() && option->empty())
      usageError("--" + option->ArgStr + ": expected " + option->ValueStr +
                 ", got ''");
  if (!target.empty())
    checkTargetName(target);
  if (!schedule.empty())
    checkSchedules(schedule);
  if (tokensPerCall.getNumOccurrences() && tokensPerCall == 0)
    usageError("--tokens-per-call: expected at least 1, got 0");
  if (repeat == 0 || repeat > 1000000)
    usageError("--repeat: expected 1 to 1000000, got " + llvm::Twine(repeat));
  if (threads == 0 || threads > 1024)
    usageError("--threads: expected 1 to 1024, got " + llvm::Twine(threads));
  if (misalign > 4096)
    usageError("--misalign: expected at most 4096, got " +
               llvm::Twine(misalign));
}

/// Refuses options that another one makes meaningless.
void CommandLine::checkCombinations() {
  bool staged = stage.getNumOccurrences();
  if (list)
    refuse({&kernel,   &isa,       &stage,   &target,  &schedule,
            &inputs,   &shape,     &lengths, &gates,   &betas,
            &keys,     &zeroState, &seed,    &strides, &misalign,
            &inPlace,  &threads,   &repeat,  &steps,   &tokensPerCall,
            &noVerify, &limits,    &output,  &emulate, &counts},
           "a kernel to run", "--list");
  if (staged)
    refuse({&isa, &threads, &inPlace, &emulate}, "a kernel library", "--stage");
  else
    refuse({&target, &schedule}, "--stage", "a kernel library");
  if (emulate.getNumOccurrences())
    refuse({&isa, &threads, &repeat}, "this machine's CPU", "--emulate");
  else
    refuse({&counts}, "--emulate", "this machine's CPU");
  if (!staged && llvm::StringRef(file).ends_with(".mlir"))
    usageError("expected --stage=NAME to run IR, got none for '" + file + "'");
  if (!list && kernel.empty() && !staged)
    usageError("expected --list, --kernel=NAME or --stage=NAME");
  if (!inputs.empty())
    refuse({&shape, &lengths, &gates, &betas, &keys, &zeroState, &seed},
           "generated inputs", "--inputs");
  if (shape.getNumOccurrences() && lengths.getNumOccurrences())
    usageError("expected one of --shape and --lengths, got both");
  if (steps && tokensPerCall.getNumOccurrences())
    usageError("expected one of --steps and --tokens-per-call, got both");
}

void CommandLine::checkFiles() {
  llvm::SmallVector<NamedFile> files = {{"the file to run", file, true}};
  if (!inputs.empty())
    files.push_back({"--inputs", inputs, true});
  if (!output.empty())
    files.push_back({"--output", output});
  if (!counts.empty())
    files.push_back({"--counts", counts});
  if (emulate.getNumOccurrences())
    files.push_back(
        {"the library of Bochs", emulation::Machine::bochsPath(), true});
  for (const NamedFile &file : files)
    if (!file.isInput && file.path == "-")
      usageError(file.name + ": expected a file, got '-': the standard output "
                             "has the report");
  if (std::string fault = findOverwritten(files); !fault.empty())
    usageError(fault);
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
  options.counts = line.counts;
  if (line.stage.getNumOccurrences())
    options.stage = line.parseStageName();
  options.target = line.target;
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
