//===- ParallelDomains.h - When two phases share their work items ---------===//
//
// Part of the Delta-Net project.
//
// The parallel-domain rule: two loops may be merged only if they run over the
// same independent work items, or one over a local part of the other's; what
// passes between them is used by the same item only; and merging neither makes
// one item depend on another nor repeats work.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_PARALLELDOMAINS_H
#define DELTANET_LIB_TRANSFORMS_PARALLELDOMAINS_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>
#include <string>

namespace mlir::deltanet {

/// A parallel loop that names its phases and axes, and the parts of its body:
/// index arithmetic and slices of the outputs, then the work, which is either a
/// branch of an scf.if that yields every output or the rest of the body.
class PhaseLoop {
public:
  /// Null unless the loop carries a schedule and a domain with an axis for each
  /// of its dimensions, which count from 0 by 1, and inserts one tile into each
  /// of its outputs.
  static std::optional<PhaseLoop> get(scf::ForallOp loop);

  /// This phase in another loop, whose outputs need not be complete yet.
  PhaseLoop in(scf::ForallOp other) const {
    return PhaseLoop(other, domain, schedule);
  }

  scf::ForallOp getLoop() const { return loop; }
  DomainAttr getDomain() const { return domain; }
  ScheduleAttr getSchedule() const { return schedule; }
  bool has(Axis axis) const;
  /// The induction variable of an axis of the parallel loop.
  Value getIndex(Axis axis) const;
  OpFoldResult getBound(Axis axis) const;

  /// The branch that yields all outputs; null where the work always happens.
  scf::IfOp getBranch() const;
  Block *getWork() const;
  /// The sequential loop over the chunks of a sequence, null if there is none.
  scf::ForOp getChunkLoop() const;
  /// The tile that the parallel loop inserts into output `number`.
  Value getTile(unsigned number) const;
  /// "[gather, gram] over (chunk, key_head)".
  std::string describe() const;

private:
  PhaseLoop(scf::ForallOp loop, DomainAttr domain, ScheduleAttr schedule)
      : loop(loop), domain(domain), schedule(schedule) {}

  scf::ForallOp loop;
  DomainAttr domain;
  ScheduleAttr schedule;
};

struct FusionDecision {
  enum class Kind {
    Keep,          // two loops
    SameItems,     // the same axes
    SubLoop,       // the consumer's member axis becomes a loop inside the item
    InsideSequence // the producer's chunks are those of the consumer's loop
  };
  Kind kind;
  /// The consumer's member axis must become a loop inside its item first.
  bool demotesMember;
  std::string reason;
};

/// Whether the loop that makes a value and the loop that uses it become one.
/// `consumer` uses a result of `producer`, and both are in one block.
FusionDecision decideFusion(PhaseLoop producer, PhaseLoop consumer);

/// The reads of the producer's results inside the consumer's body.
SmallVector<OpOperand *> getReads(PhaseLoop producer, PhaseLoop consumer);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_PARALLELDOMAINS_H
