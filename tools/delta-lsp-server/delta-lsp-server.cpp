//===- delta-lsp-server.cpp - Language server for editors -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Version.h"
#include "deltanet/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::deltanet::setVersion("delta-lsp-server");
  mlir::DialectRegistry registry;
  mlir::deltanet::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
