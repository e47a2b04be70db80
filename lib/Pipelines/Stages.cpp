//===- Stages.cpp - The staircase from a rule to an object ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Pipelines/Stages.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace mlir;
using namespace mlir::deltanet;

static constexpr StringRef kRule[] = {"builtin", "func", "deltanet"};
static constexpr StringRef kTensors[] = {"builtin", "func",   "deltanet",
                                         "arith",   "math",   "scf",
                                         "linalg",  "tensor", "bufferization"};
static constexpr StringRef kTiles[] = {
    "builtin", "func",   "deltanet", "arith",         "math",
    "scf",     "linalg", "tensor",   "bufferization", "affine"};
static constexpr StringRef kVectors[] = {
    "builtin", "func",          "arith",  "math",   "scf",
    "tensor",  "bufferization", "vector", "affine", "ub"};
static constexpr StringRef kBuffers[] = {"builtin", "func",   "arith",
                                         "math",    "scf",    "memref",
                                         "vector",  "affine", "ub"};
static constexpr StringRef kTarget[] = {"builtin", "func",   "arith", "scf",
                                        "memref",  "vector", "math",  "affine",
                                        "ub",      "llvm"};
static constexpr StringRef kLlvm[] = {"builtin", "llvm"};

static constexpr StageInfo kStages[] = {
    {Stage::Rule, "rule",
     "kernel functions in canonical form, each one delta_rule with the "
     "schedules chosen for it",
     kRule},
    {Stage::Chunks, "chunks",
     "the algorithm made explicit: one scf.forall a phase over that phase's "
     "own "
     "work items, static tiles as tensors, linalg on them",
     kTensors},
    {Stage::Fused, "fused",
     "phases merged where they share their work items: one scf.forall a stage "
     "of the kernel",
     kTensors},
    {Stage::Layout, "layout",
     "operands of products packed and the carried state blocked, by copies "
     "that "
     "also scale, decay and convert",
     kTensors},
    {Stage::Tiles, "tiles",
     "products cut into register blocks with peeled remainders, everything "
     "else "
     "into rows",
     kTiles},
    {Stage::Vectors, "vectors",
     "every tile a vector, accumulators carried by the loops, still on tensors",
     kVectors},
    {Stage::Buffers, "buffers",
     "memory instead of tensors without a single copy, one scratch arena a "
     "work "
     "item",
     kBuffers},
    {Stage::Target, "target",
     "one function a stage over a range of work items, vectors and types that "
     "the machine has",
     kTarget},
    {Stage::Llvm, "llvm", "the LLVM dialect with the descriptor of the C ABI",
     kLlvm},
    {Stage::Asm, "asm", "assembly", {}},
    {Stage::Obj, "obj", "a relocatable object", {}},
};

ArrayRef<StageInfo> mlir::deltanet::getStages() { return kStages; }

const StageInfo &mlir::deltanet::getStageInfo(Stage stage) {
  const StageInfo &info = kStages[static_cast<size_t>(stage)];
  assert(info.stage == stage && "stages are listed in order");
  return info;
}

std::optional<Stage> mlir::deltanet::parseStage(StringRef name) {
  for (const StageInfo &info : kStages)
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}

LogicalResult mlir::deltanet::verifyStage(ModuleOp module, Stage stage) {
  const StageInfo &info = getStageInfo(stage);
  bool legal = true;
  // What lies inside an illegal operation goes with it.
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (llvm::is_contained(info.dialects, dialect))
      return WalkResult::advance();
    legal = false;
    op->emitOpError("expected only operations of the stage '")
        << info.name << "', got one of the dialect '" << dialect << "'";
    return WalkResult::skip();
  });
  return success(legal);
}
