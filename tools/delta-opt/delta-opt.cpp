//===- delta-opt.cpp - Run passes and pipelines on IR files ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FatalErrors.h"
#include "deltanet/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

/// Remarks in a file, and those kept for the end, are gathered without a lock:
/// then passes run in one thread.
static void guardRemarks() {
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.getRemarkFormat() == mlir::RemarkFormat::REMARK_FORMAT_STDOUT &&
      config.getRemarkPolicy() == mlir::RemarkPolicy::REMARK_POLICY_ALL)
    return;
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-disable-threading");
  option->addOccurrence(/*pos=*/0, option->ArgStr, "true");
}

int main(int argc, char **argv) {
  mlir::deltanet::reportFatalErrors("delta-opt");
  mlir::DialectRegistry registry;
  mlir::deltanet::registerDialects(registry);
  mlir::deltanet::registerPassesAndPipelines();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Delta-Net optimizer driver\n", registry);
  guardRemarks();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
