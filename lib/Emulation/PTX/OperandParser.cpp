//===- OperandParser.cpp - Operands of PTX instructions -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "OperandParser.h"
#include "Literal.h"
#include "SpecialRegisters.h"

using namespace mlir::deltanet::ptx;
using Kind = OperandSyntax::Kind;

bool OperandParser::parse(OperandSyntax &operand) {
  Token first = stream.peek();
  bool parsed = stream.isMark('{')   ? parseVector(operand)
                : stream.isMark('[') ? parseAddress(operand)
                                     : parseSimple(operand);
  if (!parsed)
    return false;
  bool isPair =
      (operand.kind == Kind::Register || operand.kind == Kind::Sink) &&
      stream.takeMark('|');
  if (!isPair)
    return true;

  OperandSyntax pair;
  pair.kind = Kind::Pair;
  pair.location = first.location;
  pair.elements.resize(2);
  pair.elements[0] = std::move(operand);
  if (!parsePart(pair.elements[1]))
    return false;
  pair.text = stream.textFrom(first);
  operand = std::move(pair);
  return true;
}

bool OperandParser::parsePredicate(OperandSyntax &operand) {
  Token first = stream.peek();
  bool negated = stream.takeMark('!');
  Token name = stream.peek();
  if (!parsePart(operand))
    return false;
  if (operand.kind != Kind::Register ||
      operand.reg.file != RegisterFile::Predicate)
    return stream.fail("a predicate", name);
  operand.negated = negated;
  operand.location = first.location;
  operand.text = stream.textFrom(first);
  return true;
}

bool OperandParser::parsePart(OperandSyntax &operand) {
  Token first = stream.peek();
  if (!parseSimple(operand))
    return false;
  return operand.kind != Kind::Label || stream.fail("a known name", first);
}

bool OperandParser::parseSimple(OperandSyntax &operand) {
  constexpr uint64_t maximum = 1 << 20;
  if (++count > maximum)
    return stream.failLimit(stream.peek().location, maximum, "operands");
  if (stream.isMark('!'))
    return parsePredicate(operand);
  Token first = stream.peek();
  operand.location = first.location;
  bool isName = stream.is(Token::Kind::Name);
  if (!(isName ? parseName(operand) : parseNumber(operand)))
    return false;
  operand.text = stream.textFrom(first);
  return true;
}

bool OperandParser::parseName(OperandSyntax &operand) {
  Token name = stream.take();
  operand.name = name.text.str();
  const Named *found = scopes.find(name.text);
  if (!found && name.text == "_") {
    operand.kind = Kind::Sink;
  } else if (!found && name.text.starts_with("%")) {
    return parseSpecial(operand, name);
  } else if (!found || found->kind == Named::Kind::Label) {
    // A label that comes later in an inner scope hides one around it.
    operand.kind = Kind::Label;
  } else if (found->kind == Named::Kind::Register) {
    operand.kind = Kind::Register;
    operand.reg = found->reg;
  } else {
    operand.kind = Kind::Variable;
    if (found->kind == Named::Kind::ModuleVariable)
      named.insert(found->index);
  }
  return true;
}

bool OperandParser::parseSpecial(OperandSyntax &operand, const Token &name) {
  if (!isSpecialRegister(name.text))
    return stream.fail("a known register", name);
  operand.kind = Kind::Special;
  if (!stream.is(Token::Kind::Word))
    return true;
  llvm::StringRef component = stream.peek().text;
  if (!isSpecialVector(name.text) || component.size() != 1 ||
      !llvm::StringRef("xyzw").contains(component))
    return stream.fail("a component of " + name.text);
  operand.name += ("." + component).str();
  stream.take();
  return true;
}

bool OperandParser::parseInteger(uint64_t &value) {
  bool isNegative = stream.takeMark('-');
  std::optional<uint64_t> integer;
  if (stream.is(Token::Kind::Number))
    integer = integerOf(stream.peek().text);
  if (!integer)
    return stream.fail("an integer");
  stream.take();
  value = isNegative ? -*integer : *integer;
  return true;
}

bool OperandParser::parseNumber(OperandSyntax &operand) {
  if (stream.is(Token::Kind::Number)) {
    if (std::optional<FloatBits> bits = floatOf(stream.peek().text)) {
      operand.kind = Kind::Float;
      operand.value = bits->value;
      operand.floatBits = bits->bits;
      stream.take();
      return true;
    }
  } else if (!stream.isMark('-')) {
    return stream.fail("an operand");
  }
  operand.kind = Kind::Integer;
  return parseInteger(operand.value);
}

bool OperandParser::parseVector(OperandSyntax &operand) {
  Token first = stream.take();
  operand.kind = Kind::Vector;
  operand.location = first.location;
  do {
    operand.elements.emplace_back();
    if (!parsePart(operand.elements.back()))
      return false;
  } while (stream.takeMark(','));
  if (!stream.takeMark('}'))
    return stream.fail("',' or '}'");
  operand.text = stream.textFrom(first);
  return true;
}

bool OperandParser::parseAddressBase(OperandSyntax &operand) {
  Token first = stream.peek();
  OperandSyntax base;
  if (!parsePart(base))
    return false;
  if (base.kind == Kind::Integer) {
    operand.value = base.value;
    return true;
  }
  if (base.kind != Kind::Variable &&
      (base.kind != Kind::Register || base.negated))
    return stream.fail("a register, a variable or an integer", first);
  operand.elements.push_back(std::move(base));
  if (!stream.isMark('-') && !stream.takeMark('+'))
    return true;
  return parseInteger(operand.value);
}

bool OperandParser::parseAddress(OperandSyntax &operand) {
  Token first = stream.take();
  operand.kind = Kind::Address;
  operand.location = first.location;
  if (!parseAddressBase(operand))
    return false;
  // The coordinates of a copy of a tensor.
  if (!operand.elements.empty() && stream.takeMark(',')) {
    if (!stream.isMark('{'))
      return stream.fail("'{'");
    operand.elements.emplace_back();
    if (!parseVector(operand.elements.back()))
      return false;
  }
  if (!stream.expectMark(']'))
    return false;
  operand.text = stream.textFrom(first);
  return true;
}
