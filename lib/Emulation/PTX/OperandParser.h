//===- OperandParser.h - Operands of PTX instructions ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_OPERANDPARSER_H
#define DELTANET_LIB_EMULATION_PTX_OPERANDPARSER_H

#include "Scopes.h"
#include "TokenStream.h"
#include <set>

namespace mlir::deltanet::ptx {

/// Parses operands and resolves their names.
class OperandParser {
public:
  OperandParser(TokenStream &stream, const Scopes &scopes)
      : stream(stream), scopes(scopes) {}

  /// An operand of an instruction. A name that is not declared is that of a
  /// label.
  bool parse(OperandSyntax &operand);
  /// `%p` or `!%p`.
  bool parsePredicate(OperandSyntax &operand);

  /// Variables of the module that were named since the last call.
  std::set<uint32_t> takeNamedVariables() { return std::move(named); }

private:
  /// A name or a number.
  bool parseSimple(OperandSyntax &operand);
  /// The same, but no label.
  bool parsePart(OperandSyntax &operand);
  bool parseName(OperandSyntax &operand);
  bool parseSpecial(OperandSyntax &operand, const Token &name);
  bool parseNumber(OperandSyntax &operand);
  bool parseInteger(uint64_t &value);
  bool parseVector(OperandSyntax &operand);
  bool parseAddress(OperandSyntax &operand);
  bool parseAddressBase(OperandSyntax &operand);

  TokenStream &stream;
  const Scopes &scopes;
  std::set<uint32_t> named;
  uint64_t count = 0; ///< of all operands and their parts
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_OPERANDPARSER_H
