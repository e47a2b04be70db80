//===- DeviceArtifact.cpp - Files of GPU code alone -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/DeviceArtifact.h"
#include "ExternalProgram.h"
#include "deltanet/Codegen/KernelLibrary.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// What the kernels of a module need of one GPU.
struct DeviceCode {
  GpuTargetAttr target;
  SmallVector<ModuleOp> modules; ///< one a kernel
};

FailureOr<DeviceCode> findDeviceCode(ModuleOp module) {
  FailureOr<GpuTargetAttr> target = getGpuTarget(module);
  if (failed(target))
    return failure();
  FailureOr<SmallVector<KernelVariant>> variants = getKernelVariants(module);
  if (failed(variants))
    return failure();
  DeviceCode code{*target, {}};
  for (const KernelVariant &variant : *variants) {
    FailureOr<ModuleOp> device = findDeviceModule(module, variant.kernel);
    if (failed(device))
      return failure();
    code.modules.push_back(*device);
  }
  return code;
}

FailureOr<DeviceImage> makeModuleImage(ModuleOp module,
                                       const DeviceOptions &options) {
  FailureOr<DeviceCode> code = findDeviceCode(module);
  if (failed(code))
    return failure();
  return makeDeviceImage(code->modules, code->target, options);
}

/// The images of a fat binary as files, and how fatbinary is told of them.
class ImageFiles {
public:
  explicit ImageFiles(EmitErrorFn emitError) : emitError(emitError) {}

  LogicalResult add(StringRef kind, StringRef chip, ArrayRef<char> contents) {
    auto &file = files.emplace_back(std::make_unique<TemporaryFile>());
    if (failed(
            file->create(kind, {contents.data(), contents.size()}, emitError)))
      return failure();
    arguments.push_back(
        ("--image3=kind=" + kind + ",sm=" + chip + ",file=" + file->path())
            .str());
    return success();
  }

  SmallVector<std::string> arguments;

private:
  EmitErrorFn emitError;
  SmallVector<std::unique_ptr<TemporaryFile>> files;
};

} // namespace

LogicalResult mlir::deltanet::emitModulePtx(ModuleOp module,
                                            SmallVectorImpl<char> &out) {
  FailureOr<DeviceCode> code = findDeviceCode(module);
  if (failed(code))
    return failure();
  FailureOr<SmallVector<char>> ptx = makeDevicePtx(code->modules, code->target);
  if (failed(ptx))
    return failure();
  out.append(*ptx);
  return success();
}

LogicalResult mlir::deltanet::emitCubin(ModuleOp module,
                                        const DeviceOptions &options,
                                        SmallVectorImpl<char> &out) {
  auto report = [&] { return module.emitError(); };
  if (failed(options.cuda.require("ptxas", report)))
    return failure();
  FailureOr<DeviceImage> image = makeModuleImage(module, options);
  if (failed(image))
    return failure();
  out.append(image->cubin);
  return success();
}

LogicalResult mlir::deltanet::emitFatBinary(ArrayRef<ModuleOp> modules,
                                            const DeviceOptions &options,
                                            SmallVectorImpl<char> &out) {
  ModuleOp first = modules.front();
  auto report = [&] { return first.emitError(); };
  FailureOr<std::string> program = options.cuda.require("fatbinary", report);
  if (failed(program))
    return failure();
  ImageFiles files(report);
  for (ModuleOp module : modules) {
    FailureOr<DeviceImage> image = makeModuleImage(module, options);
    if (failed(image))
      return failure();
    StringRef chip = abi::getLevel(*getGpuTarget(module)).name;
    chip.consume_front("sm_");
    if ((!image->cubin.empty() &&
         failed(files.add("elf", chip, image->cubin))) ||
        failed(files.add("ptx", chip, image->ptx)))
      return failure();
  }
  TemporaryFile output;
  if (failed(output.create("fatbin", "", report)))
    return failure();
  std::string create = ("--create=" + output.path()).str(), printed;
  SmallVector<StringRef> arguments = {create, "-64"};
  llvm::append_range(arguments, files.arguments);
  if (failed(runProgram(*program, arguments, "to put images into a fat binary",
                        printed, report)))
    return failure();
  return output.read(out, report);
}
