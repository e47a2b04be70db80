//===- CacheHints.cpp - Words of accesses that change no value ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CacheHints.h"

using namespace mlir::deltanet::ptx;
using llvm::StringRef;

static void takeAtMostOne(Decoder &decoder, llvm::ArrayRef<StringRef> words) {
  decoder.takeOneOf(words, words.size());
}

Space mlir::deltanet::ptx::takeSpace(Decoder &decoder) {
  constexpr StringRef kWords[] = {"global", "shared", "shared::cta", "local"};
  constexpr Space kSpaces[] = {Space::Global, Space::Shared, Space::Shared,
                               Space::Local, Space::Generic};
  return kSpaces[decoder.takeOneOf(kWords, std::size(kWords))];
}

void mlir::deltanet::ptx::takeOrder(Decoder &decoder) {
  takeAtMostOne(decoder, {"weak", "volatile", "relaxed", "acquire", "release",
                          "acq_rel"});
  takeAtMostOne(decoder, {"cta", "cluster", "gpu", "sys"});
}

bool mlir::deltanet::ptx::takeCacheHints(Decoder &decoder) {
  takeAtMostOne(decoder, {"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  takeAtMostOne(decoder, {"nc"});
  takeAtMostOne(decoder,
                {"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
                 "L1::evict_last", "L1::no_allocate"});
  takeAtMostOne(decoder,
                {"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  takeAtMostOne(decoder, {"L2::64B", "L2::128B", "L2::256B"});
  takeAtMostOne(decoder, {"unified"});
  return decoder.take("L2::cache_hint");
}
