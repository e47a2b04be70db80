//===- BodyParser.cpp - The body of a PTX kernel --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "BodyParser.h"
#include "SkippedDirectives.h"
#include "VariableSyntax.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::ptx;

bool ptx::countVariable(ModuleParts &module, Location location) {
  constexpr uint64_t maximum = 4096;
  return ++module.variableCount <= maximum ||
         module.stream.failLimit(location, maximum, "variables");
}

bool BodyParser::parse() {
  unsigned outside = module.scopes.depth() - 1;
  if (!stream.expectMark('{'))
    return false;
  Token brace;
  do {
    brace = stream.peek();
    if (!parseStatement())
      return false;
  } while (module.scopes.depth() > outside);

  if (!module.scopes.labelUses().empty())
    return stream.fail("a known name", module.scopes.labelUses()[0].name);
  if (!addImplicitReturn(brace.location))
    return false;
  addModuleVariables();
  return layOutVariables(stream, kernel);
}

bool BodyParser::parseStatement() {
  if (stream.isMark('{'))
    return openInnerScope();
  if (stream.takeMark('}')) {
    closeScope();
    return true;
  }
  if (stream.is(Token::Kind::Word))
    return parseDirective();

  InstructionSyntax instruction;
  if (stream.takeMark('@'))
    return module.operands.parsePredicate(instruction.guard.emplace()) &&
           parseInstruction(std::move(instruction));
  if (!stream.is(Token::Kind::Name))
    return stream.fail("a statement");
  return parseInstruction(std::move(instruction));
}

bool BodyParser::parseDirective() {
  if (isSkippedDirective(stream.peek()))
    return skipDirective(stream);
  if (stream.takeWord("reg"))
    return parseRegisters();
  if (stream.takeWord("shared"))
    return parseVariables(Space::Shared);
  if (stream.takeWord("local"))
    return parseVariables(Space::Local);
  return stream.fail("a statement");
}

bool BodyParser::parseRegisters() {
  Register type;
  if (!parseRegisterType(stream, type))
    return false;
  do {
    Token name;
    if (!stream.expect(Token::Kind::Name, "the name of a register", name))
      return false;
    bool declared = stream.isMark('<') ? declareNumberedRegisters(name, type)
                                       : declareRegister(name, name.text, type);
    if (!declared)
      return false;
  } while (stream.takeMark(','));
  return stream.expectMark(';');
}

bool BodyParser::declareRegister(const Token &place, llvm::StringRef name,
                                 Register reg) {
  constexpr uint64_t maximum = 1 << 20;
  if (++module.registerCount > maximum)
    return stream.failLimit(place.location, maximum, "registers");
  reg.index = kernel.registers[unsigned(reg.file)]++;
  return module.scopes.declare(name, {Named::Kind::Register, reg}) ||
         stream.fail("a new name", place);
}

bool BodyParser::declareNumberedRegisters(const Token &prefix,
                                          const Register &type) {
  // Each of their names takes memory.
  constexpr size_t longest = 128;
  constexpr uint64_t maximum = 1 << 20;
  uint64_t count;
  if (prefix.text.size() > longest)
    return stream.failLimit(prefix.location, longest,
                            "characters of a register's name");
  if (!stream.expectMark('<') || !stream.expectInteger(1, maximum, count) ||
      !stream.expectMark('>'))
    return false;
  for (uint64_t i = 0; i < count; ++i)
    if (!declareRegister(prefix, (prefix.text + llvm::Twine(i)).str(), type))
      return false;
  return true;
}

bool BodyParser::parseVariables(Space space) {
  VariableType type;
  if (!parseVariableType(stream, type))
    return false;
  do {
    VariableSyntax variable;
    variable.space = space;
    if (!parseVariableName(stream, type, variable) ||
        !declareVariable(std::move(variable)))
      return false;
  } while (stream.takeMark(','));
  return stream.expectMark(';');
}

bool BodyParser::declareVariable(VariableSyntax variable) {
  // Instructions know variables by their names alone, so no scope hides one.
  bool isNew =
      !module.variableNames.contains(variable.name) &&
      variableNames.insert(variable.name).second &&
      module.scopes.declare(variable.name, {Named::Kind::Variable, Register()});
  if (!isNew)
    return stream.failRepeated(variable.location, variable.name);
  if (!countVariable(module, variable.location))
    return false;
  kernel.variables.push_back(std::move(variable));
  return true;
}

bool BodyParser::declareLabel(const Token &name) {
  endsInLabel = true;
  return module.scopes.declare(name.text, {Named::Kind::Label, Register(),
                                           uint32_t(kernel.code.size())}) ||
         stream.fail("a new name", name);
}

bool BodyParser::parseInstruction(InstructionSyntax instruction) {
  Token first;
  if (!stream.expect(Token::Kind::Name, "an instruction", first))
    return false;
  if (!instruction.guard && stream.takeMark(':'))
    return declareLabel(first);
  if (first.text.starts_with("%"))
    return stream.fail("an instruction", first);

  instruction.location = first.location;
  instruction.words.push_back(first.text.str());
  while (stream.is(Token::Kind::Word))
    instruction.words.push_back(stream.take().text.str());
  if (!stream.isMark(';') && !parseOperands(instruction))
    return false;
  instruction.text = stream.textFrom(first);
  if (!stream.takeMark(';'))
    return stream.fail("',' or ';'");
  return addInstruction(std::move(instruction));
}

bool BodyParser::parseOperands(InstructionSyntax &instruction) {
  do {
    Token first = stream.peek();
    OperandSyntax operand;
    if (!module.operands.parse(operand))
      return false;
    if (operand.kind == OperandSyntax::Kind::Label)
      module.scopes.addLabelUse({first, uint32_t(kernel.code.size()),
                                 uint32_t(instruction.operands.size())});
    instruction.operands.push_back(std::move(operand));
  } while (stream.takeMark(','));
  return true;
}

bool BodyParser::addInstruction(InstructionSyntax instruction) {
  constexpr uint64_t maximum = 1 << 18;
  if (++module.instructionCount > maximum)
    return stream.failLimit(instruction.location, maximum, "instructions");
  kernel.code.push_back(std::move(instruction));
  endsInLabel = false;
  return true;
}

bool BodyParser::openInnerScope() {
  Token brace = stream.take();
  if (module.scopes.depth() == Scopes::kMaximum)
    return stream.failLimit(brace.location, Scopes::kMaximum,
                            "blocks in each other");
  module.scopes.open();
  return true;
}

void BodyParser::closeScope() {
  for (const auto &[use, index] : module.scopes.close())
    kernel.code[use.instruction].operands[use.operand].value = index;
}

bool BodyParser::addImplicitReturn(Location brace) {
  if (!endsInLabel && !kernel.code.empty()) {
    const InstructionSyntax &last = kernel.code.back();
    if (!last.guard && (last.words[0] == "ret" || last.words[0] == "exit"))
      return true;
  }
  InstructionSyntax instruction;
  instruction.location = brace;
  instruction.text = "ret";
  instruction.words.push_back("ret");
  return addInstruction(std::move(instruction));
}

void BodyParser::addModuleVariables() {
  std::vector<VariableSyntax> named;
  for (uint32_t index : module.operands.takeNamedVariables())
    named.push_back(module.variables[index]);
  kernel.variables.insert(kernel.variables.begin(), named.begin(), named.end());
}
