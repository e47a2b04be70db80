//===- TokenStream.cpp - Tokens as a parser asks for them -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TokenStream.h"
#include "Literal.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet::ptx;

/// A token as a message names it.
static std::string describe(const Token &token) {
  if (token.text.empty())
    return "end of file";
  if (token.text == "\n")
    return "end of line";
  constexpr size_t shown = 60;
  llvm::StringRef text =
      token.kind == Token::Kind::Bad ? token.text : token.source;
  std::string description = "'";
  llvm::raw_string_ostream stream(description);
  stream.write_escaped(text.take_front(shown), /*UseHexEscapes=*/true);
  stream << (text.size() > shown ? "...'" : "'");
  return description;
}

llvm::Error mlir::deltanet::ptx::errorAt(llvm::StringRef fileName,
                                         Location location,
                                         const llvm::Twine &message) {
  return llvm::createStringError(fileName + ":" + llvm::Twine(location.line) +
                                 ":" + llvm::Twine(location.column) + ": " +
                                 message);
}

TokenStream::TokenStream(llvm::StringRef text)
    : lexer(text), current(lexer.next()), takenEnd(text.begin()) {}

bool TokenStream::isMark(char mark) const {
  return is(Token::Kind::Mark) && current.text[0] == mark;
}

bool TokenStream::isWord(llvm::StringRef word) const {
  return is(Token::Kind::Word) && current.text == word;
}

Token TokenStream::take() {
  Token taken = current;
  takenEnd = taken.source.end();
  current = lexer.next();
  return taken;
}

bool TokenStream::takeMark(char mark) {
  if (!isMark(mark))
    return false;
  take();
  return true;
}

bool TokenStream::takeWord(llvm::StringRef word) {
  if (!isWord(word))
    return false;
  take();
  return true;
}

bool TokenStream::expectMark(char mark) {
  return takeMark(mark) || fail("'" + llvm::Twine(mark) + "'");
}

bool TokenStream::expectWord(llvm::StringRef word) {
  return takeWord(word) || fail("'." + word + "'");
}

bool TokenStream::expect(Token::Kind kind, llvm::StringRef what, Token &token) {
  if (!is(kind))
    return fail(what);
  token = take();
  return true;
}

bool TokenStream::expectInteger(uint64_t least, uint64_t most,
                                uint64_t &value) {
  std::optional<uint64_t> integer;
  if (is(Token::Kind::Number))
    integer = integerOf(current.text);
  if (!integer || *integer < least || *integer > most) {
    if (least == most)
      return fail(llvm::Twine(least));
    return fail("an integer from " + llvm::Twine(least) + " to " +
                llvm::Twine(most));
  }
  value = *integer;
  take();
  return true;
}

bool TokenStream::failAt(Location location, const llvm::Twine &message) {
  if (error.empty()) {
    error = message.str();
    errorLocation = location;
  }
  return false;
}

bool TokenStream::fail(const llvm::Twine &expected, const Token &token) {
  // What is no token is wrong whatever was expected in its place.
  if (token.kind == Token::Kind::Bad)
    return failAt(token.location, "expected " + llvm::Twine(token.expected) +
                                      ", got " + describe(token));
  return failAt(token.location,
                "expected " + expected + ", got " + describe(token));
}

bool TokenStream::failRepeated(Location location, llvm::StringRef name) {
  return failAt(location, "expected a new name, got '" + name + "'");
}

bool TokenStream::failLimit(Location location, uint64_t limit,
                            llvm::StringRef what) {
  return failAt(location, "expected at most " + llvm::Twine(limit) + " " +
                              what + ", got more");
}

std::string TokenStream::textFrom(const Token &first) const {
  const char *begin = first.source.begin();
  Lexer again(llvm::StringRef(begin, takenEnd - begin));
  std::string text;
  for (Token token = again.next(); token.kind != Token::Kind::End;
       token = again.next()) {
    if (token.source.begin() != begin)
      text += ' ';
    text += token.source;
    begin = token.source.end();
  }
  return text;
}

llvm::Error TokenStream::takeError(llvm::StringRef fileName) const {
  return errorAt(fileName, errorLocation, error);
}
