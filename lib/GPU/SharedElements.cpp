//===- SharedElements.cpp - What one thread computes of an operation ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SharedElements.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

FailureOr<SharedElements> SharedElements::find(linalg::LinalgOp op) {
  SharedElements elements;
  elements.op = op;
  if (!op.hasPureBufferSemantics())
    return op->emitOpError("expected memory to share, got tensors");
  for (auto [number, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    (iterator == utils::IteratorType::parallel ? elements.parallel
                                               : elements.reductions)
        .push_back(number);
  for (OpOperand &out : op.getDpsInitsMutable())
    for (unsigned reduced : elements.reductions)
      if (op.getMatchingIndexingMap(&out).isFunctionOfDim(reduced))
        return op->emitOpError("expected results that no reduced dimension "
                               "numbers, got one that dimension ")
               << reduced << " does";
  if (!op->hasAttr(DeltaNetDialect::kTogetherAttr))
    return elements;
  if (elements.parallel.size() < 2 ||
      ShapedType::isDynamic(op.getStaticLoopRanges()[elements.parallel.back()]))
    return op->emitOpError("expected a last parallel dimension of a static "
                           "size beside others for '")
           << DeltaNetDialect::kTogetherAttr << "', got none";
  elements.together = elements.parallel.pop_back_val();
  elements.count = op.getStaticLoopRanges()[*elements.together];
  return elements;
}

namespace {

class ElementWriter {
public:
  ElementWriter(const SharedElements &elements, RewriterBase &rewriter,
                Value thread, int64_t threads)
      : elements(elements), op(elements.op), b(op.getLoc(), rewriter),
        thread(thread), threads(threads), places(op.getNumLoops()) {}

  void run() {
    for (Range range : op.createLoopRanges(b, op.getLoc()))
      sizes.push_back(
          getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size));
    findPlaces();
    // Those of one element after the other.
    SmallVector<Value> sums;
    forEachTogether([&] {
      for (OpOperand &out : op.getDpsInitsMutable())
        sums.push_back(load(out));
    });
    sums = reduce(elements.reductions, sums);
    ArrayRef<Value> rest = sums;
    forEachTogether([&] {
      for (OpOperand &out : op.getDpsInitsMutable()) {
        memref::StoreOp::create(b, rest.front(), out.get(), indices(out));
        rest = rest.drop_front();
      }
    });
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  /// Goes through the elements that are this thread's, if there is more than
  /// one.
  void findPlaces() {
    if (elements.parallel.empty())
      return;
    Value count = index(1);
    for (unsigned dimension : elements.parallel)
      count = b.createOrFold<arith::MulIOp>(count, sizes[dimension]);
    auto loop = scf::ForOp::create(b, thread, count, index(threads));
    b.setInsertionPointToStart(loop.getBody());
    Value rest = loop.getInductionVar();
    for (unsigned dimension :
         llvm::reverse(llvm::drop_begin(elements.parallel))) {
      places[dimension] =
          arith::RemUIOp::create(b, rest, sizes[dimension]).getResult();
      rest = arith::DivUIOp::create(b, rest, sizes[dimension]);
    }
    places[elements.parallel.front()] = rest;
  }

  void forEachTogether(function_ref<void()> body) {
    for (int64_t i = 0; i < elements.count; ++i) {
      if (elements.together)
        places[*elements.together] = b.getIndexAttr(i);
      body();
    }
  }

  SmallVector<Value> indices(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedMultiResultAffineApply(b, b.getLoc(), map,
                                                         places));
  }

  /// Nothing for what the body does not use.
  Value load(OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    bool isSum = op.isDpsInit(&operand) && !elements.reductions.empty();
    if (!isSum && op.getMatchingBlockArgument(&operand).use_empty())
      return {};
    return memref::LoadOp::create(b, operand.get(), indices(operand));
  }

  SmallVector<Value> reduce(ArrayRef<unsigned> dimensions, ValueRange sums) {
    if (dimensions.empty())
      return compute(sums);
    Value zero = index(0), one = index(1);
    auto loop =
        scf::ForOp::create(b, zero, sizes[dimensions.front()], one, sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    places[dimensions.front()] = loop.getInductionVar();
    scf::YieldOp::create(
        b, reduce(dimensions.drop_front(), loop.getRegionIterArgs()));
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// All loads come before the first body: its stores may be to the same
  /// memory.
  SmallVector<Value> compute(ValueRange sums) {
    DenseMap<OpOperand *, Value> ofAll;
    SmallVector<IRMapping> mappings;
    forEachTogether([&] {
      IRMapping &mapping = mappings.emplace_back();
      for (OpOperand *input : op.getDpsInputOperands()) {
        bool isOfAll = !elements.together ||
                       !op.getMatchingIndexingMap(input).isFunctionOfDim(
                           *elements.together);
        Value &shared = ofAll[input];
        Value value = isOfAll && shared ? shared : load(*input);
        if (isOfAll)
          shared = value;
        if (value)
          mapping.map(op.getMatchingBlockArgument(input), value);
      }
      for (OpOperand &out : op.getDpsInitsMutable()) {
        if (sums.front())
          mapping.map(op.getMatchingBlockArgument(&out), sums.front());
        sums = sums.drop_front();
      }
    });
    SmallVector<Value> results;
    ArrayRef<IRMapping> rest = mappings;
    forEachTogether([&] {
      IRMapping mapping = rest.front();
      rest = rest.drop_front();
      for (Operation &inner : op.getBlock()->without_terminator())
        clone(inner, mapping);
      for (Value value : op.getBlock()->getTerminator()->getOperands())
        results.push_back(mapping.lookupOrDefault(value));
    });
    return results;
  }

  void clone(Operation &inner, IRMapping &mapping) {
    auto placeOf = [&](linalg::IndexOp number) {
      return getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                             places[number.getDim()]);
    };
    if (auto number = dyn_cast<linalg::IndexOp>(inner))
      return mapping.map(number.getResult(), placeOf(number));
    b.clone(inner, mapping)->walk([&](linalg::IndexOp number) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(number);
      number.replaceAllUsesWith(placeOf(number));
      number.erase();
    });
  }

  const SharedElements &elements;
  linalg::LinalgOp op;
  ImplicitLocOpBuilder b;
  Value thread;
  int64_t threads;
  SmallVector<Value> sizes;
  /// Of each dimension, the number of the element at hand.
  SmallVector<OpFoldResult> places;
};

} // namespace

void SharedElements::distribute(RewriterBase &rewriter, Value thread,
                                int64_t threads) {
  rewriter.setInsertionPoint(op);
  ElementWriter(*this, rewriter, thread, threads).run();
  rewriter.eraseOp(op);
}
