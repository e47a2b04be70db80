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
    if (record.lanes && record.block() >= by.firstBlock)
      records.push_back(record);
  };
  keep(word.write);
  keep(word.other);
  for (; word.more; word.more = pool.pop(word.more))
    keep(pool.record(word.more));
  word.write = word.other = {};
  word.isMixed = false;
  return records;
}

void putRecords(ShadowWord &word, RecordPool &pool, const Records &records) {
  for (const AccessRecord &record : records) {
    AccessRecord &room =
        record.kind() == AccessKind::Write ? word.write : word.other;
    if (!room.lanes) {
      room = record;
      continue;
    }
    word.more = pool.push(record, word.more);
    word.isMixed |= record.kind() != AccessKind::Read;
  }
}

/// Takes away what an access takes the place of.
void replace(Records &records, const Accessor &by, const AccessRecord &own) {
  // Whatever this thread does has no order with other blocks, so one of their
  // accesses of each kind is as good as all.
  unsigned ofOtherBlocks = 0;
  for (AccessRecord &record : records) {
    if (own.kind() == AccessKind::Write) {
      record.removeBytes(own.bytes());
    } else if (record.kind() == own.kind()) {
      if (record.block() == by.block) {
        if (!(record.bytes() & ~own.bytes()))
          record.lanes = unorderedLanes(record, by, own);
      } else {
        record.removeBytes(ofOtherBlocks);
        ofOtherBlocks |= record.bytes();
      }
    }
  }
}

bool isNothing(const AccessRecord &record) {
  return !record.bytes() || !record.lanes;
}
} // namespace

std::optional<AccessRecord> ShadowWord::accessSlowly(RecordPool &pool,
                                                     const Accessor &by,
                                                     AccessRecord own) {
  Records records = takeRecords(*this, pool, by);
  std::optional<AccessRecord> race;
  for (const AccessRecord &record : records) {
    if (race || !(record.bytes() & own.bytes()) ||
        !conflict(record.kind(), own.kind()))
      continue;
    if (LaneMask lanes = unorderedLanes(record, by, own)) {
      race = record;
      race->lanes = lanes;
    }
  }
  replace(records, by, own);
  for (AccessRecord &record : records)
    if (record.isLike(own)) {
      own.lanes |= record.lanes;
      record.lanes = 0;
    }
  llvm::erase_if(records, isNothing);
  // The latest comes first: the next access is most often like it.
  records.insert(records.begin(), own);
  putRecords(*this, pool, records);
  return race;
}

AccessRecord ShadowWord::pendingCopy(const RecordPool &pool,
                                     unsigned bytes) const {
  for (uint32_t index = more; index; index = pool.next(index)) {
    const AccessRecord &record = pool.record(index);
    if (record.kind() == AccessKind::Write && (record.bytes() & bytes))
      return record;
  }
  return write;
}
