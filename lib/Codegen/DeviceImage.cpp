//===- DeviceImage.cpp - The code of kernels for one kind of GPU ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/DeviceImage.h"
#include "deltanet/Codegen/AssemblePtx.h"
#include "deltanet/Codegen/EmitPtx.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace mlir;
using namespace mlir::deltanet;

FailureOr<ModuleOp> mlir::deltanet::findDeviceModule(ModuleOp module,
                                                     StringRef kernel) {
  std::string name = (kernel + ".device").str();
  if (auto device = module.lookupSymbol<ModuleOp>(name))
    return device;
  return module.emitError("expected the module '@")
         << name << "' of a kernel for a GPU, got none";
}

FailureOr<SmallVector<char>>
mlir::deltanet::makeDevicePtx(ArrayRef<ModuleOp> devices,
                              GpuTargetAttr target) {
  llvm::LLVMContext context;
  llvm::Module all("deltanet", context);
  llvm::Linker linker(all);
  for (ModuleOp device : devices) {
    std::unique_ptr<llvm::Module> translated =
        translateModuleToLLVMIR(device, context, "deltanet");
    if (!translated)
      return device.emitError("expected a module of the LLVM dialect");
    if (linker.linkInModule(std::move(translated)))
      return device.emitError("expected a module that links with those of the "
                              "other kernels");
  }
  ModuleOp first = devices.front();
  SmallVector<char> ptx;
  if (failed(emitPtx(all, stringifyChip(target.getChip()), ptx,
                     [&] { return first.emitError(); })))
    return failure();
  return ptx;
}

FailureOr<DeviceImage>
mlir::deltanet::makeDeviceImage(ArrayRef<ModuleOp> devices,
                                GpuTargetAttr target,
                                const DeviceOptions &options) {
  StringRef chip = stringifyChip(target.getChip());
  ModuleOp first = devices.front();
  Location loc = first.getLoc();
  FailureOr<SmallVector<char>> ptx = makeDevicePtx(devices, target);
  if (failed(ptx))
    return failure();
  DeviceImage image{std::move(*ptx), {}};

  // A toolkit that somebody named must be there.
  std::string ptxas = options.cuda.find("ptxas"), said;
  auto report = [&] { return emitError(loc); };
  if (ptxas.empty() && options.cuda.isNamed() &&
      failed(options.cuda.require("ptxas", report)))
    return failure();
  if (ptxas.empty()) {
    said = "the driver compiles the PTX, ";
    said += options.cuda.none
                ? "no toolkit is to be used"
                : "there is no ptxas in " + options.cuda.describePlaces();
    if (options.verbose)
      emitRemark(loc) << "for " << chip << ": " << said;
  } else {
    said = "machine code by " + ptxas;
    SmallVector<KernelResources> resources;
    if (failed(assemblePtx({image.ptx.data(), image.ptx.size()}, chip, ptxas,
                           image.cubin, resources, report)))
      return failure();
    if (options.verbose)
      for (ModuleOp device : devices)
        reportResources(device, chip, resources);
  }
  remark::passed(loc, remark::RemarkOpts::name("image")
                          .category("deltanet-codegen")
                          .function(first.getSymName().value_or("")))
      << remark::add("for {0}: {1}", chip, said);
  return image;
}
