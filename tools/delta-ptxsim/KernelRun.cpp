//===- KernelRun.cpp - One launch from arguments to report ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "Buffers.h"
#include "WriteFile.h"
#include "deltanet/Verification/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace delta_ptxsim;
using namespace mlir::deltanet;

static llvm::Expected<std::string> chooseKernel(const ptx::Program &program,
                                                const Options &options) {
  std::vector<std::string> names;
  for (const ptx::KernelInfo &kernel : program.kernels())
    names.push_back("'" + kernel.name + "'");
  std::string all = names.empty() ? "none" : llvm::join(names, ", ");
  if (!options.kernel.empty() && !program.find(options.kernel))
    return llvm::createStringError(options.file + ": expected a kernel '" +
                                   options.kernel + "', got " + all);
  if (!options.kernel.empty())
    return options.kernel;
  if (names.size() != 1)
    return llvm::createStringError(
        options.file + ": expected one kernel or --kernel=NAME, got " + all);
  return program.kernels()[0].name;
}

/// That each argument has the size of its parameter, before buffers are filled.
static llvm::Error checkArguments(const ptx::KernelInfo &kernel,
                                  llvm::ArrayRef<Argument> arguments) {
  if (arguments.size() != kernel.parameters.size())
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': expected {1} arguments, got {2}",
                      kernel.name, kernel.parameters.size(), arguments.size())
            .str());
  for (auto [argument, parameter] : llvm::zip(arguments, kernel.parameters)) {
    uint64_t bytes = argument.buffer ? 8 : argument.scalar.size();
    if (bytes != parameter.bytes)
      return llvm::createStringError(
          llvm::formatv("kernel '{0}': expected {1} bytes for '{2}', got the "
                        "{3} of '{4}'",
                        kernel.name, parameter.bytes, parameter.name, bytes,
                        argument.text)
              .str());
  }
  return llvm::Error::success();
}

static llvm::StringRef nameOf(ptx::Space space) {
  constexpr llvm::StringLiteral kNames[] = {"generic", "global", "shared",
                                            "local",   "param",  "const"};
  return kNames[size_t(space)];
}

static void printReport(const ptx::InstructionReport &report,
                        llvm::raw_ostream &out) {
  std::vector<std::pair<uint64_t, std::string>> mix;
  for (const auto &[instruction, count] : report.mix)
    mix.push_back({count, instruction});
  llvm::sort(mix, std::greater<>());
  std::vector<std::vector<std::string>> rows = {{"count", "instruction"}};
  for (const auto &[count, instruction] : mix)
    rows.push_back({std::to_string(count), instruction});
  out << "\n";
  verification::printTable(rows, out);
  rows = {{"line", "space", "requests", "bytes", "parts", "ideal", "ratio",
           "access"}};
  for (const ptx::AccessCounts &access : report.accesses) {
    // Parameters cost nothing worth telling.
    if (access.space == ptx::Space::Param)
      continue;
    rows.push_back(
        {std::to_string(access.line), nameOf(access.space).str(),
         std::to_string(access.requests), std::to_string(access.bytes),
         std::to_string(access.parts), std::to_string(access.idealParts),
         access.idealParts
             ? llvm::formatv("{0:f2}", double(access.parts) / access.idealParts)
                   .str()
             : "-",
         access.instruction});
  }
  out << "\n";
  verification::printTable(rows, out);
}

/// What was asked for beside the findings.
static llvm::Error tellMore(const Options &options, Buffers &buffers,
                            const ptx::InstructionReport &report) {
  for (const Print &print : options.prints)
    buffers.print(options.arguments[print.argument], print.count, llvm::outs());
  if (options.report && options.reportFile.empty())
    printReport(report, llvm::outs());
  else if (options.report)
    if (llvm::Error error = mlir::deltanet::writeFile(
            options.reportFile,
            llvm::formatv("{0:2}\n", report.toJson()).str()))
      return error;
  for (const Save &save : options.saves)
    if (llvm::Error error =
            buffers.save(options.arguments[save.argument], save.path))
      return error;
  return llvm::Error::success();
}

llvm::Expected<bool> delta_ptxsim::runKernel(const ptx::Program &program,
                                             const Options &options) {
  llvm::Expected<std::string> kernel = chooseKernel(program, options);
  if (!kernel)
    return kernel.takeError();
  if (llvm::Error error =
          checkArguments(*program.find(*kernel), options.arguments))
    return std::move(error);
  Buffers buffers;
  std::vector<std::vector<char>> bytes;
  for (const Argument &argument : options.arguments) {
    llvm::Expected<std::vector<char>> own = buffers.prepare(argument);
    if (!own)
      return own.takeError();
    bytes.push_back(std::move(*own));
  }
  std::vector<llvm::ArrayRef<char>> parameters(bytes.begin(), bytes.end());
  llvm::Expected<ptx::LaunchResult> result =
      ptx::launch(program, *kernel, options.shape, parameters, buffers.memory,
                  options.launch);
  if (!result)
    return result.takeError();
  for (const ptx::Finding &finding : result->findings)
    llvm::outs() << finding.text() << "\n";
  llvm::outs() << *kernel << ": " << result->report.instructions
               << " instructions, " << result->findings.size() << " findings"
               << (result->findings.size() < options.launch.findingLimit
                       ? "\n"
                       : ", with which the launch ended\n");
  if (llvm::Error error = tellMore(options, buffers, result->report))
    return std::move(error);
  return result->findings.empty();
}
