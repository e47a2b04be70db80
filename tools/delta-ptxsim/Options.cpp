//===- Options.cpp - The command line of delta-ptxsim ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RepeatedOptions.h"
#include "SameFile.h"
#include "Version.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

using namespace delta_ptxsim;
using namespace mlir::deltanet;
namespace cl = llvm::cl;

namespace {
/// The options live in an object, not in globals: LLVM's dynamic library brings
/// options of its own, some with the same names, which must be gone before.
struct CommandLine {
  cl::OptionCategory category{"delta-ptxsim options"};
  /// Of those that may be given more than once.
  cl::OptionCategory repeatable{"delta-ptxsim arguments"};

  cl::opt<std::string> file{cl::Positional, cl::Required, cl::desc("FILE.ptx"),
                            cl::cat(category)};
  cl::opt<bool> list{"list", cl::desc("List the kernels of the file"),
                     cl::cat(category)};
  cl::opt<std::string> kernel{"kernel",
                              cl::desc("Kernel to run (default: the only one)"),
                              cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> grid{"grid", cl::desc("Blocks of the launch"),
                            cl::value_desc("X[,Y[,Z]]"), cl::cat(category)};
  cl::opt<std::string> block{"block", cl::desc("Threads of a block"),
                             cl::value_desc("X[,Y[,Z]]"), cl::cat(category)};
  cl::opt<uint64_t> shared{"shared", cl::desc("Dynamic shared memory"),
                           cl::value_desc("bytes"), cl::init(0),
                           cl::cat(category)};
  cl::opt<uint64_t> seed{
      "seed",
      cl::desc("Order in which warps take turns (default 0: each "
               "runs until it waits)"),
      cl::init(0), cl::cat(category)};
  cl::opt<bool> noChecks{
      "no-checks",
      cl::desc("Do not look for data races, uninitialised reads and copies "
               "that nobody waited for"),
      cl::cat(category)};
  cl::opt<uint64_t> instructionLimit{
      "instruction-limit",
      cl::desc("The most instructions of a launch (default: 2^32)"),
      cl::init(ptx::LaunchOptions().instructionLimit), cl::cat(category)};
  cl::opt<std::string> report{
      "report", cl::ValueOptional,
      cl::desc("Print what was executed and how accesses met the memory, or "
               "write it to a file"),
      cl::value_desc("file.json"), cl::cat(category)};

  cl::list<std::string> arguments{
      "arg",
      cl::desc("A parameter, in order: TYPE:VALUE or "
               "NAME=in|out|inout:TYPE:SHAPE[:FILL] with a fill zero, one, "
               "iota, random[:SEED] or FILE.npy"),
      cl::value_desc("spec"), cl::cat(repeatable)};
  cl::list<std::string> prints{
      "print", cl::desc("Print the first elements of a buffer (default 16)"),
      cl::value_desc("name[:count]"), cl::cat(repeatable)};
  cl::list<std::string> saves{"save", cl::desc("Write a buffer to a file"),
                              cl::value_desc("name=file.npy"),
                              cl::cat(repeatable)};

  void checkCombinations();
  void checkFiles(const Options &options);
  std::array<uint32_t, 3> sizes(const cl::opt<std::string> &option);
};
} // namespace

[[noreturn]] static void usageError(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "delta-ptxsim") << message << "\n";
  exit(2);
}

/// Refuses what no command line can mean.
void CommandLine::checkCombinations() {
  if (std::string fault = findRepeated(category); !fault.empty())
    usageError(fault);
  if (file.empty())
    usageError("expected a file, got ''");
  if (kernel.getNumOccurrences() && kernel.empty())
    usageError("--kernel: expected name, got ''");
  cl::Option *ofRuns[] = {&kernel,
                          &grid,
                          &block,
                          &shared,
                          &seed,
                          &report,
                          &noChecks,
                          &instructionLimit,
                          std::addressof(arguments),
                          std::addressof(prints),
                          std::addressof(saves)};
  for (cl::Option *option : ofRuns)
    if (list && option->getNumOccurrences())
      usageError("--" + option->ArgStr +
                 ": expected a kernel to run, got --list");
  if (!list && (grid.empty() || block.empty()))
    usageError("expected --list, or --grid=" + grid.ValueStr +
               " and --block=" + block.ValueStr);
}

void CommandLine::checkFiles(const Options &options) {
  llvm::SmallVector<NamedFile> files = {{"the PTX", file, true}};
  for (const Argument &argument : options.arguments)
    if (argument.buffer && argument.buffer->fill == Fill::File)
      files.push_back({"--arg", argument.buffer->file, true});
  if (!report.empty())
    files.push_back({"--report", report});
  for (const Save &save : options.saves)
    files.push_back({"--save", save.path});
  if (std::string fault = findOverwritten(files); !fault.empty())
    usageError(fault);
}

std::array<uint32_t, 3> CommandLine::sizes(const cl::opt<std::string> &option) {
  llvm::Expected<std::array<uint32_t, 3>> sizes = parseSizes(option);
  if (!sizes)
    usageError("--" + option.ArgStr + ": " + llvm::toString(sizes.takeError()));
  return *sizes;
}

static std::vector<Argument>
parseArguments(const cl::list<std::string> &specs) {
  std::vector<Argument> arguments;
  llvm::StringSet<> names;
  for (const std::string &spec : specs) {
    llvm::Expected<Argument> argument = parseArgument(spec, arguments.size());
    if (!argument)
      usageError("--arg=" + spec + ": " + llvm::toString(argument.takeError()));
    if (argument->buffer && !names.insert(argument->buffer->name).second)
      usageError("--arg: expected one buffer '" + argument->buffer->name +
                 "', got two");
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

static size_t findBuffer(llvm::ArrayRef<Argument> arguments,
                         llvm::StringRef option, llvm::StringRef name) {
  for (auto [number, argument] : llvm::enumerate(arguments))
    if (argument.buffer && argument.buffer->name == name)
      return number;
  usageError("--" + option + ": expected a buffer among the arguments, got '" +
             name + "'");
}

static Print parsePrint(llvm::StringRef text,
                        llvm::ArrayRef<Argument> arguments) {
  auto [name, countText] = text.split(':');
  uint64_t count = 16;
  if (name.size() < text.size() && countText.getAsInteger(10, count))
    usageError("--print: expected a number of elements, got '" + countText +
               "'");
  return {findBuffer(arguments, "print", name), count};
}

static Save parseSave(llvm::StringRef text,
                      llvm::ArrayRef<Argument> arguments) {
  auto [name, path] = text.split('=');
  if (!path.ends_with(".npy"))
    usageError("--save: expected NAME=FILE.npy, got '" + text + "'");
  return {findBuffer(arguments, "save", name), path.str()};
}

Options delta_ptxsim::parseCommandLine(int argc, char **argv) {
  cl::ResetCommandLineParser();
  setVersion("delta-ptxsim");
  CommandLine line;
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Runs a kernel of a PTX file on this machine and checks every "
          "access.\n",
          &errorStream)) {
    llvm::errs() << errors;
    exit(2);
  }
  line.checkCombinations();

  Options options;
  options.file = line.file;
  options.list = line.list;
  if (options.list)
    return options;
  options.kernel = line.kernel;
  options.shape = {line.sizes(line.grid), line.sizes(line.block), line.shared};
  options.launch.seed = line.seed;
  options.launch.checks = !line.noChecks;
  options.launch.instructionLimit = line.instructionLimit;
  options.report = line.report.getNumOccurrences();
  options.reportFile = line.report;
  options.arguments = parseArguments(line.arguments);
  for (const std::string &text : line.prints)
    options.prints.push_back(parsePrint(text, options.arguments));
  for (const std::string &text : line.saves)
    options.saves.push_back(parseSave(text, options.arguments));
  line.checkFiles(options);
  return options;
}
