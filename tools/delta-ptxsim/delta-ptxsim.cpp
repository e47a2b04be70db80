//===- delta-ptxsim.cpp - Runs PTX on this machine and checks it ----------===//
//
// Part of the Delta-Net project.
//
// Exit status: 0 without findings, 1 for findings or an error of the inputs, 2
// for wrong usage.
//
//===----------------------------------------------------------------------===//

#include "FatalErrors.h"
#include "KernelList.h"
#include "KernelRun.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace delta_ptxsim;
namespace ptx = mlir::deltanet::ptx;

static llvm::Expected<bool> run(const Options &options) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(options.file);
  if (!file)
    return llvm::createFileError(options.file, file.getError());
  llvm::Expected<ptx::Program> program =
      ptx::Program::parse((*file)->getBuffer(), options.file);
  if (!program)
    return program.takeError();
  if (!options.list)
    return runKernel(*program, options);
  printKernels(*program, options.file, llvm::outs());
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::deltanet::reportFatalErrors("delta-ptxsim");
  llvm::Expected<bool> passed = run(parseCommandLine(argc, argv));
  if (passed)
    return *passed ? 0 : 1;
  llvm::WithColor::error(llvm::errs(), "delta-ptxsim")
      << llvm::toString(passed.takeError()) << "\n";
  return 1;
}
