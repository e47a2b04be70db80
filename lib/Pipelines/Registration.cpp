//===- Registration.cpp - What every tool knows ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Pipelines/Registration.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Pipelines/CPUPipeline.h"
#include "deltanet/Pipelines/GPUPipeline.h"
#include "deltanet/Pipelines/ScalarPipeline.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

using namespace mlir;

void deltanet::registerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<DeltaNetDialect, fragment::FragmentDialect>();
}

void deltanet::registerPassesAndPipelines() {
  registerAllPasses();
  registerDeltaNetPasses();
  registerCPUPipelines();
  registerGPUPipelines();
  registerScalarPipelines();
}
