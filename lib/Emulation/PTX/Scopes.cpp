//===- Scopes.cpp - The names that a place in PTX can see -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Scopes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::deltanet::ptx;

std::vector<std::pair<LabelUse, uint32_t>> Scopes::close() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  std::vector<std::pair<LabelUse, uint32_t>> resolved;
  for (const LabelUse &use : scope.uses) {
    auto found = scope.names.find(use.name.text);
    if (found != scope.names.end() && found->second.kind == Named::Kind::Label)
      resolved.emplace_back(use, found->second.index);
    else
      scopes.back().uses.push_back(use);
  }
  return resolved;
}

const Named *Scopes::find(llvm::StringRef name) const {
  for (const Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.names.find(name);
    if (found != scope.names.end())
      return &found->second;
  }
  return nullptr;
}
