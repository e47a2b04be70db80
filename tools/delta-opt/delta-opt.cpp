//===- delta-opt.cpp - Run passes and pipelines on IR files ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FatalErrors.h"
#include "Version.h"
#include "deltanet/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

/// Remarks in a file, and those kept for the end, are gathered without a lock:
/// then passes run in one thread.
static void runInOneThread() {
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-disable-threading");
  option->addOccurrence(/*pos=*/0, option->ArgStr, "true");
}

/// MlirOptMain ends without a word where it cannot write remarks.
static bool canWrite(llvm::StringRef path) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::OF_Append);
  if (error)
    llvm::WithColor::error(llvm::errs(), "delta-opt")
        << "cannot open output file '" << path << "': " << error.message()
        << "\n";
  return !error;
}

int main(int argc, char **argv) {
  mlir::deltanet::reportFatalErrors("delta-opt");
  mlir::deltanet::setVersion("delta-opt");
  mlir::DialectRegistry registry;
  mlir::deltanet::registerDialects(registry);
  mlir::deltanet::registerPassesAndPipelines();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Delta-Net optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  bool toFile =
      config.getRemarkFormat() != mlir::RemarkFormat::REMARK_FORMAT_STDOUT;
  if (toFile ||
      config.getRemarkPolicy() != mlir::RemarkPolicy::REMARK_POLICY_ALL)
    runInOneThread();
  std::string remarks = config.getRemarksOutputFile();
  if (toFile && !remarks.empty() && !canWrite(remarks))
    return EXIT_FAILURE;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
