//===- ParallelDomains.cpp - When two phases share their work items -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ParallelDomains.h"
#include "AxisDemotion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Every output gets one tile.
static bool insertsOnce(scf::ForallOp loop) {
  SmallVector<Value> written;
  for (Operation &op : loop.getTerminator().getYieldingOps()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
    if (!insert || llvm::is_contained(written, insert.getDest()))
      return false;
    written.push_back(insert.getDest());
  }
  return written.size() == loop.getNumResults();
}

std::optional<PhaseLoop> PhaseLoop::get(scf::ForallOp loop) {
  auto domain = loop->getAttrOfType<DomainAttr>(DomainAttr::kName);
  auto schedule =
      loop->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
  if (!domain || !schedule ||
      static_cast<int64_t>(domain.getAxes().size()) != loop.getRank() ||
      !loop.isNormalized() || !insertsOnce(loop))
    return std::nullopt;
  return PhaseLoop(loop, domain, schedule);
}

bool PhaseLoop::has(Axis axis) const {
  return llvm::is_contained(domain.getAxes(), axis);
}

static unsigned positionOf(DomainAttr domain, Axis axis) {
  return llvm::find(domain.getAxes(), axis) - domain.getAxes().begin();
}

Value PhaseLoop::getIndex(Axis axis) const {
  scf::ForallOp op = loop;
  return op.getInductionVar(positionOf(domain, axis));
}

OpFoldResult PhaseLoop::getBound(Axis axis) const {
  scf::ForallOp op = loop;
  return op.getMixedUpperBound()[positionOf(domain, axis)];
}

Value PhaseLoop::getTile(unsigned number) const {
  scf::ForallOp op = loop;
  BlockArgument shared = op.getRegionIterArgs()[number];
  for (Operation &insert : op.getTerminator().getYieldingOps()) {
    auto slice = cast<tensor::ParallelInsertSliceOp>(insert);
    if (slice.getDest() == shared)
      return slice.getSource();
  }
  llvm_unreachable("a phase inserts a tile into every output");
}

scf::IfOp PhaseLoop::getBranch() const {
  scf::ForallOp op = loop;
  scf::IfOp branch;
  for (unsigned number = 0; number < op.getNumResults(); ++number) {
    auto source = getTile(number).getDefiningOp<scf::IfOp>();
    if (!source || (branch && source != branch))
      return scf::IfOp();
    branch = source;
  }
  return branch;
}

Block *PhaseLoop::getWork() const {
  scf::ForallOp op = loop;
  scf::IfOp branch = getBranch();
  return branch ? branch.thenBlock() : op.getBody();
}

scf::ForOp PhaseLoop::getChunkLoop() const {
  for (auto inner : getWork()->getOps<scf::ForOp>()) {
    auto axis = inner->getAttrOfType<AxisAttr>(DomainAttr::kAxisName);
    if (axis && axis.getValue() == Axis::Chunk)
      return inner;
  }
  return scf::ForOp();
}

std::string PhaseLoop::describe() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(domain.getPhases(), stream,
                        [&](Phase phase) { stream << stringifyPhase(phase); });
  stream << "] over (";
  llvm::interleaveComma(domain.getAxes(), stream,
                        [&](Axis axis) { stream << stringifyAxis(axis); });
  stream << ')';
  return text;
}

SmallVector<OpOperand *> deltanet::getReads(PhaseLoop producer,
                                            PhaseLoop consumer) {
  SmallVector<OpOperand *> reads;
  for (Value result : producer.getLoop().getResults())
    for (OpOperand &use : result.getUses())
      if (consumer.getLoop()->isProperAncestor(use.getOwner()))
        reads.push_back(&use);
  return reads;
}

namespace {

/// Compares two computations of scalars in the bodies of two loops.
class SameComputation {
public:
  void assume(Value left, Value right) { equal.insert({left, right}); }

  bool operator()(Value left, Value right) {
    if (left == right || equal.contains({left, right}))
      return true;
    Operation *a = left.getDefiningOp(), *b = right.getDefiningOp();
    if (!a || !b || a->getNumRegions() || b->getNumRegions() ||
        a->getName() != b->getName() ||
        a->getNumOperands() != b->getNumOperands() ||
        a->getAttrDictionary() != b->getAttrDictionary() ||
        a->getResultTypes() != b->getResultTypes() ||
        cast<OpResult>(left).getResultNumber() !=
            cast<OpResult>(right).getResultNumber())
      return false;
    for (auto [x, y] : llvm::zip(a->getOperands(), b->getOperands()))
      if (!(*this)(x, y))
        return false;
    equal.insert({left, right});
    return true;
  }

private:
  DenseSet<std::pair<Value, Value>> equal;
};

/// Decides for one pair; each check gives the reason for keeping two loops.
class DomainRule {
public:
  DomainRule(PhaseLoop producer, PhaseLoop consumer)
      : producer(producer), consumer(consumer) {}

  FusionDecision decide() {
    FusionDecision decision = axes();
    if (decision.kind == FusionDecision::Kind::Keep)
      return decision;
    for (auto check :
         {&DomainRule::order, &DomainRule::bounds, &DomainRule::reads,
          &DomainRule::conditions, &DomainRule::locality})
      if (std::optional<std::string> reason = (this->*check)(decision))
        return keep(*reason);
    if (decision.demotesMember)
      if (auto reason = whyNotDemoted(consumer, Axis::Member))
        return keep(*reason);
    return decision;
  }

private:
  using Kind = FusionDecision::Kind;
  using Reason = std::optional<std::string>;

  static FusionDecision keep(std::string reason) {
    return {Kind::Keep, false, std::move(reason)};
  }

  /// Which work items the two share, by the names of their axes.
  FusionDecision axes() {
    if (producer.getSchedule() != consumer.getSchedule())
      return keep("they belong to different schedules");
    ArrayRef<Axis> from = producer.getDomain().getAxes();
    ArrayRef<Axis> to = consumer.getDomain().getAxes();
    if (from == to)
      return {Kind::SameItems, false, "both run over the same work items"};
    bool intoSequence = producer.has(Axis::Chunk) && consumer.getChunkLoop();
    if (intoSequence &&
        producer.getSchedule().getStaging() == Staging::TwoStage)
      return keep(
          "staging = two_stage keeps the chunks of a sequence parallel");
    for (Axis axis : from)
      if (!consumer.has(axis) && !(axis == Axis::Chunk && intoSequence))
        return keep("the consumer has no " + stringifyAxis(axis).str() +
                    " axis");
    bool demotes = false;
    for (Axis axis : to) {
      if (producer.has(axis) || (axis == Axis::Sequence && intoSequence))
        continue;
      if (axis != Axis::Member)
        return keep("the producer would be repeated for each item of axis " +
                    stringifyAxis(axis).str());
      demotes = true;
    }
    return {intoSequence ? Kind::InsideSequence : Kind::SubLoop, demotes,
            intoSequence ? "the producer's chunks are those of the consumer's "
                           "sequence"
                         : "the consumer's members are a local loop of the "
                           "producer's work items"};
  }

  /// The merged loop takes the consumer's place.
  Reason order(const FusionDecision &) {
    for (Operation *user : producer.getLoop()->getUsers()) {
      Operation *ancestor =
          consumer.getLoop()->getBlock()->findAncestorOpInBlock(*user);
      if (!ancestor || ancestor->isBeforeInBlock(consumer.getLoop()))
        return "a loop between them uses the producer's results";
    }
    return std::nullopt;
  }

  Reason bounds(const FusionDecision &) {
    for (Axis axis : producer.getDomain().getAxes())
      if (consumer.has(axis) &&
          !isEqualConstantIntOrValue(producer.getBound(axis),
                                     consumer.getBound(axis)))
        return "their extents of axis " + stringifyAxis(axis).str() + " differ";
    return std::nullopt;
  }

  /// The index of the consumer that stands for an axis of the producer.
  Value indexOf(Axis axis) {
    if (consumer.has(axis))
      return consumer.getIndex(axis);
    return consumer.getChunkLoop().getInductionVar();
  }

  /// Offsets name one tile: the indices of the axes, then zeros.
  bool namesTile(ArrayRef<OpFoldResult> offsets,
                 function_ref<Value(Axis)> index) {
    ArrayRef<Axis> axes = producer.getDomain().getAxes();
    if (offsets.size() < axes.size())
      return false;
    for (auto [offset, axis] : llvm::zip(offsets, axes))
      if (offset.dyn_cast<Value>() != index(axis))
        return false;
    return llvm::all_of(offsets.drop_front(axes.size()),
                        [](OpFoldResult at) { return isZeroInteger(at); });
  }

  /// Each read takes the tile of the item that the read is in.
  Reason reads(const FusionDecision &) {
    scf::ForallOp loop = producer.getLoop();
    for (Operation &op : loop.getTerminator().getYieldingOps()) {
      auto insert = cast<tensor::ParallelInsertSliceOp>(op);
      if (!namesTile(insert.getMixedOffsets(),
                     [&](Axis axis) { return producer.getIndex(axis); }))
        return "an output of the producer is not one tile an item";
    }
    for (OpOperand *read : getReads(producer, consumer)) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(read->getOwner());
      unsigned number = cast<OpResult>(read->get()).getResultNumber();
      if (!slice || slice.getType() != producer.getTile(number).getType() ||
          !namesTile(slice.getMixedOffsets(),
                     [&](Axis axis) { return indexOf(axis); }))
        return "the consumer reads tiles of other work items";
    }
    return std::nullopt;
  }

  /// Both work on the same items. Inside a sequence there is nothing to
  /// compare: its loop runs over its own chunks only.
  Reason conditions(const FusionDecision &decision) {
    if (decision.kind == Kind::InsideSequence)
      return std::nullopt;
    scf::IfOp from = producer.getBranch(), to = consumer.getBranch();
    SameComputation same;
    for (Axis axis : producer.getDomain().getAxes())
      same.assume(producer.getIndex(axis), consumer.getIndex(axis));
    if (static_cast<bool>(from) != static_cast<bool>(to) ||
        (from && !same(from.getCondition(), to.getCondition())))
      return "they leave out different work items";
    return std::nullopt;
  }

  /// What a sequence's loop makes is gone after the chunk.
  Reason locality(const FusionDecision &decision) {
    if (decision.kind != Kind::InsideSequence)
      return std::nullopt;
    for (Operation *user : producer.getLoop()->getUsers())
      if (!consumer.getLoop()->isProperAncestor(user))
        return "another loop uses the producer's results";
    return std::nullopt;
  }

  PhaseLoop producer, consumer;
};

} // namespace

FusionDecision deltanet::decideFusion(PhaseLoop producer, PhaseLoop consumer) {
  return DomainRule(producer, consumer).decide();
}
