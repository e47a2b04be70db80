//===- ConvertToFragments.cpp - Work items in registers of a block --------===//
//
// Part of the Delta-Net project.
//
// Each operation of the plan reads its tensors as tiles and writes its results
// back; what one writes and the next reads then stays in registers, and a tile
// that a loop reads and writes in every turn is carried by it.
//
//===----------------------------------------------------------------------===//

#include "FragmentConverter.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_CONVERTTOFRAGMENTS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

void FragmentConverter::run() {
  for (Operation *op : plan.operations) {
    b.setLoc(op->getLoc());
    b.setInsertionPoint(op);
    if (auto step = dyn_cast<TokenStepOp>(op))
      convert(step);
    else if (auto dot = dyn_cast<linalg::DotOp>(op))
      convert(dot);
    else if (auto product = dyn_cast<linalg::MatmulOp>(op))
      convert(product);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      convert(pad);
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      convert(insert);
    else if (isReduction(op))
      convertReduction(cast<linalg::GenericOp>(op));
    else
      convertElementwise(cast<linalg::LinalgOp>(op));
  }
}

void FragmentConverter::replace(Operation *op, ValueRange results) {
  for (auto [old, result] : llvm::zip(op->getResults(), results)) {
    FragmentPlace place = placeOf(old);
    plan.places[result] = place;
  }
  rewriter.replaceOp(op, results);
}

/// The body of an operation of linalg on the elements of tiles, up to `end`.
/// Dimensions of the operation are those of the tile that `dims` tells.
static void cloneBody(OpBuilder &b, Block &body, Block::iterator end,
                      ArrayRef<int64_t> dims, IRMapping &mapping) {
  for (Operation &inner : llvm::make_range(body.begin(), end)) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(
          index.getResult(),
          IndexOp::create(b, inner.getLoc(), dims[index.getDim()]).getResult());
    else
      b.clone(inner, mapping);
  }
}

void FragmentConverter::convertElementwise(linalg::LinalgOp op) {
  FragmentPlace place = placeOf(op->getResult(0));
  Block &body = op->getRegion(0).front();
  bool isMove = isa<linalg::TransposeOp>(*op) ||
                (isa<linalg::CopyOp>(*op) &&
                 op->getOperand(0).getType() == op->getOperand(1).getType());
  SmallVector<Value> tiles;
  SmallVector<Type> types;
  SmallVector<std::optional<unsigned>> tileOf;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.get().getType());
    bool isUsed = !body.getArgument(operand.getOperandNumber()).use_empty();
    tileOf.push_back(std::nullopt);
    if (!isTensor || !isUsed)
      continue;
    tileOf.back() = tiles.size();
    tiles.push_back(b.load(nearby(operand.get(), place),
                           place.through(op.getMatchingIndexingMap(&operand))));
  }
  if (isMove)
    return replace(op, store(tiles[0], op.getDpsInits()[0]));
  for (Value out : op.getDpsInits())
    types.push_back(b.tileType(cast<RankedTensorType>(out.getType()), place));
  auto mapped = MapOp::create(
      b, types, tiles, [&](OpBuilder &nested, Location, ValueRange x) {
        IRMapping mapping;
        for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
          if (tileOf[number])
            mapping.map(argument, x[*tileOf[number]]);
          else if (!argument.use_empty())
            mapping.map(argument, op->getOperand(number));
        }
        Operation *end = body.getTerminator();
        cloneBody(nested, body, end->getIterator(), place.dims, mapping);
        return llvm::map_to_vector(end->getOperands(), [&](Value value) {
          return mapping.lookupOrDefault(value);
        });
      });
  SmallVector<Value> results;
  for (auto [tile, out] : llvm::zip(mapped.getResults(), op.getDpsInits()))
    results.push_back(b.store(tile, out, place));
  replace(op, results);
}

/// What is added up is computed for each element, and the sums are added to
/// what was there.
void FragmentConverter::convertReduction(linalg::GenericOp op) {
  Value input = op.getDpsInputs()[0], out = op.getDpsInits()[0];
  FragmentPlace place = placeOf(input), kept = placeOf(out);
  Block &body = *op.getBlock();
  Operation *combiner = body.getTerminator()->getOperand(0).getDefiningOp();
  Value result = body.getArgument(1);
  Value term = combiner->getOperand(combiner->getOperand(0) == result ? 1 : 0);
  auto type = b.tileType(
      RankedTensorType::get(cast<RankedTensorType>(input.getType()).getShape(),
                            b.getF32Type()),
      place);
  Value terms = b.map(type, load(input), [&](OpBuilder &nested, ValueRange x) {
    IRMapping mapping;
    mapping.map(body.getArgument(0), x[0]);
    cloneBody(nested, body, combiner->getIterator(), {}, mapping);
    return mapping.lookupOrDefault(term);
  });
  int64_t dimension = 1 - kept.dims[0];
  auto reduced = ReduceOp::create(
      b, b.tileType(cast<RankedTensorType>(out.getType()), kept), terms,
      dimension, isa<arith::MaxNumFOp>(combiner));
  Value combined =
      b.map(reduced.getType(), {load(out), reduced},
            [&](OpBuilder &nested, ValueRange x) {
              IRMapping mapping;
              mapping.map(result, x[0]);
              mapping.map(term, x[1]);
              return nested.clone(*combiner, mapping)->getResult(0);
            });
  replace(op, store(combined, out));
}

namespace {

/// A tile that is all of a work item's part of a result is stored there: no
/// loop that turned once has left the place that it would be inserted into.
void storeInPlace(tensor::ParallelInsertSliceOp insert, IRRewriter &rewriter) {
  auto store = insert.getSource().getDefiningOp<StoreOp>();
  auto loop = insert->getParentOfType<scf::ForallOp>();
  if (!store || store->getBlock() != loop.getBody() ||
      !store.getDest().getDefiningOp<bufferization::AllocTensorOp>())
    return;
  rewriter.moveOpBefore(store, loop.getTerminator());
  rewriter.setInsertionPoint(store);
  Value place = tensor::ExtractSliceOp::create(
      rewriter, insert.getLoc(),
      cast<RankedTensorType>(store.getDest().getType()), insert.getDest(),
      insert.getMixedOffsets(), insert.getMixedSizes(),
      insert.getMixedStrides());
  store.getDestMutable().assign(place);
}

struct ConvertToFragments
    : deltanet::impl::ConvertToFragmentsBase<ConvertToFragments> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (kernel.isExternal() || !kernel->hasAttr(DeltaNetDialect::kKernelAttr))
      return markAllAnalysesPreserved();
    SmallVector<FragmentPlan> plans;
    for (auto loop : kernel.getBody().front().getOps<scf::ForallOp>()) {
      auto schedule =
          loop->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
      if (!schedule || !schedule.isForGpu()) {
        InFlightDiagnostic error =
            loop.emitOpError("expected a schedule with warps for a GPU, got ");
        schedule ? error << schedule : error << "none";
        return signalPassFailure();
      }
      FailureOr<FragmentPlan> plan = planFragments(loop, schedule);
      if (failed(plan))
        return signalPassFailure();
      plans.push_back(std::move(*plan));
    }
    IRRewriter rewriter(&getContext());
    for (FragmentPlan &plan : plans)
      FragmentConverter(plan, rewriter).run();
    simplify(kernel);
    kernel.walk<WalkOrder::PostOrder>([&](LoopLikeOpInterface loop) {
      (void)hoistLoopInvariantSubsets(rewriter, loop);
    });
    simplify(kernel);
    kernel.walk([&](tensor::ParallelInsertSliceOp insert) {
      storeInPlace(insert, rewriter);
    });
    // What was only passed on in registers needs no memory.
    kernel.walk([&](bufferization::AllocTensorOp alloc) {
      if (alloc->use_empty())
        rewriter.eraseOp(alloc);
    });
  }
};

} // namespace
