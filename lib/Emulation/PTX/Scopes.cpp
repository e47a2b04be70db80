//===- Scopes.cpp - The names that a place in PTX can see ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Scopes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::deltanet::ptx;

const Named *Scopes::find(llvm::StringRef name) const {
  for (const Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.names.find(name);
    if (found != scope.names.end())
      return &found->second;
  }
  return nullptr;
}
