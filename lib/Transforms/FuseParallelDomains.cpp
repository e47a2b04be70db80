//===- FuseParallelDomains.cpp - Merge phases that share work items -------===//
//
// Part of the Delta-Net project.
//
// Pairs are merged in three rounds, the cheapest first: loops over the same
// work items; chunks into the loop of their sequence; pairs for which the
// members of a key head must become a loop inside the item. Each round repeats
// until no pair of its kind is left. What is not merged gives its reason as a
// remark.
//
//===----------------------------------------------------------------------===//

#include "MergePhases.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Remarks.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_FUSEPARALLELDOMAINS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

using Kind = FusionDecision::Kind;

struct Pair {
  PhaseLoop producer, consumer;
  FusionDecision decision;
};

/// Every pair of which one uses a result of the other, the nearest producer of
/// each consumer first.
SmallVector<Pair> getPairs(func::FuncOp function) {
  SmallVector<PhaseLoop> loops;
  for (auto loop : function.getBody().getOps<scf::ForallOp>())
    if (std::optional<PhaseLoop> phase = PhaseLoop::get(loop))
      loops.push_back(*phase);
  SmallVector<Pair> pairs;
  for (auto [position, consumer] : llvm::enumerate(loops))
    for (PhaseLoop producer :
         llvm::reverse(ArrayRef(loops).take_front(position)))
      if (!getReads(producer, consumer).empty())
        pairs.push_back({producer, consumer, decideFusion(producer, consumer)});
  return pairs;
}

remark::RemarkOpts remarkOptions(func::FuncOp function) {
  return remark::RemarkOpts::name("fusion")
      .category("deltanet-fusion")
      .function(function.getName());
}

void reportOthers(func::FuncOp function) {
  for (auto loop : function.getBody().getOps<scf::ForallOp>())
    if (loop->hasAttr(DomainAttr::kName) && !PhaseLoop::get(loop))
      remark::missed(loop.getLoc(), remarkOptions(function))
          << remark::add("kept a loop with a domain as it is")
          << remark::reason("expected a schedule, an axis for each dimension, "
                            "and one tile inserted into each output");
}

void fuse(func::FuncOp function) {
  auto isOfRound = [](const FusionDecision &decision, unsigned round) {
    switch (round) {
    case 0:
      return decision.kind == Kind::SameItems;
    case 1:
      return decision.kind == Kind::InsideSequence && !decision.demotesMember;
    default:
      return decision.kind != Kind::Keep;
    }
  };
  for (unsigned round = 0; round < 3; ++round) {
    for (bool changed = true; changed;) {
      changed = false;
      for (Pair &pair : getPairs(function)) {
        if (!isOfRound(pair.decision, round))
          continue;
        remark::passed(pair.consumer.getLoop().getLoc(),
                       remarkOptions(function))
            << remark::add("merged {0} with {1}", pair.producer.describe(),
                           pair.consumer.describe())
            << remark::reason("{0}", pair.decision.reason);
        mergePhases(pair.producer, pair.consumer, pair.decision);
        changed = true;
        break;
      }
    }
  }
  for (Pair &pair : getPairs(function))
    remark::missed(pair.consumer.getLoop().getLoc(), remarkOptions(function))
        << remark::add("kept {0} and {1} apart", pair.producer.describe(),
                       pair.consumer.describe())
        << remark::reason("{0}", pair.decision.reason);
}

struct FuseParallelDomains
    : deltanet::impl::FuseParallelDomainsBase<FuseParallelDomains> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    reportOthers(function);
    if (getPairs(function).empty())
      return markAllAnalysesPreserved();
    fuse(function);
    simplify(function);
  }
};

} // namespace
