//===- EmitKernelAbi.cpp - Kernels of a GPU behind the C ABI --------------===//
//
// Part of the Delta-Net project.
//
// For each kernel that is split into work items: the two functions of its
// descriptor that a CPU runs, the descriptor, how the stages are launched, and
// a module of what the GPU runs. The images of that module are not known here:
// lib/Codegen defines the dn_cuda_code that is declared.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"
#include "deltanet-c/kernel_abi.h"
#include "deltanet/ABI/HostFunctions.h"
#include "deltanet/ABI/KernelDescriptor.h"
#include "deltanet/ABI/StructFields.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EMITGPUKERNELABI
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::abi;

namespace {

/// The dn_cuda_stage of each stage.
void createStages(OpBuilder &builder, Location loc, const Twine &symbol,
                  ArrayRef<DeviceStage> stages) {
  struct Names {
    LLVM::GlobalOp entry, unaligned;
  };
  SmallVector<Names> names;
  for (auto [number, stage] : llvm::enumerate(stages)) {
    std::string text = (symbol + "." + Twine(number)).str();
    Names &name = names.emplace_back();
    name.entry = createText(builder, loc, text, stage.function.entry);
    if (stage.unaligned)
      name.unaligned =
          createText(builder, loc, text + ".unaligned", stage.unaligned->entry);
  }
  // The type is known once the fields are.
  auto global =
      LLVM::GlobalOp::create(builder, loc, builder.getI8Type(),
                             /*isConstant=*/true, LLVM::Linkage::Internal,
                             symbol.str(), Attribute(), alignof(dn_cuda_stage));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  SmallVector<Value> rows;
  for (auto [name, stage] : llvm::zip(names, stages)) {
    StructFields fields(builder, loc);
    fields.address(offsetof(dn_cuda_stage, entry), name.entry);
    fields.integer(offsetof(dn_cuda_stage, threads), stage.threads, 4);
    fields.integer(offsetof(dn_cuda_stage, shared_bytes), stage.sharedBytes, 4);
    fields.address(offsetof(dn_cuda_stage, unaligned_entry), name.unaligned);
    rows.push_back(fields.build(sizeof(dn_cuda_stage)));
  }
  Type type = LLVM::LLVMArrayType::get(rows.front().getType(), rows.size());
  Value table = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, row] : llvm::enumerate(rows))
    table = LLVM::InsertValueOp::create(builder, loc, table, row,
                                        ArrayRef<int64_t>{int64_t(i)});
  LLVM::ReturnOp::create(builder, loc, table);
  global.setGlobalType(type);
}

void emit(SplitKernel &kernel, GpuTargetAttr target,
          ArrayRef<DeviceStage> stages, const LLVMTypeConverter &converter) {
  HostFunctions host(kernel, std::nullopt, converter);
  OpBuilder &builder = host.builder;
  Location loc = host.loc;
  KernelDescription description;
  description.name = kernel.signature.getName();
  description.facts = kernel.facts;
  description.level = getLevel(target);
  description.roles = kernel.roles;
  description.stages = stages.size();
  description.workspaceBytes = host.buildWorkspaceBytes();
  description.items = host.buildItems();

  builder.setInsertionPoint(kernel.signature);
  std::string symbol = getDescriptorName(description.name, description.level);
  createStages(builder, loc, symbol + ".stages", stages);
  auto bytes =
      LLVM::LLVMArrayType::get(builder.getI8Type(), sizeof(dn_cuda_code));
  description.cuda = LLVM::GlobalOp::create(
      builder, loc, bytes, /*isConstant=*/true, LLVM::Linkage::External,
      symbol + ".cuda", Attribute(), alignof(dn_cuda_code));
  createDescriptor(builder, loc, description);
  createDeviceModule(builder, kernel, stages, converter);

  host.finish(kernel.workspace);
  for (func::FuncOp count : kernel.items)
    host.finish(count);
}

struct EmitGpuKernelAbi
    : deltanet::impl::EmitGpuKernelAbiBase<EmitGpuKernelAbi> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<SmallVector<SplitKernel>> kernels =
        findSplitKernels(module, getDeviceMemory(&getContext()));
    if (failed(kernels))
      return signalPassFailure();
    if (kernels->empty())
      return;
    FailureOr<GpuTargetAttr> target = getGpuTarget(module);
    if (failed(target))
      return signalPassFailure();
    SymbolTable symbols(module);
    SmallVector<SmallVector<DeviceStage>> stages;
    for (SplitKernel &kernel : *kernels) {
      FailureOr<SmallVector<DeviceStage>> some =
          analyseDeviceStages(kernel, *target, symbols);
      if (failed(some))
        return signalPassFailure();
      stages.push_back(std::move(*some));
    }

    LLVMTypeConverter converter(&getContext());
    // Copies of the stages are in the modules for the device.
    llvm::SetVector<Operation *> done;
    for (auto [kernel, launches] : llvm::zip(*kernels, stages)) {
      emit(kernel, *target, launches, converter);
      done.insert(kernel.signature);
      for (const DeviceStage &stage : launches) {
        done.insert(stage.function.body);
        if (stage.unaligned)
          done.insert(stage.unaligned->body);
      }
    }
    for (Operation *op : done)
      op->erase();
  }
};

} // namespace
