//===- MemoryShadow.cpp - What threads did to each word of a memory -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryShadow.h"
#include "InitialisedBytes.h"
#include "ShadowWord.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::deltanet::ptx;

namespace {
constexpr unsigned kAllBytes = (1u << kWordBytes) - 1;

/// The bytes of an access that lie in one word.
unsigned bytesInWord(uint64_t word, uint64_t offset, uint64_t end) {
  uint64_t begin = word * kWordBytes;
  unsigned mask = kAllBytes;
  if (offset > begin)
    mask &= kAllBytes << (offset - begin);
  if (end < begin + kWordBytes)
    mask &= kAllBytes >> (begin + kWordBytes - end);
  return mask;
}

std::string nameOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "a read";
  case AccessKind::Write:
    return "a write";
  case AccessKind::Atomic:
    return "an atomic access";
  }
  return "an access";
}

std::string threadOf(const AccessRecord &record, const Accessor &by) {
  std::string text = "warp " + std::to_string(record.warp()) + ", lane " +
                     std::to_string(__builtin_ctz(record.lanes));
  if (record.block() != by.block)
    text += ", of block " + std::to_string(record.block() - by.firstBlock);
  return text;
}

bool isByThread(const AccessRecord &record, const Accessor &by) {
  AccessRecord own = recordOf(by, AccessKind::Write, 0);
  return record.isOfWarp(own) && record.lanes == own.lanes;
}

AccessProblem raceWith(const std::string &what, const AccessRecord &record,
                       const Accessor &by) {
  return {FindingKind::DataRace,
          "race with " + what + " by " + threadOf(record, by)};
}

AccessProblem unwaited(const AccessRecord &copy, const Accessor &by) {
  return {FindingKind::UnwaitedCopy,
          "nobody has waited for the asynchronous copy by " +
              threadOf(copy, by)};
}
} // namespace

struct MemoryShadow::State {
  explicit State(uint64_t bytes)
      : words(bytes / kWordBytes + 1), initialised(bytes) {}

  /// Calls body(word, own) for each word of a range, where `own` is an access
  /// to the bytes of it that are in the range.
  template <typename Body>
  void forEachWord(uint64_t offset, unsigned bytes, AccessKind kind,
                   const Accessor &by, Body body) {
    uint64_t end = offset + bytes;
    touch(offset, end);
    AccessRecord own = recordOf(by, kind, kAllBytes);
    if (LLVM_LIKELY((offset | end) % kWordBytes == 0)) {
      for (ShadowWord *word = &words[offset / kWordBytes],
                      *last = &words[end / kWordBytes];
           word != last; ++word)
        body(*word, own);
      return;
    }
    for (uint64_t word = offset / kWordBytes; word * kWordBytes < end; ++word)
      body(words[word], recordOf(by, kind, bytesInWord(word, offset, end)));
  }
  void touch(uint64_t begin, uint64_t end) {
    touchedBegin = std::min(touchedBegin, begin);
    touchedEnd = std::max(touchedEnd, end);
  }

  SparseArray<ShadowWord> words;
  InitialisedBytes initialised;
  RecordPool pool;
  /// All other bytes are as they were at the start.
  uint64_t touchedBegin = ~uint64_t(0), touchedEnd = 0;
};

MemoryShadow::MemoryShadow(uint64_t bytes)
    : state(std::make_unique<State>(bytes)) {}

MemoryShadow::~MemoryShadow() = default;

void MemoryShadow::clear() {
  if (state->touchedBegin >= state->touchedEnd)
    return;
  uint64_t bytes = state->touchedEnd - state->touchedBegin;
  state->initialised.setRange(state->touchedBegin, bytes, false);
  ShadowWord *begin = &state->words[state->touchedBegin / kWordBytes];
  ShadowWord *end = &state->words[(state->touchedEnd - 1) / kWordBytes + 1];
  std::fill(begin, end, ShadowWord());
  state->pool.clear();
  state->touchedBegin = ~uint64_t(0);
  state->touchedEnd = 0;
}

void MemoryShadow::markInitialised(uint64_t offset, uint64_t bytes) {
  if (!bytes)
    return;
  state->touch(offset, offset + bytes);
  state->initialised.setRange(offset, bytes, true);
}

void MemoryShadow::markUninitialised(uint64_t offset, uint64_t bytes) {
  state->initialised.setRange(offset, bytes, false);
}

bool MemoryShadow::isInitialised(uint64_t offset, uint64_t bytes) const {
  return state->initialised.holdsRange(offset, bytes);
}

LaneMask MemoryShadow::accessSimply(const uint64_t *offsets, LaneMask mask,
                                    unsigned bytes, AccessKind kind,
                                    const Accessor &by) {
  State &own = *state;
  if (bytes % kWordBytes)
    return mask;
  Accessor each = by;
  AccessRecord record = recordOf(by, kind, kAllBytes);
  LaneMask rest = 0;
  for (LaneMask left = mask; left; left &= left - 1) {
    each.lane = __builtin_ctz(left);
    record.lanes = left & -left;
    uint64_t offset = offsets[each.lane];
    bool isSimple =
        kind == AccessKind::Write || !own.initialised.missing(offset, bytes);
    own.touch(offset, offset + bytes);
    ShadowWord *word = &own.words[offset / kWordBytes];
    for (ShadowWord *end = word + bytes / kWordBytes; word != end; ++word)
      isSimple = isSimple && !word->pending &&
                 word->accessQuickly(own.pool, each, record);
    if (isSimple && kind != AccessKind::Read)
      own.initialised.mark(offset, bytes);
    if (LLVM_UNLIKELY(!isSimple))
      rest |= record.lanes;
  }
  return rest;
}

/// An access to a word that is not as simple as most are.
LLVM_ATTRIBUTE_NOINLINE static void
accessWord(ShadowWord &word, RecordPool &pool, const Accessor &by,
           const AccessRecord &own, std::optional<AccessProblem> &problem) {
  if (unsigned pending = word.pending & own.bytes()) {
    if (!problem)
      problem = unwaited(word.pendingCopy(pool, pending), by);
    return;
  }
  std::optional<AccessRecord> race = word.access(pool, by, own);
  if (race && !problem)
    problem = raceWith(nameOf(race->kind()), *race, by);
}

std::optional<AccessProblem> MemoryShadow::access(uint64_t offset,
                                                  unsigned bytes,
                                                  AccessKind kind,
                                                  const Accessor &by) {
  std::optional<AccessProblem> problem;
  State &own = *state;
  own.forEachWord(offset, bytes, kind, by,
                  [&](ShadowWord &word, const AccessRecord &each) {
                    if (LLVM_UNLIKELY((word.pending & each.bytes()) ||
                                      !word.accessQuickly(own.pool, by, each)))
                      accessWord(word, own.pool, by, each, problem);
                  });
  if (kind != AccessKind::Write) {
    uint64_t missing = own.initialised.missing(offset, bytes);
    if (LLVM_UNLIKELY(missing != 0) && !problem)
      problem = {FindingKind::Uninitialised,
                 "nothing has written byte " +
                     std::to_string(offset + __builtin_ctzll(missing))};
  }
  if (kind != AccessKind::Read)
    own.initialised.mark(offset, bytes);
  return problem;
}

std::optional<AccessProblem>
MemoryShadow::beginCopy(uint64_t offset, unsigned bytes, const Accessor &by) {
  std::optional<AccessProblem> problem;
  state->forEachWord(offset, bytes, AccessKind::Write, by,
                     [&](ShadowWord &word, const AccessRecord &own) {
                       if (unsigned pending = word.pending & own.bytes()) {
                         AccessRecord copy =
                             word.pendingCopy(state->pool, pending);
                         problem =
                             isByThread(copy, by)
                                 ? unwaited(copy, by)
                                 : raceWith("an asynchronous copy", copy, by);
                         word.pending &= ~pending;
                       }
                       accessWord(word, state->pool, by, own, problem);
                       word.pending |= own.bytes();
                     });
  return problem;
}

std::optional<AccessProblem>
MemoryShadow::endCopy(uint64_t offset, unsigned bytes, const Accessor &by) {
  std::optional<AccessProblem> problem;
  state->forEachWord(offset, bytes, AccessKind::Write, by,
                     [&](ShadowWord &word, const AccessRecord &own) {
                       word.pending &= ~own.bytes();
                       accessWord(word, state->pool, by, own, problem);
                     });
  state->initialised.mark(offset, bytes);
  return problem;
}
