//===- Options.cpp - The command line of delta-gpu-bench ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
namespace cl = llvm::cl;

namespace {
struct CommandLine {
  cl::OptionCategory category{"delta-gpu-bench options"};
  cl::list<std::string> libraries{cl::Positional, cl::OneOrMore,
                                  cl::desc("LIBRARY.so..."), cl::cat(category)};
  cl::opt<Action> action{
      cl::desc("What to do"), cl::Required,
      cl::values(
          clEnumValN(Action::Check, "check",
                     "Compare with the float64 recurrence and stored results"),
          clEnumValN(Action::Time, "time", "Measure times"),
          clEnumValN(Action::Record, "record",
                     "Store results of small problems in --stored")),
      cl::cat(category)};
  cl::opt<Cases> cases{
      "cases",
      cl::desc("What to check or measure"),
      cl::init(Cases::All),
      cl::ZeroOrMore,
      cl::values(clEnumValN(Cases::All, "all", "everything"),
                 clEnumValN(Cases::Smoke, "smoke",
                            "a few calls of the kernels with fewest heads")),
      cl::cat(category)};
  cl::opt<std::string> kernel{"kernel",
                              cl::desc("Only the kernel of this name"),
                              cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> driver{
      "driver", cl::desc("Library of the CUDA driver (default libcuda.so.1)"),
      cl::value_desc("path"), cl::cat(category)};
  cl::opt<unsigned> device{"device", cl::desc("Which GPU (default 0)"),
                           cl::init(0), cl::cat(category)};
  cl::opt<std::string> stored{"stored", cl::desc("Folder of stored results"),
                              cl::value_desc("path"), cl::cat(category)};
  cl::opt<std::string> json{"json", cl::desc("Write results as JSON, too"),
                            cl::value_desc("file.json"), cl::cat(category)};
  cl::opt<double> seconds{"seconds",
                          cl::desc("Time to measure a call (default 2)"),
                          cl::init(2), cl::cat(category)};
  cl::opt<double> launchSeconds{
      "launch-limit",
      cl::desc("Leave out calls that take more seconds (default 2)"),
      cl::init(2), cl::value_desc("seconds"), cl::cat(category)};
};
} // namespace

[[noreturn]] static void usageError(const llvm::Twine &text) {
  llvm::WithColor::error(llvm::errs(), "delta-gpu-bench") << text << "\n";
  exit(2);
}

Options gpubench::parseOptions(int argc, char **argv) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Checks and times the kernels for GPUs of kernel libraries.\n",
          &errorStream)) {
    llvm::errs() << errors;
    exit(2);
  }
  if (line.action == Action::Record && line.stored.empty())
    usageError("--record: expected --stored=PATH, got none");
  for (const cl::opt<double> *option : {&line.seconds, &line.launchSeconds})
    if (!(*option > 0))
      usageError("--" + option->ArgStr + ": expected a positive number");
  Options options;
  options.action = line.action;
  options.cases = line.cases;
  options.libraries.assign(line.libraries.begin(), line.libraries.end());
  options.kernel = line.kernel;
  options.driver = line.driver;
  options.device = int(line.device);
  options.stored = line.stored;
  options.json = line.json;
  options.seconds = line.seconds;
  options.launchSeconds = line.launchSeconds;
  return options;
}
