//===- Lexer.cpp - The tokens of PTX text ---------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::deltanet::ptx;

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

/// Bytes of the name that the text begins with.
static size_t nameBytes(llvm::StringRef text) {
  return std::min(text.size(), text.find_if_not(isNameCharacter));
}

/// Bytes of the word behind the dot that the text begins with.
static size_t wordBytes(llvm::StringRef text) {
  size_t bytes = 1 + nameBytes(text.drop_front());
  while (text.substr(bytes).starts_with("::") && bytes > 1) {
    size_t part = nameBytes(text.substr(bytes + 2));
    if (part == 0)
      break;
    bytes += 2 + part;
  }
  return bytes;
}

/// A point is part of a number in front of a digit: 9.0, 1.5e-3.
static size_t numberBytes(llvm::StringRef text) {
  size_t bytes = nameBytes(text);
  llvm::StringRef rest = text.substr(bytes);
  if (rest.size() < 2 || rest[0] != '.' || !llvm::isDigit(rest[1]) ||
      !llvm::all_of(text.take_front(bytes), llvm::isDigit))
    return bytes;
  bytes += 1 + nameBytes(rest.drop_front());
  rest = text.substr(bytes);
  if (llvm::toLower(text[bytes - 1]) == 'e' && rest.size() > 1 &&
      (rest[0] == '+' || rest[0] == '-'))
    bytes += 1 + nameBytes(rest.drop_front());
  return bytes;
}

Token Lexer::bad(Token token, const char *expected, llvm::StringRef got) {
  token.kind = Token::Kind::Bad;
  token.text = got;
  token.expected = expected;
  position = text.size();
  return token;
}

Token Lexer::finish(Token token, Token::Kind kind, size_t bytes) {
  token.kind = kind;
  token.source = token.text = text.substr(position, bytes);
  position += bytes;
  return token;
}

bool Lexer::skipSpace(Token &token) {
  while (position < text.size()) {
    llvm::StringRef rest = text.drop_front(position);
    token.location = {line, unsigned(position - lineBegin + 1)};
    if (rest[0] == '\n') {
      lineBegin = ++position;
      ++line;
    } else if (llvm::isSpace(rest[0])) {
      ++position;
    } else if (rest.starts_with("//")) {
      position = std::min(text.size(), text.find('\n', position));
    } else if (rest.starts_with("/*")) {
      size_t end = text.find("*/", position + 2);
      if (end == llvm::StringRef::npos) {
        token = bad(token, "'*/'", "");
        return false;
      }
      llvm::StringRef comment = text.slice(position, end);
      if (size_t lines = comment.count('\n')) {
        line += lines;
        lineBegin = position + comment.rfind('\n') + 1;
      }
      position = end + 2;
    } else {
      break;
    }
  }
  token.location = {line, unsigned(position - lineBegin + 1)};
  return true;
}

Token Lexer::next() {
  Token token;
  if (!skipSpace(token))
    return token;
  llvm::StringRef rest = text.drop_front(position);
  if (rest.empty())
    return finish(token, Token::Kind::End, 0);

  char first = rest[0];
  if (llvm::isDigit(first))
    return finish(token, Token::Kind::Number, numberBytes(rest));
  if (isNameCharacter(first))
    return finish(token, Token::Kind::Name, nameBytes(rest));
  if (first == '%' && nameBytes(rest.drop_front()) > 0)
    return finish(token, Token::Kind::Name, 1 + nameBytes(rest.drop_front()));
  if (first == '.' && wordBytes(rest) > 1) {
    token = finish(token, Token::Kind::Word, wordBytes(rest));
    token.text = token.source.drop_front();
    return token;
  }
  if (first == '"') {
    size_t end = rest.find_first_of("\"\n", 1);
    if (end == llvm::StringRef::npos)
      return bad(token, "'\"'", "");
    if (rest[end] == '\n')
      return bad(token, "'\"'", "\n");
    return finish(token, Token::Kind::String, end + 1);
  }
  if (llvm::StringRef("{}[]()<>,;:|+-!@=").contains(first))
    return finish(token, Token::Kind::Mark, 1);
  return bad(token, "a token", rest.take_front());
}
