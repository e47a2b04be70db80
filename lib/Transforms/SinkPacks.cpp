//===- SinkPacks.cpp - Pack while the elements are at hand ----------------===//
//
// Part of the Delta-Net project.
//
// A pack that follows an elementwise operation reads again what that has just
// written. Both become one operation with two results, if the elementwise one
// runs over static rows and nothing else stands between. Right-hand tiles of a
// matrix unit that deltanet.tril_solve has made the rows of are written by it.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "SolvedTiles.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_SINKPACKS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// A pack [R/w,w,K] → [R/w,K,w] of what an elementwise operation makes.
struct SinkablePack {
  linalg::TransposeOp pack;
  tensor::ExpandShapeOp split;
  linalg::GenericOp producer;
};

/// The pack, or why it stays where it is.
struct SinkDecision {
  std::optional<SinkablePack> sinkable;
  StringRef reason;
};

/// A scalar, or a tensor whose dimensions can be split.
bool isWhole(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return type.isIntOrIndexOrFloat() ||
         (tensor && tensor.hasStaticShape() && !tensor.getEncoding());
}

SinkDecision decide(linalg::TransposeOp pack) {
  auto keep = [](StringRef reason) {
    return SinkDecision{std::nullopt, reason};
  };
  auto split = pack.getInput().getDefiningOp<tensor::ExpandShapeOp>();
  auto producer =
      split ? split.getSrc().getDefiningOp<linalg::GenericOp>() : nullptr;
  if (!producer)
    return keep("no elementwise operation on whole tiles precedes it");
  unsigned rank = producer.getNumLoops();
  if (producer->getBlock() != pack->getBlock() ||
      producer.getNumResults() != 1 || rank != 2 ||
      producer.getNumParallelLoops() != rank ||
      !producer.getMatchingIndexingMap(producer.getDpsInitOperand(0))
           .isIdentity() ||
      producer.hasIndexSemantics() || !isMemoryEffectFree(producer))
    return keep("the operation before it is not elementwise");
  if (!llvm::all_of(producer->getOperandTypes(), isWhole))
    return keep("the operation before it has tensors that cannot be split");
  if (!llvm::all_of(producer.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation() &&
               (map.getNumResults() < 2 || map.isIdentity());
      }))
    return keep("the operation before it permutes its operands");
  for (Operation *user : producer->getUsers()) {
    Operation *op = pack->getBlock()->findAncestorOpInBlock(*user);
    if (op && user != split && op->isBeforeInBlock(pack))
      return keep("its rows are used before it");
  }
  if (!split->hasOneUse())
    return keep("others use the split rows");
  if (!split.getResultType().hasStaticShape() ||
      split.getReassociationIndices() !=
          SmallVector<ReassociationIndices>{{0, 1}, {2}})
    return keep("the pack does not split rows");
  return {SinkablePack{pack, split, producer}, ""};
}

/// Splits the rows of a vector or matrix like the pack does.
Value splitRows(OpBuilder &builder, Location loc, Value tensor,
                RankedTensorType like) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(like.getShape().take_front(2));
  shape.append(type.getShape().begin() + 1, type.getShape().end());
  SmallVector<ReassociationIndices> groups{{0, 1}};
  if (type.getRank() == 2)
    groups.push_back({2});
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      groups);
}

void sink(const SinkablePack &sinkable) {
  linalg::GenericOp producer = sinkable.producer;
  linalg::TransposeOp pack = sinkable.pack;
  tensor::ExpandShapeOp split = sinkable.split;
  OpBuilder builder(pack);
  Location loc = producer.getLoc();
  MLIRContext *context = builder.getContext();
  AffineExpr block, row, column;
  bindDims(context, block, row, column);
  RankedTensorType blocks = split.getResultType();

  // (row, column) of the producer is (block, row, column) now.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : producer.getDpsInputOperands()) {
    SmallVector<AffineExpr> dimensions;
    Value tensor = input->get();
    for (AffineExpr result :
         producer.getMatchingIndexingMap(input).getResults()) {
      if (cast<AffineDimExpr>(result).getPosition() == 0) {
        dimensions.append({block, row});
        tensor = splitRows(builder, loc, tensor, blocks);
      } else {
        dimensions.push_back(column);
      }
    }
    inputs.push_back(tensor);
    maps.push_back(AffineMap::get(3, 0, dimensions, context));
  }
  SmallVector<Value> outs{
      splitRows(builder, loc, producer.getDpsInits()[0], blocks),
      pack.getInit()};
  maps.push_back(AffineMap::get(3, 0, {block, row, column}, context));
  maps.push_back(AffineMap::get(3, 0, {block, column, row}, context));
  SmallVector<utils::IteratorType> iterators(3, utils::IteratorType::parallel);
  auto both = linalg::GenericOp::create(
      builder, loc, TypeRange(ValueRange(outs)), inputs, outs, maps, iterators,
      [&](OpBuilder &nested, Location inner, ValueRange arguments) {
        IRMapping mapping;
        Block *body = producer.getBody();
        mapping.map(body->getArguments(), arguments.drop_back());
        for (Operation &op : body->without_terminator())
          nested.clone(op, mapping);
        Value element =
            mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
        linalg::YieldOp::create(nested, inner, ValueRange{element, element});
      });
  Value rows = tensor::CollapseShapeOp::create(
      builder, loc, producer.getResult(0).getType(), both.getResult(0),
      split.getReassociationIndices());
  pack->getResult(0).replaceAllUsesWith(both.getResult(1));
  producer.getResult(0).replaceAllUsesExcept(rows, split);
  pack->erase();
  split->erase();
  producer->erase();
}

remark::RemarkOpts remarkOptions(func::FuncOp function) {
  return remark::RemarkOpts::name("pack")
      .category("deltanet-layout")
      .function(function.getName());
}

void reportKept(Operation *pack, StringRef reason) {
  remark::missed(pack->getLoc(),
                 remarkOptions(pack->getParentOfType<func::FuncOp>()))
      << remark::add("kept a pack in a pass of its own")
      << remark::reason("{0}", reason);
}

/// Packs of panels into elementwise operations; whether there were any.
bool sinkPanels(func::FuncOp function) {
  SmallVector<linalg::TransposeOp> packs;
  function.walk([&](linalg::TransposeOp op) {
    if (op.getPermutation() == ArrayRef<int64_t>{0, 2, 1})
      packs.push_back(op);
  });
  for (linalg::TransposeOp pack : packs) {
    SinkDecision decision = decide(pack);
    if (!decision.sinkable) {
      reportKept(pack, decision.reason);
      continue;
    }
    remark::passed(pack.getLoc(), remarkOptions(function))
        << remark::add("packed in the pass of the operation before");
    sink(*decision.sinkable);
  }
  return !packs.empty();
}

/// Packs of tiles into solves; whether there were any. Those of whole matrices
/// come last, and with them those of their parts.
bool sinkTiles(func::FuncOp function) {
  llvm::SetVector<linalg::GenericOp> packs;
  function.walk([&](linalg::GenericOp op) {
    if (isPackOf(op, OperandForm::Right, OperandPart::Rounded))
      packs.insert(op);
  });
  bool any = !packs.empty();
  while (!packs.empty()) {
    linalg::GenericOp pack = packs.pop_back_val();
    SolvedTilesDecision decision = decideSolvedTiles(pack);
    if (!decision.tiles) {
      reportKept(pack, decision.reason);
      continue;
    }
    remark::passed(pack.getLoc(), remarkOptions(function)) << remark::add(
        "{0} packs of tiles written by {1} solves",
        decision.tiles->packs.size(), decision.tiles->results.size());
    for (linalg::GenericOp read : decision.tiles->packs)
      packs.remove(read);
    writeSolvedTiles(*decision.tiles);
  }
  return any;
}

struct SinkPacks : deltanet::impl::SinkPacksBase<SinkPacks> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool hadPanels = sinkPanels(function), hadTiles = sinkTiles(function);
    if (!hadPanels && !hadTiles)
      return markAllAnalysesPreserved();
    simplify(function);
  }
};

} // namespace
