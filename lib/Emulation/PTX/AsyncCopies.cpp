//===- AsyncCopies.cpp - Copies that threads have not waited for ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"
#include "Block.h"

using namespace mlir::deltanet::ptx;

void AsyncCopies::commit(unsigned lane) {
  OfLane &own = lanes[lane];
  own.groups.push_back(std::move(own.open));
  own.open.clear();
}

std::vector<AsyncCopy> AsyncCopies::finish(unsigned lane, uint64_t groups) {
  std::vector<std::vector<AsyncCopy>> &own = lanes[lane].groups;
  std::vector<AsyncCopy> finished;
  if (own.size() <= groups)
    return finished;
  auto end = own.end() - groups;
  for (auto group = own.begin(); group != end; ++group)
    finished.insert(finished.end(), group->begin(), group->end());
  own.erase(own.begin(), end);
  return finished;
}

size_t AsyncCopies::countLeft(unsigned lane) const {
  size_t count = lanes[lane].open.size();
  for (const std::vector<AsyncCopy> &group : lanes[lane].groups)
    count += group.size();
  return count;
}

void mlir::deltanet::ptx::checkNoCopies(Warp &warp, LaneMask mask) {
  if (!warp.block.grid.options.checks)
    return;
  forEachLane(mask, [&](unsigned lane) {
    if (size_t left = warp.copies.countLeft(lane))
      warp.report(
          FindingKind::UnwaitedCopy, lane,
          "expected a wait for all copies before the thread ends, got " +
              llvm::Twine(left) + " without one");
  });
}
