//===- SplitKernel.cpp - A kernel that is split into work items -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/ABI/SplitKernel.h"
#include "deltanet/ABI/CallArguments.h"
#include "deltanet/Transforms/KernelName.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::abi;

MemRefType SplitKernel::scratchType(func::FuncOp stage) const {
  unsigned workspace = func::FuncOp(signature).getNumArguments();
  return cast<MemRefType>(stage.getArgumentTypes()[workspace + 1]);
}

namespace {

/// Whether a function of a kernel has a body and begins with the arguments
/// `shared`, then has those that `isRest` accepts and the results `results`.
LogicalResult checkPart(func::FuncOp signature, func::FuncOp part,
                        ArrayRef<Type> shared, const Twine &expected,
                        function_ref<bool(TypeRange)> isRest,
                        TypeRange results) {
  ArrayRef<Type> arguments = part.getArgumentTypes();
  if (!part.isExternal() && !part->hasAttr(DeltaNetDialect::kKernelAttr) &&
      arguments.take_front(shared.size()) == shared &&
      isRest(arguments.drop_front(shared.size())) &&
      TypeRange(part.getResultTypes()) == results)
    return success();
  InFlightDiagnostic error = signature.emitError("expected '@")
                             << part.getName() << "' to be a function of the "
                             << "arguments of the kernel" << expected
                             << ", got ";
  if (part->hasAttr(DeltaNetDialect::kKernelAttr))
    return error << "a kernel";
  if (part.isExternal())
    return error << "a declaration";
  return error << part.getFunctionType();
}

std::string inText(Attribute memorySpace) {
  std::string text;
  if (memorySpace)
    llvm::raw_string_ostream(text)
        << " in the memory space " << cast<IntegerAttr>(memorySpace).getInt();
  return text;
}

LogicalResult checkStages(SplitKernel &kernel, const StageMemory &memory) {
  Builder builder(kernel.signature.getContext());
  Type index = builder.getIndexType(), byte = builder.getI8Type();
  SmallVector<Type> shared = llvm::map_to_vector(
      kernel.signature.getArgumentTypes(), [&](Type type) -> Type {
        auto tensor = dyn_cast<MemRefType>(type);
        return tensor ? inMemorySpace(tensor, memory.tensors) : type;
      });
  auto workspace = inMemorySpace(MemRefType::get(ShapedType::kDynamic, byte),
                                 memory.tensors);
  auto isRange = [&](TypeRange rest) {
    auto scratch =
        rest.size() == 4 ? dyn_cast<MemRefType>(rest[1]) : MemRefType();
    return scratch && rest[0] == workspace && rest[2] == index &&
           rest[3] == index && scratch.hasStaticShape() &&
           scratch == inMemorySpace(MemRefType::get(scratch.getShape(), byte),
                                    memory.scratch) &&
           scratch.getRank() == 1;
  };
  for (func::FuncOp stage : kernel.stages)
    if (failed(checkPart(
            kernel.signature, stage, shared,
            inText(memory.tensors) + ", memref<?xi8>, a static memref of i8" +
                inText(memory.scratch) + ", index and index without results",
            isRange, {})))
      return failure();
  return success();
}

/// Whether the functions of a split kernel are what the ABI's functions call.
LogicalResult checkParts(SplitKernel &kernel, const StageMemory &memory) {
  Type index = IndexType::get(kernel.signature.getContext());
  auto isNothing = [](TypeRange rest) { return rest.empty(); };
  for (func::FuncOp count : llvm::concat<func::FuncOp>(
           kernel.items, MutableArrayRef(kernel.workspace)))
    if (failed(checkPart(kernel.signature, count,
                         kernel.signature.getArgumentTypes(), " to index",
                         isNothing, index)))
      return failure();
  return checkStages(kernel, memory);
}

FailureOr<SplitKernel> analyse(func::FuncOp signature, SymbolTable &symbols,
                               const StageMemory &memory) {
  SplitKernel kernel;
  kernel.signature = signature;
  kernel.facts =
      signature->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr);
  if (failed(verifyKernelName(signature, signature.getName())))
    return failure();
  FailureOr<SmallVector<Role>> roles = getRoles(signature);
  if (failed(roles))
    return failure();
  kernel.roles = std::move(*roles);

  auto find = [&](Attribute name) -> func::FuncOp {
    auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(name);
    return symbol ? symbols.lookup<func::FuncOp>(symbol.getAttr())
                  : func::FuncOp();
  };
  auto findAll = [&](StringRef name, SmallVector<func::FuncOp> &functions) {
    auto names = signature->getAttrOfType<ArrayAttr>(name);
    if (!names || names.empty())
      return false;
    functions = llvm::map_to_vector(names, find);
    return llvm::all_of(functions, [](func::FuncOp f) { return !!f; });
  };
  kernel.workspace = find(signature->getAttr(DeltaNetDialect::kWorkspaceAttr));
  if (!findAll(DeltaNetDialect::kStagesAttr, kernel.stages) ||
      !findAll(DeltaNetDialect::kItemsAttr, kernel.items) ||
      kernel.stages.size() != kernel.items.size() || !kernel.workspace)
    return signature.emitError("expected a kernel that is split into work "
                               "items, got one without its functions");
  if (failed(checkParts(kernel, memory)))
    return failure();
  return kernel;
}

} // namespace

FailureOr<SmallVector<SplitKernel>>
abi::findSplitKernels(ModuleOp module, const StageMemory &memory) {
  SymbolTable symbols(module);
  SmallVector<SplitKernel> kernels;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(DeltaNetDialect::kKernelAttr))
      continue;
    FailureOr<SplitKernel> kernel = analyse(function, symbols, memory);
    if (failed(kernel))
      return failure();
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}
