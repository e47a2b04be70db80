//===- Options.cpp - Command line of delta-compile ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "OutputFiles.h"
#include "RepeatedOptions.h"
#include "Version.h"
#include "deltanet-c/kernel_abi.h"
#include "deltanet/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace delta_compile;
using namespace mlir;
using namespace mlir::deltanet;
namespace cl = llvm::cl;

static cl::OptionCategory category("delta-compile options");

static cl::opt<std::string> inputOption(cl::Positional, cl::desc("<in.mlir>"),
                                        cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    outputOption("o",
                 cl::desc("output; its suffix .o, .a, .so, .s, .ll, .mlir, "
                          ".ptx, .cubin or .fatbin says what it is, unless "
                          "--emit does; text (.s, .ll, .mlir, .ptx) and cubins "
                          "need one level, see --isa and --sm"),
                 cl::value_desc("file"), cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    headerOption("header", cl::desc("also write the C header of the library"),
                 cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> isaOption(
    "isa",
    cl::desc("instruction set levels, separated by commas: generic, avx2, "
             "avx512, avx512_bf16, amx, a known CPU (--version lists them), "
             "native (this machine) or all, which is every level "
             "(default: the target that the input names, or all; none if only "
             "GPUs are asked for, by --target=nvptx or the output)"),
    cl::value_desc("levels"), cl::cat(category));
static cl::opt<std::string> smOption(
    "sm",
    cl::desc("GPUs, separated by commas: 80, 86, 89, 90a, 100a, 120a or all, "
             "with or without sm_ before a number; their variants come into "
             "the library beside those of --isa (default: the target that the "
             "input names, or none; all if only GPUs are asked for)"),
    cl::value_desc("GPUs"), cl::cat(category));
static cl::opt<std::string> cudaOption(
    "cuda",
    cl::desc("CUDA toolkit whose ptxas makes machine code of PTX and whose "
             "fatbinary makes fat binaries (default: that in PATH, or else in "
             "CUDA_HOME); none: libraries hold PTX alone, as they do where no "
             "ptxas is found, and the driver compiles it"),
    cl::value_desc("folder"), cl::cat(category));
static cl::opt<bool> verboseOption(
    "v",
    cl::desc("print how rules are computed and why, and registers, spills and "
             "memory of kernels for GPUs where ptxas makes machine code"),
    cl::cat(category));
static cl::opt<std::string>
    targetOption("target",
                 cl::desc("architecture, as a triple: x86_64-linux-gnu or "
                          "aarch64-linux-gnu (default: this machine's); or "
                          "nvptx for GPUs, and CPUs only with --isa"),
                 cl::value_desc("triple"), cl::cat(category));
static cl::opt<std::string>
    emitOption("emit",
               cl::desc("write the IR of this stage: rule, chunks, fused, "
                        "layout, tiles, vectors, buffers, target or llvm; or "
                        "asm, obj, ptx or cubin; all but obj need one level, "
                        "see --isa and --sm"),
               cl::value_desc("stage"), cl::cat(category));
static cl::opt<std::string>
    fromOption("from", cl::desc("the input is IR of this stage"),
               cl::value_desc("stage"), cl::cat(category));
static cl::opt<std::string> scheduleOption(
    "schedule",
    cl::desc("use these schedules instead of the cost model's: one or more "
             "#deltanet.schedule<...>, separated by ';'"),
    cl::value_desc("schedules"), cl::cat(category));
static cl::opt<std::string>
    dumpOption("dump-stages",
               cl::desc("write the IR of every stage into this folder"),
               cl::value_desc("folder"), cl::cat(category));
static cl::opt<std::string>
    remarksOption("remarks",
                  cl::desc("write what was decided and why, as YAML"),
                  cl::value_desc("file"), cl::cat(category));

LogicalResult delta_compile::fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "delta-compile") << message << "\n";
  return failure();
}

std::string delta_compile::getProducer() { return versionOf("delta-compile"); }

static void printVersion(llvm::raw_ostream &os) {
  os << getProducer() << "\nkernel ABI " << DN_ABI_MAJOR << "." << DN_ABI_MINOR
     << "\nlevels and CPUs: native";
  for (llvm::StringRef name : getKnownTargetNames())
    os << ", " << name;
  os << "\nGPUs: ";
  llvm::interleaveComma(getKnownGpuNames(), os, [&](llvm::StringRef name) {
    os << name.drop_front(3);
  });
  os << "\n";
}

namespace {

/// Collects the first fault of a command line.
class Usage {
public:
  void expect(bool holds, const llvm::Twine &message) {
    if (!holds && fault.empty())
      fault = message.str();
  }

  void expectValue(const cl::opt<std::string> &option, llvm::StringRef what) {
    llvm::StringRef dashes = option.ArgStr.size() > 1 ? "--" : "-";
    expect(option.getNumOccurrences() == 0 || !option.empty(),
           dashes + option.ArgStr + ": expected " + what + ", got ''");
  }

  Stage stage(const cl::opt<std::string> &option) {
    std::optional<Stage> stage = parseStage(option);
    if (!stage)
      stage = parseStage(option, Processor::GPU);
    expect(stage.has_value(),
           "--" + option.ArgStr + ": expected a stage, got '" + option + "'");
    return stage.value_or(Stage::Rule);
  }

  std::string fault;
};

std::optional<Arch> parseArch(llvm::StringRef triple) {
  llvm::Triple parsed(llvm::Triple::normalize(triple));
  if (!parsed.isOSLinux())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Arch>>(parsed.getArchName())
      .Case("x86_64", Arch::X86_64)
      .Case("aarch64", Arch::AArch64)
      .Default(std::nullopt);
}

/// What the suffix of an output says it is, for artifacts.
std::optional<Artifact> parseSuffix(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<Artifact>>(suffix)
      .Case(".o", Artifact::Object)
      .Case(".a", Artifact::StaticLibrary)
      .Case(".so", Artifact::SharedLibrary)
      .Case(".s", Artifact::Assembly)
      .Case(".ll", Artifact::LLVMIR)
      .Case(".ptx", Artifact::Ptx)
      .Case(".cubin", Artifact::Cubin)
      .Case(".fatbin", Artifact::FatBinary)
      .Default(std::nullopt);
}

/// Fills in what is written, from --emit or the suffix of the output.
void chooseOutput(Options &options, Usage &usage) {
  llvm::StringRef suffix = llvm::sys::path::extension(options.output);
  std::optional<Artifact> named = parseSuffix(suffix);
  if (emitOption.getNumOccurrences()) {
    Stage stage = usage.stage(emitOption);
    if (stage == Stage::Asm)
      options.artifact = Artifact::Assembly;
    else if (stage == Stage::Obj)
      options.artifact = Artifact::Object;
    else if (stage == Stage::Ptx)
      options.artifact = Artifact::Ptx;
    else if (stage == Stage::Cubin)
      options.artifact = Artifact::Cubin;
    else
      options.last = stage;
    bool suits = suffix == ".mlir" ? !options.artifact
                                   : !named || named == options.artifact;
    usage.expect(suits, "-o: expected a file of what --emit=" + emitOption +
                            " makes, got '" + options.output + "'");
    return;
  }
  options.artifact = named;
  usage.expect(named || suffix == ".mlir",
               "-o: expected a file that ends in .o, .a, .so, .s, .ll, .mlir, "
               ".ptx, .cubin or .fatbin, or --emit, got '" +
                   options.output + "'");
}

/// Options that were given must say something, once, and spare the others'
/// files.
void checkValues(const Options &options, Usage &usage) {
  usage.fault = findRepeated(category);
  usage.expect(!options.input.empty(), "expected an input file, got ''");
  usage.expectValue(outputOption, "a file");
  usage.expectValue(headerOption, "a file");
  usage.expectValue(remarksOption, "a file");
  usage.expectValue(dumpOption, "a folder");
  usage.expectValue(targetOption, "a triple");
  usage.expectValue(isaOption, "levels separated by commas");
  usage.expectValue(smOption, "GPUs separated by commas");
  usage.expectValue(cudaOption, "a folder");
  usage.expectValue(scheduleOption, "schedules separated by ';'");
  if (usage.fault.empty())
    usage.fault = findClash(options);
}

/// Options that others make meaningless.
void checkCombinations(const Options &options, Usage &usage) {
  usage.expect(options.first <= options.last,
               "--from: expected a stage not after --emit, got '" + fromOption +
                   "'");
  usage.expect(options.first == Stage::Rule || options.schedule.empty(),
               "--schedule: expected an input whose schedules are not chosen "
               "yet, got --from=" +
                   fromOption);
  usage.expect(options.header.empty() || options.artifact ||
                   options.last == Stage::Llvm,
               "--header: expected an output of stage llvm or later, got "
               "--emit=" +
                   emitOption);
  usage.expect(options.header.empty() || !options.isOfGpuCode(),
               "--header: expected a library, got an output of GPU code alone");
  usage.expect(options.isa.empty() || !options.isOfGpuCode(),
               "--isa: expected no levels of CPUs for an output of GPU code "
               "alone, got '" +
                   options.isa + "'");
  usage.expect(
      !options.archGiven || !options.isOfGpuCode(),
      "--target: expected nvptx for an output of GPU code alone, got '" +
          targetOption + "'");
  usage.expect(options.isText() || options.output != "-" ||
                   !llvm::sys::Process::StandardOutIsDisplayed(),
               "expected -o FILE: binary output is not written to a terminal");
  usage.expect(options.artifact != Artifact::SharedLibrary ||
                   options.output != "-",
               "expected -o FILE for a shared library");
}

} // namespace

ParsedOptions delta_compile::parseOptions(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(printVersion);
  std::string parseErrors;
  llvm::raw_string_ostream os(parseErrors);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles gated delta rules to kernel libraries\n",
          &os)) {
    llvm::errs() << parseErrors;
    return {std::nullopt, kUsageFault};
  }

  Options options;
  Usage usage;
  options.input = inputOption;
  options.output = outputOption;
  options.header = headerOption;
  options.remarks = remarksOption;
  options.dumpStages = dumpOption;
  options.schedule = scheduleOption;
  options.isa = isaOption;
  options.sm = smOption;
  options.cuda = cudaOption;
  options.verbose = verboseOption;
  bool targetGiven = targetOption.getNumOccurrences();
  options.gpuGiven = targetGiven && llvm::Triple(targetOption).isNVPTX();
  options.archGiven = targetGiven && !options.gpuGiven;
  std::string triple =
      options.archGiven ? targetOption : llvm::sys::getProcessTriple();
  std::optional<Arch> arch = parseArch(triple);
  checkValues(options, usage);
  usage.expect(arch.has_value(),
               "--target: expected x86_64-linux-gnu, aarch64-linux-gnu or "
               "nvptx, got '" +
                   triple + "'");
  options.arch = arch.value_or(Arch::X86_64);
  chooseOutput(options, usage);
  if (fromOption.getNumOccurrences())
    options.first = usage.stage(fromOption);
  checkCombinations(options, usage);
  if (usage.fault.empty())
    return {std::move(options), 0};
  (void)fail(usage.fault);
  return {std::nullopt, kUsageFault};
}
