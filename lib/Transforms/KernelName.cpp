//===- KernelName.cpp - Which function names a kernel can have ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/KernelName.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// What the runtime and its headers declare as dn_…, collected from them when
/// the build is configured.
static constexpr StringLiteral kTakenNames[] = {
#include "TakenNames.inc"
};

static bool isIdentifier(StringRef name) {
  auto isWord = [](char c) { return c == '_' || llvm::isAlnum(c); };
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, isWord);
}

LogicalResult mlir::deltanet::verifyKernelName(Operation *kernel,
                                               StringRef name) {
  if (!isIdentifier(name))
    return kernel->emitError("expected the name of a kernel to be a C "
                             "identifier, got '")
           << name << "'";
  if (llvm::is_contained(kTakenNames, name))
    return kernel->emitError("expected the name of a kernel that leaves dn_")
           << name << " to the runtime, got '" << name << "'";
  return success();
}
