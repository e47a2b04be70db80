//===- SkippedDirectives.cpp - Directives that change no results ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SkippedDirectives.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::ptx;

bool ptx::isSkippedDirective(const Token &token) {
  return token.kind == Token::Kind::Word &&
         llvm::StringSwitch<bool>(token.text)
             .Cases({"file", "loc", "pragma", "section"}, true)
             .Default(false);
}

/// How many registers and blocks a compiler should plan for.
static bool isResourceDirective(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"minnctapersm", "maxnctapersm", "maxnreg", "maxclusterrank"},
             true)
      .Default(false);
}

bool ptx::isSkippedKernelDirective(const Token &token) {
  return token.kind == Token::Kind::Word &&
         (token.text == "noreturn" || token.text == "pragma" ||
          isResourceDirective(token.text));
}

static bool skipIntegers(TokenStream &stream, unsigned count) {
  uint64_t value;
  for (unsigned i = 0; i < count; ++i)
    if (!stream.expectInteger(0, UINT64_MAX, value))
      return false;
  return true;
}

/// 1 "name", 123, 456
static bool skipFile(TokenStream &stream) {
  Token name;
  if (!skipIntegers(stream, 1) ||
      !stream.expect(Token::Kind::String, "the name of a file", name))
    return false;
  while (stream.takeMark(','))
    if (!skipIntegers(stream, 1))
      return false;
  return true;
}

/// 1 7 0, function_name $L__info_string0+8, inlined_at 1 11 2
static bool skipLocation(TokenStream &stream) {
  if (!skipIntegers(stream, 3))
    return false;
  while (stream.takeMark(',')) {
    Token attribute, name;
    if (!stream.expect(Token::Kind::Name, "function_name or inlined_at",
                       attribute))
      return false;
    if (attribute.text == "inlined_at") {
      if (!skipIntegers(stream, 3))
        return false;
      continue;
    }
    if (attribute.text != "function_name")
      return stream.fail("function_name or inlined_at", attribute);
    if (!stream.expect(Token::Kind::Name, "a name", name) ||
        (stream.takeMark('+') && !skipIntegers(stream, 1)))
      return false;
  }
  return true;
}

static bool skipPragma(TokenStream &stream) {
  Token text;
  do {
    if (!stream.expect(Token::Kind::String, "a string", text))
      return false;
  } while (stream.takeMark(','));
  return stream.expectMark(';');
}

static bool skipSection(TokenStream &stream) {
  if (!stream.is(Token::Kind::Word) ||
      !stream.peek().text.starts_with("debug_"))
    return stream.fail("a section for debuggers");
  stream.take();
  if (!stream.expectMark('{'))
    return false;
  while (!stream.isMark('}') && !stream.isMark('{') &&
         !stream.is(Token::Kind::End) && !stream.is(Token::Kind::Bad))
    stream.take();
  return stream.expectMark('}');
}

bool ptx::skipDirective(TokenStream &stream) {
  llvm::StringRef name = stream.take().text;
  if (name == "file")
    return skipFile(stream);
  if (name == "loc")
    return skipLocation(stream);
  if (name == "pragma")
    return skipPragma(stream);
  if (name == "section")
    return skipSection(stream);
  return skipIntegers(stream, isResourceDirective(name) ? 1 : 0);
}
