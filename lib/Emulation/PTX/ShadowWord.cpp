//===- ShadowWord.cpp - The accesses of a word that still matter ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ShadowWord.h"

using namespace mlir::deltanet::ptx;

namespace {
using Records = llvm::SmallVector<AccessRecord, 16>;

/// Takes all records out of a word, but those of earlier launches, which
/// everything is in order with.
Records takeRecords(ShadowWord &word, RecordPool &pool, const Accessor &by) {
  Records records;
  auto keep = [&](const AccessRecord &record) {
    if (record.lanes && record.block >= by.firstBlock)
      records.push_back(record);
  };
  keep(word.write);
  keep(word.other);
  for (; word.more; word.more = pool.pop(word.more))
    keep(pool.record(word.more));
  word.write = word.other = {};
  return records;
}

void putRecords(ShadowWord &word, RecordPool &pool, const Records &records) {
  for (const AccessRecord &record : records) {
    AccessRecord &room =
        record.accessKind() == AccessKind::Write ? word.write : word.other;
    if (!room.lanes)
      room = record;
    else
      word.more = pool.push(record, word.more);
  }
}

/// Takes away what an access takes the place of.
void replace(Records &records, AccessKind kind, unsigned bytes,
             const Accessor &by) {
  // Whatever this thread does has no order with other blocks, so one of their
  // accesses of each kind is as good as all.
  unsigned ofOtherBlocks = 0;
  for (AccessRecord &record : records) {
    if (kind == AccessKind::Write) {
      record.bytes &= ~bytes;
    } else if (record.accessKind() == kind) {
      if (record.block == by.block) {
        if (!(record.bytes & ~bytes))
          record.lanes = unorderedLanes(record, by);
      } else {
        record.bytes &= ~ofOtherBlocks;
        ofOtherBlocks |= record.bytes;
      }
    }
  }
  llvm::erase_if(records, [](const AccessRecord &record) {
    return !record.bytes || !record.lanes;
  });
}
} // namespace

std::optional<AccessRecord> ShadowWord::accessSlowly(RecordPool &pool,
                                                     AccessKind kind,
                                                     unsigned bytes,
                                                     const Accessor &by) {
  Records records = takeRecords(*this, pool, by);
  std::optional<AccessRecord> race;
  for (const AccessRecord &record : records) {
    if (race || !(record.bytes & bytes) || !conflict(record.accessKind(), kind))
      continue;
    if (LaneMask lanes = unorderedLanes(record, by)) {
      race = record;
      race->lanes = lanes;
    }
  }
  replace(records, kind, bytes, by);
  AccessRecord own = recordOf(by, kind, bytes);
  for (AccessRecord &record : records)
    if (record.block == own.block && record.warp == own.warp &&
        record.time == own.time && record.kind == own.kind &&
        record.bytes == own.bytes) {
      own.lanes |= record.lanes;
      record.lanes = 0;
    }
  llvm::erase_if(records,
                 [](const AccessRecord &record) { return !record.lanes; });
  // The latest comes first: the next access is most often like it.
  records.insert(records.begin(), own);
  putRecords(*this, pool, records);
  return race;
}

AccessRecord ShadowWord::pendingCopy(const RecordPool &pool,
                                     unsigned bytes) const {
  for (uint32_t index = more; index; index = pool.next(index)) {
    const AccessRecord &record = pool.record(index);
    if (record.accessKind() == AccessKind::Write && (record.bytes & bytes))
      return record;
  }
  return write;
}
