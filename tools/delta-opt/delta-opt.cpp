//===- delta-opt.cpp - Run passes and pipelines on IR files ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Pipelines/CPUPipeline.h"
#include "deltanet/Pipelines/ScalarPipeline.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::deltanet::DeltaNetDialect>();
  mlir::registerAllPasses();
  mlir::deltanet::registerDeltaNetPasses();
  mlir::deltanet::registerCPUPipelines();
  mlir::deltanet::registerScalarPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Delta-Net optimizer driver\n", registry));
}
