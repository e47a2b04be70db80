//===- ShadowWord.h - The accesses of a word that still matter ------------===//
//
// Part of the Delta-Net project.
//
// An access is kept until a later one takes its place: one that happened after
// it and that no third access can be in order with unless it is with the first,
// too. What is left are the accesses that a race can be with, all of them.
//
// Accesses of parts of a word are kept with the bytes that they are of, so
// neighbours in a word do not meet.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_SHADOWWORD_H
#define DELTANET_LIB_EMULATION_PTX_SHADOWWORD_H

#include "MemoryShadow.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::deltanet::ptx {

constexpr unsigned kWordBytes = 4;

/// Accesses of lanes of one warp at one time. Without lanes: none.
struct AccessRecord {
  uint64_t origin; ///< block, warp, bytes and kind: see recordOf
  uint32_t time;
  LaneMask lanes;

  uint64_t block() const { return origin >> 16; }
  unsigned warp() const { return origin >> 8 & 0xFF; }
  /// Of the word, one bit for each.
  unsigned bytes() const { return origin >> 4 & 0xF; }
  AccessKind kind() const { return AccessKind(origin & 0xF); }

  void removeBytes(unsigned bytes) { origin &= ~(uint64_t(bytes) << 4); }
  bool isOfWarp(const AccessRecord &other) const {
    return (origin ^ other.origin) >> 8 == 0;
  }
  /// Whether the two differ in lanes at most.
  bool isLike(const AccessRecord &other) const {
    return origin == other.origin && time == other.time;
  }
};

inline AccessRecord recordOf(const Accessor &by, AccessKind kind,
                             unsigned bytes) {
  return {by.block << 16 | uint64_t(by.warp) << 8 | uint64_t(bytes) << 4 |
              uint64_t(kind),
          by.clock.time(), LaneMask(1) << by.lane};
}

inline bool conflict(AccessKind one, AccessKind other) {
  return one != other || one == AccessKind::Write;
}

/// The lanes of a record whose accesses did not happen before what the thread
/// does now, which `own` tells.
inline LaneMask unorderedLanes(const AccessRecord &record, const Accessor &by,
                               const AccessRecord &own) {
  if (!record.isOfWarp(own)) {
    if (record.block() < by.firstBlock)
      return 0;
    return record.block() == by.block &&
                   by.clock.happenedBefore(record.warp(), 0, record.time,
                                           by.lane)
               ? 0
               : record.lanes;
  }
  LaneMask unordered = 0;
  for (LaneMask left = record.lanes & ~own.lanes; left; left &= left - 1)
    if (!by.clock.happenedBefore(by.warp, __builtin_ctz(left), record.time,
                                 by.lane))
      unordered |= left & -left;
  return unordered;
}

/// Where the records are that a word has no room for: lists, of which an index
/// names the first element; 0 is the empty one.
class RecordPool {
public:
  RecordPool() : nodes(1) {}

  const AccessRecord &record(uint32_t index) const {
    return nodes[index].record;
  }
  AccessRecord &record(uint32_t index) { return nodes[index].record; }
  uint32_t next(uint32_t index) const { return nodes[index].next; }

  /// Puts a record before a list.
  uint32_t push(const AccessRecord &record, uint32_t list) {
    uint32_t index = unused;
    if (index) {
      unused = nodes[index].next;
      nodes[index] = {record, list};
    } else {
      index = nodes.size();
      nodes.push_back({record, list});
    }
    return index;
  }
  /// Removes the first element of a list.
  uint32_t pop(uint32_t list) {
    uint32_t rest = nodes[list].next;
    nodes[list].next = unused;
    unused = list;
    return rest;
  }
  void clear() {
    nodes.resize(1);
    unused = 0;
  }

private:
  struct Node {
    AccessRecord record = {};
    uint32_t next = 0;
  };
  std::vector<Node> nodes;
  uint32_t unused = 0; ///< list of nodes
};

/// All zero: nobody has accessed it.
struct ShadowWord {
  AccessRecord write; ///< the last one, unless several are of its bytes
  AccessRecord other; ///< the last read or atomic access
  uint32_t more;      ///< a list of the pool
  uint16_t pending;   ///< bytes of asynchronous copies, a bit for each
  bool isMixed;       ///< the list has more than reads

  /// Records an access. A record that it conflicts with and has no order with,
  /// if there is one.
  std::optional<AccessRecord> access(RecordPool &pool, const Accessor &by,
                                     const AccessRecord &own) {
    if (accessQuickly(pool, by, own))
      return std::nullopt;
    return accessSlowly(pool, by, own);
  }

  /// The same where there is no such record and little to do, which is most
  /// often so. False if nothing has been recorded.
  bool accessQuickly(RecordPool &pool, const Accessor &by,
                     const AccessRecord &own) {
    return own.kind() == AccessKind::Read    ? readQuickly(pool, by, own)
           : own.kind() == AccessKind::Write ? writeQuickly(by, own)
                                             : false;
  }

  /// The record of the copy that these bytes are pending for.
  AccessRecord pendingCopy(const RecordPool &pool, unsigned bytes) const;

private:
  /// What a read does to a record that is a read as well.
  enum class Meeting { None, Taken, Unknown };
  static Meeting meet(AccessRecord &record, const Accessor &by,
                      const AccessRecord &own) {
    if (record.isLike(own)) {
      record.lanes |= own.lanes;
      return Meeting::Taken;
    }
    if (record.kind() != AccessKind::Read || record.block() != by.block)
      return Meeting::Unknown;
    if (!record.isOfWarp(own))
      return Meeting::None;
    if ((record.bytes() & ~own.bytes()) || unorderedLanes(record, by, own))
      return Meeting::Unknown;
    record = own;
    return Meeting::Taken;
  }

  /// Many warps read what one has written: each has a record.
  bool readQuickly(RecordPool &pool, const Accessor &by,
                   const AccessRecord &own) {
    if (isMixed || unorderedLanes(write, by, own))
      return false;
    if (!other.lanes || other.block() < by.firstBlock) {
      if (more)
        return false;
      other = own;
      return true;
    }
    Meeting meeting = meet(other, by, own);
    for (uint32_t index = more; index && meeting == Meeting::None;
         index = pool.next(index))
      meeting = meet(pool.record(index), by, own);
    if (meeting == Meeting::None)
      more = pool.push(own, more);
    return meeting != Meeting::Unknown;
  }

  bool writeQuickly(const Accessor &by, const AccessRecord &own) {
    if (more || ((write.bytes() | other.bytes()) & ~own.bytes()) ||
        unorderedLanes(write, by, own) || unorderedLanes(other, by, own))
      return false;
    write = own;
    other = {};
    return true;
  }

  std::optional<AccessRecord> accessSlowly(RecordPool &pool, const Accessor &by,
                                           AccessRecord own);
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_SHADOWWORD_H
