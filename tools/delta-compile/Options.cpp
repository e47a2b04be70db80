//===- Options.cpp - Command line of delta-compile ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "deltanet-c/kernel_abi.h"
#include "deltanet/Target/Target.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace delta_compile;
using namespace mlir::deltanet;
namespace cl = llvm::cl;

static cl::OptionCategory category("delta-compile options");

static cl::opt<std::string> inputOption(cl::Positional, cl::desc("<in.mlir>"),
                                        cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    outputOption("o",
                 cl::desc("output; its suffix .o, .a, .so, .s, .ll or .mlir "
                          "says what it is, unless --emit does"),
                 cl::value_desc("file"), cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    headerOption("header", cl::desc("also write the C header of the library"),
                 cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> isaOption(
    "isa",
    cl::desc("instruction set levels, separated by commas: generic, avx2, a "
             "known CPU, native (this machine) or all (default)"),
    cl::value_desc("levels"), cl::cat(category));
static cl::opt<std::string>
    targetOption("target",
                 cl::desc("architecture, as a triple: x86_64-linux-gnu or "
                          "aarch64-linux-gnu (default: this machine's)"),
                 cl::value_desc("triple"), cl::cat(category));
static cl::opt<std::string>
    emitOption("emit",
               cl::desc("write the IR of this stage: rule, chunks, fused, "
                        "layout, tiles, vectors, buffers, target or llvm; or "
                        "asm or obj"),
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

std::string delta_compile::getProducer() {
  return "delta-compile " DELTANET_VERSION ", LLVM " LLVM_VERSION_STRING;
}

static void printVersion(llvm::raw_ostream &os) {
  os << getProducer() << "\nkernel ABI " << DN_ABI_MAJOR << "." << DN_ABI_MINOR
     << "\nlevels and CPUs: native";
  for (llvm::StringRef name : getKnownTargetNames())
    os << ", " << name;
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

  Stage stage(llvm::StringRef option, llvm::StringRef name) {
    std::optional<Stage> stage = parseStage(name);
    expect(stage.has_value(),
           "expected a stage in --" + option + ", got '" + name + "'");
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

/// Fills in what is written, from --emit or the suffix of the output.
void chooseOutput(Options &options, Usage &usage) {
  if (!emitOption.empty()) {
    Stage stage = usage.stage("emit", emitOption);
    if (stage == Stage::Asm)
      options.artifact = Artifact::Assembly;
    else if (stage == Stage::Obj)
      options.artifact = Artifact::Object;
    else
      options.last = stage;
    return;
  }
  llvm::StringRef suffix = llvm::sys::path::extension(options.output);
  if (suffix == ".mlir")
    return;
  options.artifact = llvm::StringSwitch<std::optional<Artifact>>(suffix)
                         .Case(".o", Artifact::Object)
                         .Case(".a", Artifact::StaticLibrary)
                         .Case(".so", Artifact::SharedLibrary)
                         .Case(".s", Artifact::Assembly)
                         .Case(".ll", Artifact::LLVMIR)
                         .Default(std::nullopt);
  usage.expect(options.artifact.has_value(),
               "expected an output that ends in .o, .a, .so, .s, .ll or "
               ".mlir, or --emit, got '" +
                   options.output + "'");
}

void chooseLevels(Options &options, Usage &usage) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(isaOption).split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names) {
    if (name == "all") {
      options.isa.push_back("generic");
      if (options.arch == Arch::X86_64)
        options.isa.push_back("avx2");
    } else {
      options.isa.push_back(name.str());
    }
  }
  // On this architecture the level has a name of its own in the table.
  if (options.arch == Arch::AArch64)
    for (std::string &name : options.isa)
      if (name == "generic")
        name = "generic-aarch64";
}

} // namespace

ParsedOptions delta_compile::parseOptions(int argc, char **argv) {
  auto fail = [](const llvm::Twine &message) {
    llvm::WithColor::error(llvm::errs(), "delta-compile") << message << "\n";
    return ParsedOptions{std::nullopt, 2};
  };
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(printVersion);
  std::string parseErrors;
  llvm::raw_string_ostream os(parseErrors);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles gated delta rules to kernel libraries\n",
          &os)) {
    llvm::errs() << parseErrors;
    return {std::nullopt, 2};
  }

  Options options;
  Usage usage;
  options.input = inputOption;
  options.output = outputOption;
  options.header = headerOption;
  options.remarks = remarksOption;
  options.dumpStages = dumpOption;
  options.schedule = scheduleOption;
  std::string triple =
      targetOption.empty() ? llvm::sys::getProcessTriple() : targetOption;
  std::optional<Arch> arch = parseArch(triple);
  usage.expect(arch.has_value(), "expected --target=x86_64-linux-gnu or "
                                 "aarch64-linux-gnu, got '" +
                                     triple + "'");
  options.arch = arch.value_or(Arch::X86_64);
  chooseOutput(options, usage);
  chooseLevels(options, usage);
  if (!fromOption.empty())
    options.first = usage.stage("from", fromOption);
  usage.expect(options.first <= options.last,
               "expected --from to be a stage not after --emit, got '" +
                   fromOption + "'");
  usage.expect(options.header.empty() || options.artifact ||
                   options.last == Stage::Llvm,
               "expected an output of stage llvm or later with --header");
  usage.expect(options.isText() || options.output != "-" ||
                   !llvm::sys::Process::StandardOutIsDisplayed(),
               "expected -o FILE: binary output is not written to a terminal");
  usage.expect(options.artifact != Artifact::SharedLibrary ||
                   options.output != "-",
               "expected -o FILE for a shared library");
  usage.expect(!options.isText() || options.isa.size() == 1 ||
                   (options.isa.empty() && isaOption.empty()),
               "expected one level for text output, e.g. --isa=avx2, got '" +
                   isaOption + "'");
  if (!usage.fault.empty())
    return fail(usage.fault);
  return {std::move(options), 0};
}
