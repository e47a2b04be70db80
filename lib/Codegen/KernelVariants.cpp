//===- KernelVariants.cpp - What a module at the stage llvm holds ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/KernelLibrary.h"
#include "deltanet/Target/Target.h"
#include "deltanet/Transforms/KernelName.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Reads a descriptor, which may be written by hand.
static FailureOr<KernelVariant>
readDescriptor(LLVM::GlobalOp global, KernelAttr facts, abi::Level level) {
  KernelVariant variant;
  variant.level = level;
  variant.facts = facts;
  variant.kernel = global.getSymName().rsplit('.').first.str();
  if (failed(verifyKernelName(global, variant.kernel)))
    return failure();
  std::string name = abi::getDescriptorName(variant.kernel, level);
  if (global.getSymName() != name)
    return emitError(global.getLoc())
           << "expected the descriptor to be called '" << name
           << "', as deltanet.target says, got '" << global.getSymName() << "'";
  Attribute given = global->getAttr(DeltaNetDialect::kRolesAttr);
  auto roles = dyn_cast_if_present<ArrayAttr>(given);
  if (!roles || !llvm::all_of(roles, llvm::IsaPred<RoleAttr>)) {
    InFlightDiagnostic error = emitError(global.getLoc());
    error << "expected an array of roles in '" << DeltaNetDialect::kRolesAttr
          << "', got ";
    return given ? error << given : error << "none";
  }
  for (auto role : roles.getAsRange<RoleAttr>())
    variant.roles.push_back(role.getValue());
  return variant;
}

FailureOr<SmallVector<KernelVariant>>
mlir::deltanet::getKernelVariants(ModuleOp module) {
  SmallVector<KernelVariant> variants;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    auto facts =
        global->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr);
    if (!facts)
      continue;
    FailureOr<Attribute> target = getCpuOrGpuTarget(module);
    if (failed(target))
      return failure();
    FailureOr<KernelVariant> variant =
        readDescriptor(global, facts, abi::getLevel(*target));
    if (failed(variant))
      return failure();
    variants.push_back(std::move(*variant));
  }
  if (variants.empty())
    return emitError(module.getLoc())
           << "expected at least one kernel of the stage 'llvm', got none";
  return variants;
}
