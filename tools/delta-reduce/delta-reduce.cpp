//===- delta-reduce.cpp - Make a failing IR file small --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Version.h"
#include "deltanet/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::deltanet::setVersion("delta-reduce");
  mlir::DialectRegistry registry;
  mlir::deltanet::registerDialects(registry);
  mlir::deltanet::registerPassesAndPipelines();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
