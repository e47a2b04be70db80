//===- Collective.cpp - Values exchanged by the threads of a warp ---------===//
//
// Part of the Delta-Net project.
//
// None of them orders accesses to memory.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::deltanet::ptx;

namespace {

std::string hexOf(LaneMask mask) { return "0x" + llvm::utohexstr(mask, true); }

/// Whether the live lanes of each member mask are the ones that execute with
/// it. If not, warp.whileApart is what Execute returns.
bool isComplete(Warp &warp, const Lanes<uint32_t> &members, LaneMask mask) {
  for (LaneMask rest = mask; rest;) {
    unsigned lane = __builtin_ctz(rest);
    LaneMask own = members[lane], together = 0;
    forEachLane(mask, [&](unsigned other) {
      together |= LaneMask(members[other] == own) << other;
    });
    auto fault = [&] {
      return "collective of lanes " + hexOf(own) + ", executed by lanes " +
             hexOf(together);
    };
    if (together & ~own) {
      warp.whileApart = warp.fault(FindingKind::Divergence, lane, fault());
      return false;
    }
    if (!warp.meet(mask, own & warp.live & ~together, fault))
      return false;
    rest &= ~together;
  }
  return true;
}

/// The member mask is the last source.
Lanes<uint32_t> membersOf(Warp &warp, const Instruction &instruction) {
  return load<uint32_t>(warp, instruction.sources.back());
}

enum class Shuffle { Idx, Up, Down, Bfly };

struct Place {
  int lane;
  bool isInside; ///< of the segment
};

/// The lane that another one reads, if it lies in its segment.
template <Shuffle shuffle>
Place placeOf(int lane, uint32_t by, uint32_t control) {
  const int clamp = control & 31, segment = control >> 8 & 31;
  const int last = (lane & segment) | (clamp & ~segment), step = by & 31;
  switch (shuffle) {
  case Shuffle::Idx: {
    int place = (lane & segment) | (step & ~segment);
    return {place, place <= last};
  }
  case Shuffle::Up:
    return {lane - step, lane - step >= last};
  case Shuffle::Down:
    return {lane + step, lane + step <= last};
  case Shuffle::Bfly:
    return {lane ^ step, (lane ^ step) <= last};
  }
}

template <Shuffle kind>
Step shuffle(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const auto members = membersOf(warp, instruction);
  if (!isComplete(warp, members, mask))
    return warp.whileApart;
  const auto sources = load<uint32_t>(warp, instruction.sources[0]);
  const auto by = load<uint32_t>(warp, instruction.sources[1]);
  const auto control = load<uint32_t>(warp, instruction.sources[2]);
  Lanes<uint32_t> values = {};
  LaneMask inside = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    Place place = placeOf<kind>(lane, by[lane], control[lane]);
    unsigned from = place.isInside ? unsigned(place.lane) : lane;
    if (!((mask & members[lane]) >> from & 1))
      return warp.fault(FindingKind::Divergence, lane,
                        "read of lane " + llvm::Twine(from) +
                            ", which does not take part");
    values[lane] = sources[from];
    inside |= LaneMask(place.isInside) << lane;
  }
  store(warp, instruction.results[0], mask, values);
  warp.write(instruction.results[1], mask, inside);
  return Step::Next;
}

void decodeShuffle(Decoder &decoder) {
  const Execute kinds[] = {shuffle<Shuffle::Idx>, shuffle<Shuffle::Up>,
                           shuffle<Shuffle::Down>, shuffle<Shuffle::Bfly>};
  unsigned kind = decoder.takeOneOf({"idx", "up", "down", "bfly"}, 4);
  if (kind == 4 || decoder.takeType() != Type::B32)
    return decoder.failUnknown();
  decoder.addResultAndPredicate(Type::B32);
  decoder.addSource(Type::B32);
  decoder.addSource(Type::B32);
  decoder.addSource(Type::B32);
  decoder.addSource(Type::B32);
  decoder.setExecute(kinds[kind]);
}

enum class Vote { All, Any, Uni, Ballot };

template <Vote kind>
Step vote(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const auto members = membersOf(warp, instruction);
  if (!isComplete(warp, members, mask))
    return warp.whileApart;
  LaneMask predicate = warp.predicateSource(instruction, 0), outcome = 0;
  Lanes<uint32_t> ballots = {};
  forEachLane(mask, [&](unsigned lane) {
    LaneMask voters = members[lane] & mask, yes = predicate & voters;
    ballots[lane] = yes;
    bool holds = kind == Vote::All   ? yes == voters
                 : kind == Vote::Any ? yes != 0
                                     : yes == voters || yes == 0;
    outcome |= LaneMask(holds) << lane;
  });
  if (kind == Vote::Ballot)
    store(warp, instruction.results[0], mask, ballots);
  else
    warp.write(instruction.results[0], mask, outcome);
  return Step::Next;
}

void decodeVote(Decoder &decoder) {
  const Execute kinds[] = {vote<Vote::All>, vote<Vote::Any>, vote<Vote::Uni>,
                           vote<Vote::Ballot>};
  unsigned kind = decoder.takeOneOf({"all", "any", "uni", "ballot"}, 4);
  Type type = decoder.takeType();
  Type own = kind == unsigned(Vote::Ballot) ? Type::B32 : Type::Pred;
  if (kind == 4 || type != own)
    return decoder.failUnknown();
  decoder.addResult(type);
  decoder.addSource(Type::Pred);
  decoder.addSource(Type::B32);
  decoder.setExecute(kinds[kind]);
}

/// Lanes with the same value; if all must have it, all or none.
template <typename T, bool all>
Step match(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const auto members = membersOf(warp, instruction);
  if (!isComplete(warp, members, mask))
    return warp.whileApart;
  const Lanes<T> sources = load<T>(warp, instruction.sources[0]);
  Lanes<uint32_t> values = {};
  LaneMask outcome = 0;
  forEachLane(mask, [&](unsigned lane) {
    LaneMask voters = members[lane] & mask, equal = 0;
    forEachLane(voters, [&](unsigned other) {
      equal |= LaneMask(sources[other] == sources[lane]) << other;
    });
    bool isUniform = equal == voters;
    values[lane] = all && !isUniform ? 0 : equal;
    outcome |= LaneMask(isUniform) << lane;
  });
  store(warp, instruction.results[0], mask, values);
  if (all)
    warp.write(instruction.results[1], mask, outcome);
  return Step::Next;
}

void decodeMatch(Decoder &decoder) {
  bool any = decoder.take("any"), all = decoder.take("all");
  Type type = decoder.takeType();
  if (any == all || (type != Type::B32 && type != Type::B64))
    return decoder.failUnknown();
  if (all)
    decoder.addResultAndPredicate(Type::B32);
  else
    decoder.addResult(Type::B32);
  decoder.addSource(type);
  decoder.addSource(Type::B32);
  if (type == Type::B32)
    decoder.setExecute(all ? match<uint32_t, true> : match<uint32_t, false>);
  else
    decoder.setExecute(all ? match<uint64_t, true> : match<uint64_t, false>);
}

template <typename T> struct Add {
  static T apply(T a, T b) { return T(uint32_t(a) + uint32_t(b)); }
};
template <typename T> struct Min {
  static T apply(T a, T b) { return a < b ? a : b; }
};
template <typename T> struct Max {
  static T apply(T a, T b) { return a < b ? b : a; }
};
uint32_t both(uint32_t a, uint32_t b) { return a & b; }
uint32_t either(uint32_t a, uint32_t b) { return a | b; }
uint32_t different(uint32_t a, uint32_t b) { return a ^ b; }

template <typename T, T (*operation)(T, T)>
Step reduce(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const auto members = membersOf(warp, instruction);
  if (!isComplete(warp, members, mask))
    return warp.whileApart;
  const Lanes<T> sources = load<T>(warp, instruction.sources[0]);
  Lanes<T> values = {};
  forEachLane(mask, [&](unsigned lane) {
    LaneMask voters = members[lane] & mask;
    T value = sources[__builtin_ctz(voters)];
    forEachLane(voters & (voters - 1), [&](unsigned other) {
      value = operation(value, sources[other]);
    });
    values[lane] = value;
  });
  store(warp, instruction.results[0], mask, values);
  return Step::Next;
}

template <template <typename> class Operation> Execute ofNumbers(Type type) {
  switch (type) {
  case Type::U32:
    return reduce<uint32_t, Operation<uint32_t>::apply>;
  case Type::S32:
    return reduce<int32_t, Operation<int32_t>::apply>;
  default:
    return nullptr;
  }
}
template <uint32_t (*operation)(uint32_t, uint32_t)> Execute ofBits(Type type) {
  return type == Type::B32 ? reduce<uint32_t, operation> : nullptr;
}

void decodeReduction(Decoder &decoder) {
  using OfType = Execute (*)(Type);
  constexpr OfType kinds[] = {ofNumbers<Add>, ofNumbers<Min>,
                              ofNumbers<Max>, ofBits<both>,
                              ofBits<either>, ofBits<different>};
  unsigned kind =
      decoder.takeOneOf({"add", "min", "max", "and", "or", "xor"}, 6);
  if (kind == 6)
    return decoder.failUnknown();
  Type type = decoder.takeType();
  setExecuteIfKnown(decoder, kinds[kind](type));
  decoder.addResult(type);
  decoder.addSource(type);
  decoder.addSource(Type::B32);
}

Step activeMask(Warp &warp, const Instruction &instruction, LaneMask mask) {
  Lanes<uint32_t> values;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    values[lane] = mask;
  store(warp, instruction.results[0], mask, values);
  return Step::Next;
}

/// The leader is the first lane of the member mask that executes.
Step elect(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const auto members = membersOf(warp, instruction);
  if (!isComplete(warp, members, mask))
    return warp.whileApart;
  Lanes<uint32_t> leaders = {};
  LaneMask outcome = 0;
  forEachLane(mask, [&](unsigned lane) {
    leaders[lane] = __builtin_ctz(members[lane] & mask);
    outcome |= LaneMask(leaders[lane] == lane) << lane;
  });
  store(warp, instruction.results[0], mask, leaders);
  warp.write(instruction.results[1], mask, outcome);
  return Step::Next;
}

} // namespace

void mlir::deltanet::ptx::decodeCollective(Decoder &decoder) {
  if (decoder.is("activemask")) {
    if (decoder.takeType() != Type::B32)
      return decoder.failUnknown();
    decoder.addResult(Type::B32);
    return decoder.setExecute(activeMask);
  }
  // Forms without .sync ended with sm_70.
  if (!decoder.take("sync"))
    return decoder.failUnknown();
  if (decoder.is("shfl"))
    return decodeShuffle(decoder);
  if (decoder.is("vote"))
    return decodeVote(decoder);
  if (decoder.is("match"))
    return decodeMatch(decoder);
  if (decoder.is("redux"))
    return decodeReduction(decoder);
  decoder.addResultAndPredicate(Type::B32);
  decoder.addSource(Type::B32);
  decoder.setExecute(elect);
}
