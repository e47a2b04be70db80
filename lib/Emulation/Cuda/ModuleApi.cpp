//===- ModuleApi.cpp - cuModule*, simulated -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Capability.h"
#include "Driver.h"
#include "DriverApi.h"
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

/// The newest PTX that a driver of CUDA 13.0 reads.
static constexpr unsigned kLatestPtx = 90;

/// Where a caller wants to know what is wrong with its PTX.
namespace {
struct ErrorLog {
  char *buffer = nullptr;
  size_t bytes = 0;

  void write(llvm::StringRef text) const {
    if (!buffer || bytes == 0)
      return;
    text = text.take_front(bytes - 1);
    std::memcpy(buffer, text.data(), text.size());
    buffer[text.size()] = '\0';
  }
};
} // namespace

/// Cubins are ELF files; fatbins begin with a magic number, or lie behind one.
static bool isBinary(const char *image) {
  uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  return llvm::StringRef(image, 4) == "\x7f"
                                      "ELF" ||
         magic == 0xBA55ED50 || magic == 0x466243B1;
}

static CUresult parse(Driver &driver, const char *image,
                      std::unique_ptr<ptx::Program> &program) {
  unsigned capability = driver.options().capability;
  // Text may be shorter than the number.
  bool isShort = !image[0] || !image[1] || !image[2] || !image[3];
  if (!isShort && isBinary(image))
    return fail(CUDA_ERROR_NO_BINARY_FOR_GPU, "expected PTX, got machine code");
  llvm::Expected<ptx::Program> parsed = ptx::Program::parse(image, "ptx");
  if (!parsed)
    return fail(CUDA_ERROR_INVALID_PTX, llvm::toString(parsed.takeError()));
  if (parsed->version() > kLatestPtx)
    return fail(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                "expected PTX of a version up to 9.0, got " +
                    llvm::Twine(parsed->version() / 10) + "." +
                    llvm::Twine(parsed->version() % 10));
  if (!accepts(capability, parsed->target()))
    return fail(CUDA_ERROR_INVALID_PTX, "expected PTX that runs on " +
                                            chipName(capability) + ", got " +
                                            parsed->target());
  for (const ptx::KernelInfo &kernel : parsed->kernels())
    if (kernel.staticSharedBytes > kSharedWithoutAsking)
      return fail(CUDA_ERROR_INVALID_PTX,
                  "expected at most " + llvm::Twine(kSharedWithoutAsking) +
                      " bytes of static shared memory in '" + kernel.name +
                      "', got " + llvm::Twine(kernel.staticSharedBytes));
  program = std::make_unique<ptx::Program>(std::move(*parsed));
  return CUDA_SUCCESS;
}

static CUresult load(CUmodule *module, const void *image, const ErrorLog &log) {
  log.write("");
  return inContext([&](Driver &driver, Context &context) {
    if (!module || !image)
      return fail(CUDA_ERROR_INVALID_VALUE, "expected an image, got null");
    std::unique_ptr<ptx::Program> program;
    CUresult result = parse(driver, static_cast<const char *>(image), program);
    if (result == CUDA_SUCCESS)
      *module = context.modules.add(std::move(program));
    else
      log.write(dn_sim_reason());
    return result;
  });
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return load(module, image, ErrorLog());
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned optionCount, CUjit_option *options,
                            void **values) {
  ErrorLog log;
  for (unsigned i = 0; i < optionCount; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      log.buffer = static_cast<char *>(values[i]);
    else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      log.bytes = reinterpret_cast<uintptr_t>(values[i]);
    else
      return fail(CUDA_ERROR_NOT_SUPPORTED,
                  "expected options of the error log, got " +
                      llvm::Twine(int(options[i])));
  }
  return load(module, image, log);
}

CUresult cuModuleUnload(CUmodule module) {
  return inContext([&](Driver &, Context &context) {
    context.kernels.removeIf(
        [&](const Kernel &kernel) { return kernel.module == module; });
    if (context.modules.remove(module))
      return CUDA_SUCCESS;
    return fail(CUDA_ERROR_INVALID_HANDLE,
                "expected a module of the current context, got another");
  });
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  return inContext([&](Driver &, Context &context) {
    const ptx::Program *program = context.modules.find(module);
    if (!program)
      return fail(CUDA_ERROR_INVALID_HANDLE,
                  "expected a module of the current context, got another");
    const ptx::KernelInfo *info = program->find(name);
    if (!info)
      return fail(CUDA_ERROR_NOT_FOUND,
                  "expected a kernel of the module, got '" + llvm::Twine(name) +
                      "'");
    *function = context.kernels.add(std::make_unique<Kernel>(
        Kernel{module, program, info,
               kSharedWithoutAsking - info->staticSharedBytes}));
    return CUDA_SUCCESS;
  });
}
