//===- BodyParser.h - The body of a PTX kernel ----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_BODYPARSER_H
#define DELTANET_LIB_EMULATION_PTX_BODYPARSER_H

#include "OperandParser.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::deltanet::ptx {

/// What the kernels of a module have in common.
struct ModuleParts {
  explicit ModuleParts(llvm::StringRef text) : stream(text) { scopes.open(); }

  TokenStream stream;
  Scopes scopes; ///< that of the module is open
  OperandParser operands{stream, scopes};
  std::vector<VariableSyntax> variables; ///< .shared, of the module
  llvm::StringSet<> variableNames;       ///< of the module
  uint64_t registerCount = 0, instructionCount = 0, variableCount = 0;
};

/// Counts one more variable, and refuses too many.
bool countVariable(ModuleParts &module, Location location);

class BodyParser {
public:
  BodyParser(ModuleParts &module, KernelSyntax &kernel)
      : module(module), stream(module.stream), kernel(kernel) {}

  /// Adds a variable or parameter of the kernel, whose scope is open.
  bool declareVariable(VariableSyntax variable);
  /// From { to }, which closes the kernel's scope; gives variables their
  /// places.
  bool parse();

private:
  bool parseStatement();
  bool parseDirective();
  bool parseRegisters();
  bool declareRegister(const Token &place, llvm::StringRef name, Register reg);
  bool declareNumberedRegisters(const Token &prefix, const Register &type);
  bool parseVariables(Space space);
  bool declareLabel(const Token &name);
  bool parseInstruction(InstructionSyntax instruction);
  bool parseOperands(InstructionSyntax &instruction);
  bool addInstruction(InstructionSyntax instruction);
  bool openInnerScope();
  void closeScope();
  bool addImplicitReturn(Location brace);
  void addModuleVariables();

  ModuleParts &module;
  TokenStream &stream;
  KernelSyntax &kernel;
  llvm::StringSet<> variableNames; ///< of all its scopes
  bool endsInLabel = false;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_BODYPARSER_H
