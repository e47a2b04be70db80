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
  uint64_t block : 48;
  uint64_t warp : 5;
  uint64_t bytes : 4; ///< of the word, one bit for each
  uint64_t kind : 2;
  uint32_t time;
  LaneMask lanes;

  AccessKind accessKind() const { return AccessKind(kind); }
};

static_assert(kWarpsOfBlock <= 32 && sizeof(AccessRecord) == 16);

inline AccessRecord recordOf(const Accessor &by, AccessKind kind,
                             unsigned bytes) {
  AccessRecord record;
  record.block = by.block;
  record.warp = by.warp;
  record.bytes = bytes;
  record.kind = unsigned(kind);
  record.time = by.clock.time();
  record.lanes = LaneMask(1) << by.lane;
  return record;
}

inline bool conflict(AccessKind one, AccessKind other) {
  return one != other || one == AccessKind::Write;
}

/// The lanes of a record whose accesses did not happen before what the thread
/// does now.
inline LaneMask unorderedLanes(const AccessRecord &record, const Accessor &by) {
  if (record.block != by.block)
    return record.block < by.firstBlock ? 0 : record.lanes;
  if (record.warp != by.warp)
    return by.clock.happenedBefore(record.warp, 0, record.time, by.lane)
               ? 0
               : record.lanes;
  LaneMask unordered = 0;
  for (LaneMask left = record.lanes; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    if (!by.clock.happenedBefore(record.warp, lane, record.time, by.lane))
      unordered |= left & -left;
  }
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
  uint32_t pending;   ///< bytes of asynchronous copies, a bit for each

  /// Records an access. A record that it conflicts with and has no order with,
  /// if there is one.
  std::optional<AccessRecord> access(RecordPool &pool, AccessKind kind,
                                     unsigned bytes, const Accessor &by) {
    if (kind == AccessKind::Read && readQuickly(pool, bytes, by))
      return std::nullopt;
    if (kind == AccessKind::Write && writeQuickly(bytes, by))
      return std::nullopt;
    return accessSlowly(pool, kind, bytes, by);
  }

  /// The record of the copy that these bytes are pending for.
  AccessRecord pendingCopy(const RecordPool &pool, unsigned bytes) const;

private:
  bool readQuickly(const RecordPool &pool, unsigned bytes, const Accessor &by) {
    if (unorderedLanes(write, by))
      return false;
    for (uint32_t index = more; index; index = pool.next(index))
      if (pool.record(index).accessKind() != AccessKind::Read &&
          unorderedLanes(pool.record(index), by))
        return false;
    if (!other.lanes || other.block < by.firstBlock) {
      other = recordOf(by, AccessKind::Read, bytes);
      return true;
    }
    if (other.accessKind() != AccessKind::Read || other.block != by.block)
      return false;
    if (other.warp == by.warp && other.time == by.clock.time() &&
        other.bytes == bytes) {
      other.lanes |= LaneMask(1) << by.lane;
      return true;
    }
    if ((other.bytes & ~bytes) || unorderedLanes(other, by))
      return false;
    other = recordOf(by, AccessKind::Read, bytes);
    return true;
  }

  bool writeQuickly(unsigned bytes, const Accessor &by) {
    if (more || ((write.bytes | other.bytes) & ~bytes) ||
        unorderedLanes(write, by) || unorderedLanes(other, by))
      return false;
    write = recordOf(by, AccessKind::Write, bytes);
    other = {};
    return true;
  }

  std::optional<AccessRecord> accessSlowly(RecordPool &pool, AccessKind kind,
                                           unsigned bytes, const Accessor &by);
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_SHADOWWORD_H
