//===- KernelList.cpp - What the kernels of a file ask for ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelList.h"
#include "deltanet/Verification/Report.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::deltanet;
using llvm::Twine;

static std::string sizesText(const std::array<uint32_t, 3> &sizes) {
  return (Twine(sizes[0]) + "x" + Twine(sizes[1]) + "x" + Twine(sizes[2]))
      .str();
}

static std::string threadsText(const ptx::KernelInfo &kernel) {
  if (kernel.requiredThreads[0])
    return sizesText(kernel.requiredThreads);
  if (kernel.maxThreads[0])
    return "at most " + sizesText(kernel.maxThreads);
  return "any";
}

void delta_ptxsim::printKernels(const ptx::Program &program,
                                llvm::StringRef file, llvm::raw_ostream &out) {
  out << file << ": PTX " << program.version() / 10 << "."
      << program.version() % 10 << " for " << program.target() << "\n";
  for (const ptx::KernelInfo &kernel : program.kernels()) {
    out << "\n" << kernel.name << "\n";
    std::vector<std::vector<std::string>> rows;
    for (const ptx::Parameter &parameter : kernel.parameters)
      rows.push_back(
          {"  parameter",
           parameter.name + ": " + std::to_string(parameter.bytes) + " bytes"});
    rows.push_back({"  shared memory",
                    std::to_string(kernel.staticSharedBytes) + " bytes" +
                        (kernel.takesDynamicShared ? ", and dynamic" : "")});
    rows.push_back({"  threads", threadsText(kernel)});
    verification::printTable(rows, out);
  }
}
