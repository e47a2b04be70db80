//===- Parser.cpp - PTX modules and the heads of their kernels ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "BodyParser.h"
#include "SkippedDirectives.h"
#include "VariableSyntax.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::ptx;

namespace {

class Parser {
public:
  Parser(llvm::StringRef text, ModuleSyntax &syntax)
      : parts(text), stream(parts.stream), syntax(syntax) {}

  bool parse();
  llvm::Error takeError() { return stream.takeError(syntax.fileName); }

private:
  bool parseVersion();
  bool parseTarget();
  bool parseDeclaration();
  bool parseVariables(bool isExtern);
  bool parseKernel();
  bool parseParameters(BodyParser &body);
  bool parseKernelDirectives(KernelInfo &info);
  bool parseThreads(std::array<uint32_t, 3> &threads);

  ModuleParts parts;
  TokenStream &stream;
  ModuleSyntax &syntax;
  llvm::StringSet<> kernelNames;
};

} // namespace

bool Parser::parse() {
  uint64_t addressBits;
  if (!parseVersion() || !parseTarget() || !stream.expectWord("address_size") ||
      !stream.expectInteger(64, 64, addressBits))
    return false;
  while (!stream.is(Token::Kind::End)) {
    bool parsed = isSkippedDirective(stream.peek()) ? skipDirective(stream)
                                                    : parseDeclaration();
    if (!parsed)
      return false;
  }
  return true;
}

bool Parser::parseVersion() {
  Token number;
  if (!stream.expectWord("version") ||
      !stream.expect(Token::Kind::Number, "a version", number))
    return false;
  auto [majorText, minorText] = number.text.split('.');
  unsigned majorNumber, minorNumber;
  if (majorText.getAsInteger(10, majorNumber) ||
      minorText.getAsInteger(10, minorNumber) || majorNumber > 99 ||
      minorNumber > 9)
    return stream.fail("a version", number);
  syntax.version = majorNumber * 10 + minorNumber;
  return true;
}

bool Parser::parseTarget() {
  Token name;
  if (!stream.expectWord("target") ||
      !stream.expect(Token::Kind::Name, "a target", name))
    return false;
  if (!name.text.starts_with("sm_"))
    return stream.fail("a target such as sm_80", name);
  syntax.target = name.text.str();
  while (stream.takeMark(',')) {
    if (!stream.expect(Token::Kind::Name, "'debug'", name))
      return false;
    if (name.text != "debug" && name.text != "texmode_unified" &&
        name.text != "texmode_independent")
      return stream.fail("'debug'", name);
  }
  return true;
}

bool Parser::parseDeclaration() {
  if (stream.takeWord("extern")) {
    if (!stream.takeWord("shared"))
      return stream.fail("'.shared'");
    return parseVariables(/*isExtern=*/true);
  }
  bool isLinked = stream.takeWord("visible") || stream.takeWord("weak");
  if (stream.takeWord("entry"))
    return parseKernel();
  if (stream.takeWord("shared"))
    return parseVariables(/*isExtern=*/false);
  return stream.fail(isLinked ? "'.entry' or '.shared'"
                              : "a kernel or a .shared variable");
}

bool Parser::parseVariables(bool isExtern) {
  VariableType type;
  if (!parseVariableType(stream, type))
    return false;
  do {
    VariableSyntax variable;
    variable.space = Space::Shared;
    variable.isDynamic = isExtern;
    if (!parseVariableName(stream, type, variable))
      return false;
    Named named = {Named::Kind::ModuleVariable, Register(),
                   uint32_t(parts.variables.size())};
    if (kernelNames.contains(variable.name) ||
        !parts.scopes.declare(variable.name, named))
      return stream.failRepeated(variable.location, variable.name);
    if (!countVariable(parts, variable.location))
      return false;
    parts.variableNames.insert(variable.name);
    parts.variables.push_back(std::move(variable));
  } while (stream.takeMark(','));
  return stream.expectMark(';');
}

bool Parser::parseKernel() {
  Token name;
  if (!stream.expect(Token::Kind::Name, "the name of a kernel", name))
    return false;
  if (parts.variableNames.contains(name.text) ||
      !kernelNames.insert(name.text).second)
    return stream.fail("a new name", name);

  KernelSyntax kernel;
  kernel.info.name = name.text.str();
  kernel.location = name.location;
  parts.scopes.open();
  BodyParser body(parts, kernel);
  if (!parseParameters(body) || !parseKernelDirectives(kernel.info) ||
      !body.parse())
    return false;
  syntax.kernels.push_back(std::move(kernel));
  return true;
}

bool Parser::parseParameters(BodyParser &body) {
  // A kernel without parameters may come without parentheses, too.
  if (!stream.takeMark('(') || stream.takeMark(')'))
    return true;
  do {
    VariableType type;
    VariableSyntax parameter;
    parameter.space = Space::Param;
    if (!stream.expectWord("param") || !parseVariableType(stream, type) ||
        !skipPointee(stream) || !parseVariableName(stream, type, parameter) ||
        !body.declareVariable(std::move(parameter)))
      return false;
  } while (stream.takeMark(','));
  return stream.takeMark(')') || stream.fail("',' or ')'");
}

bool Parser::parseKernelDirectives(KernelInfo &info) {
  while (stream.is(Token::Kind::Word)) {
    bool parsed = stream.takeWord("maxntid") ? parseThreads(info.maxThreads)
                  : stream.takeWord("reqntid")
                      ? parseThreads(info.requiredThreads)
                  : isSkippedKernelDirective(stream.peek())
                      ? skipDirective(stream)
                      : stream.fail("a directive of a kernel");
    if (!parsed)
      return false;
  }
  return true;
}

bool Parser::parseThreads(std::array<uint32_t, 3> &threads) {
  threads = {1, 1, 1};
  for (uint32_t &extent : threads) {
    uint64_t value;
    if (!stream.expectInteger(1, UINT32_MAX, value))
      return false;
    extent = value;
    if (!stream.takeMark(','))
      return true;
  }
  return stream.fail("at most 3 extents");
}

const VariableSyntax *KernelSyntax::findVariable(llvm::StringRef name) const {
  for (const VariableSyntax &variable : variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

llvm::Expected<ModuleSyntax> ptx::parseModule(llvm::StringRef text,
                                              llvm::StringRef fileName) {
  ModuleSyntax syntax;
  syntax.fileName = fileName.str();
  Parser parser(text, syntax);
  if (!parser.parse())
    return parser.takeError();
  return syntax;
}
