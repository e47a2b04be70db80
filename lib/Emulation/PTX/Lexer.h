//===- Lexer.h - The tokens of PTX text -----------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_LEXER_H
#define DELTANET_LIB_EMULATION_PTX_LEXER_H

#include "Syntax.h"

namespace mlir::deltanet::ptx {

struct Token {
  enum class Kind {
    Name,   ///< a name of letters, digits, $ and _, with % before it or not
    Word,   ///< .word, with :: in it or not; `text` has no dot
    Number, ///< an integer or a number with a point
    String, ///< "text", with its quotes
    Mark,   ///< one character
    End,
    Bad ///< no token: what the text lacks is `expected`
  };
  Kind kind = Kind::End;
  Location location;
  llvm::StringRef text;   ///< for messages where it is Bad
  llvm::StringRef source; ///< where it lies in the text
  const char *expected = nullptr;
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}

  /// The next token. After a bad one comes the end.
  Token next();

private:
  /// False, with a bad token, in a comment that does not end.
  bool skipSpace(Token &token);
  Token bad(Token token, const char *expected, llvm::StringRef got);
  Token finish(Token token, Token::Kind kind, size_t bytes);

  llvm::StringRef text;
  size_t position = 0, lineBegin = 0;
  unsigned line = 1;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_LEXER_H
