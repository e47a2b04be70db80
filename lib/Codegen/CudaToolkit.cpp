//===- CudaToolkit.cpp - Programs of a CUDA toolkit -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/CudaToolkit.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::deltanet;

static std::string programsOf(StringRef toolkit) {
  SmallString<128> folder(toolkit);
  llvm::sys::path::append(folder, "bin");
  return folder.str().str();
}

std::string CudaToolkit::find(StringRef program) const {
  auto in = [&](ArrayRef<StringRef> folders) {
    auto found = llvm::sys::findProgramByName(program, folders);
    return found ? *found : std::string();
  };
  if (none)
    return "";
  if (!folder.empty())
    return in({programsOf(folder)});
  std::string found = in({});
  return found.empty() && !home.empty() ? in({programsOf(home)}) : found;
}

std::string CudaToolkit::describePlaces() const {
  if (!folder.empty())
    return programsOf(folder);
  return home.empty() ? "PATH" : "PATH or " + programsOf(home);
}

FailureOr<std::string> CudaToolkit::require(StringRef program,
                                            EmitErrorFn emitError) const {
  std::string found = find(program);
  if (!found.empty())
    return found;
  InFlightDiagnostic error = emitError() << "expected " << program
                                         << " of the CUDA toolkit";
  if (none)
    return error << ", got leave to use none";
  return error << " in " << describePlaces() << ", got none";
}
