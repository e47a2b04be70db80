//===- MergePhases.cpp - One parallel loop for two phases -----------------===//
//
// Part of the Delta-Net project.
//
// The consumer keeps its place. Its outputs, and where its work is a branch the
// results of that, grow by the producer's tiles that other loops read. Then the
// producer's work is copied in front of the consumer's, and reads of its tiles
// become uses of them.
//
//===----------------------------------------------------------------------===//

#include "MergePhases.h"
#include "AxisDemotion.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class Merge {
public:
  Merge(PhaseLoop producer, PhaseLoop consumer)
      : producer(producer), consumer(consumer), branch(consumer.getBranch()),
        work(consumer.getWork()), chunks(consumer.getChunkLoop()),
        builder(consumer.getLoop().getContext()),
        loc(producer.getLoop().getLoc()) {}

  PhaseLoop run() {
    nameConsumer();
    growOutputs();
    mapIndices();
    SmallVector<Value> tiles = copyProducer();
    for (OpOperand *read : getReads(producer, consumer)) {
      auto slice = cast<tensor::ExtractSliceOp>(read->getOwner());
      unsigned number = cast<OpResult>(read->get()).getResultNumber();
      slice.replaceAllUsesWith(tiles[number]);
      slice.erase();
    }
    if (!kept.empty())
      yieldKept(tiles);
    scf::ForallOp loop = producer.getLoop();
    loop->erase();
    return consumer;
  }

private:
  /// The merged loop computes the phases of both, over the consumer's axes.
  void nameConsumer() {
    SmallVector<Phase> phases(producer.getDomain().getPhases());
    llvm::append_range(phases, consumer.getDomain().getPhases());
    llvm::sort(phases);
    scf::ForallOp loop = consumer.getLoop();
    loop->setAttr(DomainAttr::kName,
                  DomainAttr::get(loop.getContext(), phases,
                                  consumer.getDomain().getAxes()));
    consumer = *PhaseLoop::get(loop);
  }

  /// Outputs of the producer that other loops read become the first outputs of
  /// the consumer.
  void growOutputs() {
    scf::ForallOp from = producer.getLoop(), old = consumer.getLoop();
    SmallVector<Value> outputs;
    for (OpResult result : from.getResults())
      if (!llvm::all_of(result.getUsers(), [&](Operation *user) {
            return old->isProperAncestor(user);
          })) {
        kept.push_back(result.getResultNumber());
        outputs.push_back(from.getOutputs()[result.getResultNumber()]);
      }
    if (kept.empty())
      return;
    llvm::append_range(outputs, old.getOutputs());
    builder.setInsertionPoint(old);
    auto grown = scf::ForallOp::create(builder, loc, old.getMixedUpperBound(),
                                       outputs, std::nullopt);
    grown->setDiscardableAttrs(old->getDiscardableAttrDictionary());
    Block *body = grown.getBody();
    body->getTerminator()->erase();
    body->getOperations().splice(body->end(), old.getBody()->getOperations());
    for (auto [before, after] :
         llvm::zip(old.getInductionVars(), grown.getInductionVars()))
      before.replaceAllUsesWith(after);
    for (auto [before, after] :
         llvm::zip(old.getRegionIterArgs(),
                   grown.getRegionIterArgs().drop_front(kept.size())))
      before.replaceAllUsesWith(after);
    for (auto [before, after] : llvm::zip(
             old.getResults(), grown.getResults().drop_front(kept.size())))
      before.replaceAllUsesWith(after);
    for (auto [position, number] : llvm::enumerate(kept))
      from.getResult(number).replaceUsesWithIf(
          grown.getResult(position), [&](OpOperand &use) {
            return !grown->isProperAncestor(use.getOwner());
          });
    old->erase();
    consumer = consumer.in(grown);
  }

  bool isInsideSequence() { return chunks && producer.has(Axis::Chunk); }

  void mapIndices() {
    for (Axis axis : producer.getDomain().getAxes())
      mapping.map(producer.getIndex(axis), consumer.has(axis)
                                               ? consumer.getIndex(axis)
                                               : chunks.getInductionVar());
  }

  SmallVector<Value> copyProducer() {
    scf::ForallOp from = producer.getLoop(), to = consumer.getLoop();
    builder.setInsertionPointToStart(isInsideSequence() ? chunks.getBody()
                                                        : to.getBody());
    SmallVector<Operation *> copied;
    scf::IfOp condition = producer.getBranch();
    for (Operation &op : from.getBody()->without_terminator()) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      auto shared =
          slice ? dyn_cast<BlockArgument>(slice.getSource()) : BlockArgument();
      if (&op == condition)
        continue;
      if (shared && llvm::is_contained(from.getRegionIterArgs(), shared))
        copyOutputSlice(slice, shared.getArgNumber() - from.getRank());
      else if (auto owner = dyn_cast<SlotSequenceOp>(op);
               owner && consumer.has(Axis::Sequence))
        mapping.map(owner.getSequence(), consumer.getIndex(Axis::Sequence));
      else if (condition)
        builder.clone(op, mapping);
      else
        copied.push_back(&op);
    }
    if (condition)
      for (Operation &op : condition.thenBlock()->without_terminator())
        copied.push_back(&op);
    // What a branch needs stands in front of it; the work goes into it.
    if (!isInsideSequence() && branch)
      builder.setInsertionPointToStart(work);
    for (auto &[out, type] : scratch)
      mapping.map(out, bufferization::AllocTensorOp::create(builder, loc, type,
                                                            ValueRange()));
    for (Operation *op : copied)
      builder.clone(*op, mapping);
    SmallVector<Value> tiles;
    for (unsigned number = 0; number < from.getNumResults(); ++number) {
      Value tile = producer.getTile(number);
      if (condition)
        tile = condition.thenYield().getOperand(
            cast<OpResult>(tile).getResultNumber());
      tiles.push_back(mapping.lookupOrDefault(tile));
    }
    return tiles;
  }

  /// Where the producer writes a tile: the same place for an output that is
  /// kept, else scratch.
  void copyOutputSlice(tensor::ExtractSliceOp slice, unsigned number) {
    auto position = llvm::find(kept, number);
    if (position == kept.end()) {
      scratch.push_back({slice.getResult(), slice.getType()});
      return;
    }
    scf::ForallOp to = consumer.getLoop();
    mapping.map(slice.getSource(),
                to.getRegionIterArgs()[position - kept.begin()]);
    keptSlices[number] =
        cast<tensor::ExtractSliceOp>(builder.clone(*slice, mapping));
  }

  void yieldKept(ArrayRef<Value> tiles) {
    SmallVector<Value> results;
    for (unsigned number : kept)
      results.push_back(tiles[number]);
    if (branch)
      results = growBranch(results);
    scf::ForallOp to = consumer.getLoop();
    builder.setInsertionPointToStart(to.getTerminator().getBody());
    for (auto [position, number] : llvm::enumerate(kept)) {
      tensor::ExtractSliceOp slice = keptSlices[number];
      tensor::ParallelInsertSliceOp::create(
          builder, loc, results[position], to.getRegionIterArgs()[position],
          slice.getMixedOffsets(), slice.getMixedSizes(),
          slice.getMixedStrides());
    }
  }

  /// The branch with `values` as its first results, and the slices they replace
  /// as those of the other branch.
  SmallVector<Value> growBranch(ArrayRef<Value> values) {
    SmallVector<Type> types(
        llvm::map_range(values, [](Value value) { return value.getType(); }));
    llvm::append_range(types, branch.getResultTypes());
    builder.setInsertionPoint(branch);
    auto grown = scf::IfOp::create(builder, branch.getLoc(), types,
                                   branch.getCondition(),
                                   /*addThenBlock=*/true,
                                   /*addElseBlock=*/true);
    SmallVector<Value> unchanged;
    for (unsigned number : kept)
      unchanged.push_back(keptSlices[number]);
    for (auto [from, to, first] :
         {std::tuple{branch.thenBlock(), grown.thenBlock(), values},
          std::tuple{branch.elseBlock(), grown.elseBlock(),
                     ArrayRef<Value>(unchanged)}}) {
      to->getOperations().splice(to->end(), from->getOperations());
      to->getTerminator()->insertOperands(0, first);
    }
    for (auto [before, after] : llvm::zip(
             branch.getResults(), grown.getResults().drop_front(values.size())))
      before.replaceAllUsesWith(after);
    branch->erase();
    return llvm::to_vector_of<Value>(
        grown.getResults().take_front(values.size()));
  }

  PhaseLoop producer, consumer;
  /// The consumer's branch, work and sequential loop, where it has them.
  scf::IfOp branch;
  Block *work;
  scf::ForOp chunks;
  OpBuilder builder;
  Location loc;
  IRMapping mapping;
  /// Numbers of the producer's outputs that stay outputs, and their slices.
  SmallVector<unsigned> kept;
  DenseMap<unsigned, tensor::ExtractSliceOp> keptSlices;
  SmallVector<std::pair<Value, RankedTensorType>> scratch;
};

} // namespace

PhaseLoop deltanet::mergePhases(PhaseLoop producer, PhaseLoop consumer,
                                const FusionDecision &decision) {
  if (decision.demotesMember)
    consumer = demoteAxis(consumer, Axis::Member);
  return Merge(producer, consumer).run();
}
