//===- Stages.cpp - The staircase from a rule to an object ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Pipelines/Stages.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
                                        "memref",  "vector", "math",  "amx",
                                        "affine",  "ub",     "llvm"};
static constexpr StringRef kLlvm[] = {"builtin", "llvm"};

static constexpr StringRef kFragments[] = {
    "builtin", "func",   "arith",         "math",   "scf",
    "linalg",  "tensor", "bufferization", "affine", "fragment"};
static constexpr StringRef kGpuBuffers[] = {
    "builtin", "func",   "arith",  "math", "scf",
    "linalg",  "memref", "affine", "ub",   "fragment"};
static constexpr StringRef kGpuTarget[] = {
    "builtin", "func",   "arith",  "math", "scf",  "cf",
    "memref",  "vector", "affine", "ub",   "llvm", "nvvm"};
static constexpr StringRef kGpuLlvm[] = {"builtin", "llvm", "nvvm"};

static constexpr StageInfo kCpuStages[] = {
    {Stage::Rule, "rule",
     "kernel functions in canonical form, each one delta_rule for each "
     "schedule chosen for it",
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

static constexpr StageInfo kGpuStages[] = {
    kCpuStages[0],
    kCpuStages[1],
    kCpuStages[2],
    {Stage::Fragments, "fragments",
     "what a work item computes as fragments, in the registers of the threads "
     "of "
     "a block, still on tensors",
     kFragments},
    {Stage::Buffers, "buffers",
     "memory instead of tensors without a single copy, one scratch arena a "
     "block",
     kGpuBuffers},
    {Stage::Target, "target",
     "one function a stage for a thread of a block; shared and global memory",
     kGpuTarget},
    {Stage::Llvm, "llvm",
     "kernels in the dialects LLVM and NVVM, and the host's side: the "
     "descriptor of the C ABI",
     kGpuLlvm},
    {Stage::Ptx, "ptx", "assembly for a virtual GPU", {}},
    {Stage::Cubin, "cubin", "machine code of one GPU, by ptxas", {}},
};

Processor mlir::deltanet::getProcessor(ModuleOp module) {
  Attribute target = module->getAttr(DeltaNetDialect::kTargetAttr);
  return isa_and_present<GpuTargetAttr>(target) ? Processor::GPU
                                                : Processor::CPU;
}

ArrayRef<StageInfo> mlir::deltanet::getStages(Processor processor) {
  if (processor == Processor::GPU)
    return kGpuStages;
  return kCpuStages;
}

bool mlir::deltanet::hasStage(Stage stage, Processor processor) {
  return llvm::any_of(getStages(processor), [&](const StageInfo &info) {
    return info.stage == stage;
  });
}

const StageInfo &mlir::deltanet::getStageInfo(Stage stage,
                                              Processor processor) {
  const auto *info =
      llvm::find_if(getStages(processor), [&](const StageInfo &candidate) {
        return candidate.stage == stage;
      });
  assert(info != getStages(processor).end() && "a stage of the processor");
  return *info;
}

StringRef mlir::deltanet::getStageName(Stage stage) {
  bool isOfCpus = hasStage(stage, Processor::CPU);
  return getStageInfo(stage, isOfCpus ? Processor::CPU : Processor::GPU).name;
}

std::optional<Stage> mlir::deltanet::parseStage(StringRef name,
                                                Processor processor) {
  for (const StageInfo &info : getStages(processor))
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}

static bool isLegal(Operation *op, const StageInfo &info) {
  // While rules are on tensors, all that is said of memory is what to prefetch.
  if (isa<memref::PrefetchOp>(op))
    return info.stage > Stage::Rule && info.stage < Stage::Llvm;
  return llvm::is_contained(info.dialects, op->getName().getDialectNamespace());
}

static LogicalResult reportIllegal(Operation *op, const StageInfo &info) {
  return op->emitOpError("expected only operations of the stage '")
         << info.name << "', got one of the dialect '"
         << op->getName().getDialectNamespace() << "'";
}

LogicalResult mlir::deltanet::verifyStage(ModuleOp module, Stage stage) {
  const StageInfo &info = getStageInfo(stage, getProcessor(module));
  bool legal = true;
  // What lies inside an illegal operation goes with it.
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isLegal(op, info))
      return WalkResult::advance();
    legal = false;
    (void)reportIllegal(op, info);
    return WalkResult::skip();
  });
  return success(legal);
}

/// Kernels are functions, at `target` those that are split into work items, at
/// `llvm` descriptors.
static bool isKernelAt(Operation &op, Stage stage) {
  if (!op.hasAttr(DeltaNetDialect::kKernelAttr))
    return false;
  if (stage == Stage::Llvm)
    return isa<LLVM::GlobalOp>(op);
  bool isSplit = op.hasAttr(DeltaNetDialect::kStagesAttr);
  return isa<func::FuncOp>(op) && isSplit == (stage == Stage::Target);
}

LogicalResult mlir::deltanet::verifyInput(ModuleOp module, Stage stage) {
  const StageInfo &info = getStageInfo(stage, getProcessor(module));
  // One error tells that the stage is another; an error an operation would not
  // tell more.
  WalkResult walk =
      module.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (!isLegal(op, info))
          return reportIllegal(op, info);
        if (isa<DeltaRuleOp>(op) && stage != Stage::Rule)
          return op->emitOpError("expected to be lowered at the stage '")
                 << info.name << "', got a whole rule";
        return WalkResult::advance();
      });
  if (walk.wasInterrupted())
    return failure();
  if (llvm::any_of(*module.getBody(),
                   [&](Operation &op) { return isKernelAt(op, stage); }))
    return success();
  return module.emitError("expected at least one kernel of the stage '")
         << info.name << "', got none";
}
