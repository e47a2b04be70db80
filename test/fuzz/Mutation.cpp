//===- Mutation.cpp - Changes of words in IR text -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace {

// Words that may stand for each other.
constexpr StringLiteral kNumbers[] = {
    "0",   "1",         "2",   "3",   "4",          "7",
    "8",   "15",        "16",  "17",  "24",         "32",
    "48",  "64",        "128", "256", "257",        "512",
    "-1",  "1024",      "?",   "*",   "2147483648", "9223372036854775807",
    "1e9", "0x7F800000"};
constexpr StringLiteral kTypes[] = {"f32", "bf16", "f16", "f64",
                                    "i32", "i64",  "i1",  "index"};
constexpr StringLiteral kEnumerators[] = {
    "delta",   "gated",  "grouped", "tiled",    "kv",        "vk",
    "chunked", "memory", "scratch", "one_pass", "two_stage", "recurrent"};
constexpr StringLiteral kFields[] = {
    "min_tokens", "max_tokens", "value_slice", "columns",
    "tokens",     "rows",       "block",       "state",
    "prefetch",   "chunk",      "staging",     "register_rows"};
constexpr StringLiteral kOperands[] = {
    "q", "k", "v", "g", "beta", "state", "outs", "scale", "cu_seqlens"};
constexpr ArrayRef<StringLiteral> kKinds[] = {kNumbers, kTypes, kEnumerators,
                                              kFields, kOperands};

ArrayRef<StringLiteral> getKind(StringRef word) {
  if (all_of(word, isDigit))
    return kNumbers;
  for (ArrayRef<StringLiteral> kind : kKinds)
    if (is_contained(kind, word))
      return kind;
  return {};
}

struct Word {
  size_t begin, length;
  ArrayRef<StringLiteral> kind;
};

/// Numbers end at letters, since shapes are written as 2x16xf32.
SmallVector<Word> findWords(StringRef text) {
  SmallVector<Word> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    if (isDigit(text[i]))
      while (end < text.size() && isDigit(text[end]))
        ++end;
    else if (text[i] == 'x') // between dimensions
      end = i + 1;
    else
      while (end < text.size() && (isAlnum(text[end]) || text[end] == '_'))
        ++end;
    if (end == i) {
      ++i;
      continue;
    }
    if (ArrayRef<StringLiteral> kind = getKind(text.slice(i, end));
        !kind.empty())
      words.push_back({i, end - i, kind});
    i = end;
  }
  return words;
}

} // namespace

bool mlir::deltanet::mutateWord(std::string &text, std::minstd_rand &random) {
  SmallVector<Word> words = findWords(text);
  if (words.empty())
    return false;
  auto pick = [&](auto &&range) { return range[random() % range.size()]; };
  Word chosen = pick(words);
  std::string old = text.substr(chosen.begin, chosen.length);
  StringRef replacement = pick(chosen.kind);
  // The types of a rule depend on each other: change all alike, or one.
  bool everywhere = random() % 2;
  for (const Word &word : reverse(words))
    if (everywhere ? StringRef(text).substr(word.begin, word.length) == old
                   : word.begin == chosen.begin)
      text.replace(word.begin, word.length, replacement);
  return true;
}
