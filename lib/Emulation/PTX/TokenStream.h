//===- TokenStream.h - Tokens as a parser asks for them -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_TOKENSTREAM_H
#define DELTANET_LIB_EMULATION_PTX_TOKENSTREAM_H

#include "Lexer.h"

namespace mlir::deltanet::ptx {

/// The tokens from left to right, and the first error. Functions whose names
/// begin with `expect` fail, and return false, where something else is there.
class TokenStream {
public:
  explicit TokenStream(llvm::StringRef text);

  const Token &peek() const { return current; }
  bool is(Token::Kind kind) const { return current.kind == kind; }
  bool isMark(char mark) const;
  bool isWord(llvm::StringRef word) const;

  Token take();
  bool takeMark(char mark);
  bool takeWord(llvm::StringRef word);

  bool expectMark(char mark);
  bool expectWord(llvm::StringRef word);
  bool expect(Token::Kind kind, llvm::StringRef what, Token &token);
  /// An integer without a sign, from `least` to `most`.
  bool expectInteger(uint64_t least, uint64_t most, uint64_t &value);

  /// Rejects the text: `expected` is not the next token, or not `token`. False.
  bool fail(const llvm::Twine &expected) { return fail(expected, current); }
  bool fail(const llvm::Twine &expected, const Token &token);
  /// Rejects the text: a name is declared again.
  bool failRepeated(Location location, llvm::StringRef name);
  /// Rejects the text: there is more of `what` than the simulator allows.
  bool failLimit(Location location, uint64_t limit, llvm::StringRef what);

  /// The tokens from `first` to the last one that was taken, with one space
  /// where there is space between them.
  std::string textFrom(const Token &first) const;

  llvm::Error takeError(llvm::StringRef fileName) const;

private:
  bool failAt(Location location, const llvm::Twine &message);

  Lexer lexer;
  Token current;
  const char *takenEnd; ///< of the last token that was taken
  std::string error;    ///< the first
  Location errorLocation;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_TOKENSTREAM_H
