//===- SharedElements.cpp - What one thread computes of an operation ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SharedElements.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Neighbours that one thread computes together or sums turn by turn, as many
/// as it can access at once.
constexpr int64_t kNeighbours = 4;

/// Whether all operands have the neighbours of the last dimension side by side,
/// or are the same for all of them.
static bool hasNeighbours(linalg::LinalgOp op) {
  unsigned last = op.getNumLoops() - 1;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type || !map.isFunctionOfDim(last))
      return true;
    AffineExpr own = getAffineDimExpr(last, op.getContext());
    return type.isLastDimUnitStride() && map.getResults().back() == own &&
           llvm::none_of(map.getResults().drop_back(), [&](AffineExpr result) {
             return result.isFunctionOfDim(last);
           });
  });
}

FailureOr<SharedElements> SharedElements::find(linalg::LinalgOp op,
                                               int64_t threads) {
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
  if (!op->hasAttr(DeltaNetDialect::kTogetherAttr)) {
    elements.findNeighbours(threads);
    return elements;
  }
  if (elements.parallel.size() < 2 ||
      ShapedType::isDynamic(op.getStaticLoopRanges()[elements.parallel.back()]))
    return op->emitOpError("expected a last parallel dimension of a static "
                           "size beside others for '")
           << DeltaNetDialect::kTogetherAttr << "', got none";
  elements.together = elements.parallel.pop_back_val();
  elements.count = op.getStaticLoopRanges()[*elements.together];
  return elements;
}

void SharedElements::findNeighbours(int64_t threads) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!reductions.empty() || ranges.empty() ||
      ShapedType::isDynamicShape(ranges) || ranges.back() % kNeighbours ||
      ShapedType::getNumElements(ranges) / kNeighbours < threads ||
      !hasNeighbours(op))
    return;
  together = parallel.back();
  count = kNeighbours;
  areGroups = true;
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
    if (elements.areGroups)
      sizes.back() =
          b.createOrFold<arith::DivUIOp>(sizes.back(), index(elements.count));
    findPlaces();
    if (elements.areGroups)
      first = b.createOrFold<arith::MulIOp>(
          getValueOrCreateConstantIndexOp(b, b.getLoc(), places.back()),
          index(elements.count));
    // Those of one operand after the other.
    SmallVector<Value> sums;
    for (OpOperand &out : op.getDpsInitsMutable())
      llvm::append_range(sums, load(out));
    sums = reduce(elements.reductions, sums);
    ArrayRef<Value> rest = sums;
    for (OpOperand &out : op.getDpsInitsMutable()) {
      store(rest.take_front(elements.count), out);
      rest = rest.drop_front(elements.count);
    }
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

  void forEachTogether(function_ref<void(int64_t)> body) {
    for (int64_t i = 0; i < elements.count; ++i) {
      if (elements.together)
        places[*elements.together] = getTogether(i);
      body(i);
    }
  }

  /// The place of an element of those together.
  OpFoldResult getTogether(int64_t i) {
    if (!elements.areGroups)
      return b.getIndexAttr(i);
    return b.createOrFold<arith::AddIOp>(first, index(i));
  }

  SmallVector<Value> indices(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedMultiResultAffineApply(b, b.getLoc(), map,
                                                         places));
  }

  bool isSameForAll(OpOperand &operand) {
    return !elements.together ||
           !op.getMatchingIndexingMap(&operand).isFunctionOfDim(
               *elements.together);
  }

  /// Whether a group of neighbours lies at a multiple of its size, so that it
  /// is accessed at once.
  bool isWide(OpOperand &operand) {
    if (!elements.areGroups || isSameForAll(operand))
      return false;
    auto type = cast<MemRefType>(operand.get().getType());
    auto [strides, offset] = type.getStridesAndOffset();
    auto isMultiple = [&](int64_t number) {
      return !ShapedType::isDynamic(number) && number % elements.count == 0;
    };
    return fragment::isInSpace(type, fragment::kSharedSpace) &&
           isMultiple(offset) &&
           llvm::all_of(ArrayRef(strides).drop_back(), isMultiple);
  }
  llvm::Align alignmentOf(OpOperand &operand) {
    auto type = cast<MemRefType>(operand.get().getType());
    return llvm::Align(elements.count * type.getElementTypeBitWidth() / 8);
  }

  /// Of those together; nothing for what the body does not use.
  SmallVector<Value> load(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      return SmallVector<Value>(elements.count, operand.get());
    bool isSum = op.isDpsInit(&operand) && !elements.reductions.empty();
    SmallVector<Value> values(elements.count);
    if (!isSum && op.getMatchingBlockArgument(&operand).use_empty())
      return values;
    Value ofAll;
    if (isWide(operand)) {
      places[*elements.together] = getTogether(0);
      ofAll = vector::LoadOp::create(
          b, VectorType::get(elements.count, type.getElementType()),
          operand.get(), indices(operand), /*nontemporal=*/false,
          alignmentOf(operand));
      for (auto [i, value] : llvm::enumerate(values))
        value = vector::ExtractOp::create(b, ofAll, i);
      return values;
    }
    forEachTogether([&](int64_t i) {
      if (!ofAll || !isSameForAll(operand))
        ofAll = memref::LoadOp::create(b, operand.get(), indices(operand));
      values[i] = ofAll;
    });
    return values;
  }

  void store(ArrayRef<Value> values, OpOperand &out) {
    if (isWide(out)) {
      places[*elements.together] = getTogether(0);
      Type element = values.front().getType();
      Value ofAll = vector::FromElementsOp::create(
          b, VectorType::get(elements.count, element), values);
      vector::StoreOp::create(b, ofAll, out.get(), indices(out),
                              /*nontemporal=*/false, alignmentOf(out));
      return;
    }
    forEachTogether([&](int64_t i) {
      memref::StoreOp::create(b, values[i], out.get(), indices(out));
    });
  }

  SmallVector<Value> reduce(ArrayRef<unsigned> dimensions, ValueRange sums) {
    if (dimensions.empty())
      return compute(sums);
    Value zero = index(0), one = index(1);
    auto loop =
        scf::ForOp::create(b, zero, sizes[dimensions.front()], one, sums);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      places[dimensions.front()] = loop.getInductionVar();
      scf::YieldOp::create(
          b, reduce(dimensions.drop_front(), loop.getRegionIterArgs()));
    }
    // What turns read side by side is read at once, whether or not LLVM
    // unrolls.
    if (std::optional<llvm::APInt> turns = loop.getStaticTripCount();
        turns && turns->ugt(kNeighbours) && turns->urem(kNeighbours) == 0)
      (void)loopUnrollByFactor(loop, kNeighbours);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// All loads come before the first body: its stores may be to the same
  /// memory.
  SmallVector<Value> compute(ValueRange sums) {
    SmallVector<std::pair<Value, SmallVector<Value>>> arguments;
    for (OpOperand *input : op.getDpsInputOperands())
      arguments.push_back({op.getMatchingBlockArgument(input), load(*input)});
    for (OpOperand &out : op.getDpsInitsMutable()) {
      arguments.push_back(
          {op.getMatchingBlockArgument(&out),
           SmallVector<Value>(sums.take_front(elements.count))});
      sums = sums.drop_front(elements.count);
    }
    Operation *end = op.getBlock()->getTerminator();
    SmallVector<Value> results(end->getNumOperands() * elements.count);
    forEachTogether([&](int64_t i) {
      IRMapping mapping;
      for (const auto &[argument, values] : arguments)
        if (values[i])
          mapping.map(argument, values[i]);
      for (Operation &inner : op.getBlock()->without_terminator())
        clone(inner, mapping);
      for (auto [number, value] : llvm::enumerate(end->getOperands()))
        results[number * elements.count + i] = mapping.lookupOrDefault(value);
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
  /// The first of the neighbours at hand.
  Value first;
};

} // namespace

void SharedElements::distribute(RewriterBase &rewriter, Value thread,
                                int64_t threads) {
  rewriter.setInsertionPoint(op);
  ElementWriter(*this, rewriter, thread, threads).run();
  rewriter.eraseOp(op);
}
