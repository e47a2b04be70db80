//===- Scopes.h - The names that a place in PTX can see -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_SCOPES_H
#define DELTANET_LIB_EMULATION_PTX_SCOPES_H

#include "Lexer.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::deltanet::ptx {

/// What a name stands for.
struct Named {
  enum class Kind { Register, Variable, ModuleVariable, Label };
  Kind kind;
  Register reg;
  uint32_t index = 0; ///< of labels, and of variables in the module
};

/// An operand that is a label of the scope that it is used in, or of one around
/// it. The label may still come.
struct LabelUse {
  Token name;
  uint32_t instruction, operand;
};

/// Blocks in each other. The names of one share one space.
class Scopes {
public:
  static constexpr unsigned kMaximum = 64;

  unsigned depth() const { return scopes.size(); }
  void open() { scopes.emplace_back(); }
  /// Closes the innermost one. The uses of its labels, with what the labels
  /// stand before; the other uses belong to the scope around it then.
  std::vector<std::pair<LabelUse, uint32_t>> close();
  /// Uses of labels that the innermost scope has not declared when it closes.
  llvm::ArrayRef<LabelUse> labelUses() const { return scopes.back().uses; }

  /// False if the innermost scope has the name.
  bool declare(llvm::StringRef name, const Named &named) {
    return scopes.back().names.try_emplace(name, named).second;
  }
  /// The innermost one of the name, or null.
  const Named *find(llvm::StringRef name) const;
  void addLabelUse(const LabelUse &use) { scopes.back().uses.push_back(use); }

private:
  struct Scope {
    llvm::StringMap<Named> names;
    std::vector<LabelUse> uses;
  };
  std::vector<Scope> scopes;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_SCOPES_H
