//===- TileToRegisters.cpp - Cut linalg operations into register blocks ---===//
//
// Part of the Delta-Net project.
//
// 1. Destinations: every operation that starts from an empty tensor gets one of
//    its own, so that no later simplification merges two of them; every
//    contraction gets its own fill.
// 2. Everything that is no product: loops over pieces of rows.
// 3. Products: columns outside, rows inside, so that one panel of the
//    right-hand side stays in L1 while all rows pass. What prepares
//    accumulators and what consumes them is fused into the row loop. Remainder
//    rows are peeled.
// 4. The reduction of each block, one step a turn.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "RegisterTiles.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Remarks.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_TILETOREGISTERS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using linalg::LinalgOp;

namespace {

/// A clone of the defining operation for this use alone.
void cloneForUse(IRRewriter &rewriter, OpOperand &use) {
  rewriter.setInsertionPoint(use.getOwner());
  use.set(rewriter.clone(*use.get().getDefiningOp())->getResult(0));
}

/// Step 1. Every use of a fill as a destination and of an empty tensor gets its
/// own. What ends as a part of another tensor is then made there at once; all
/// other empty tensors become allocations.
LogicalResult separateDestinations(IRRewriter &rewriter, scf::ForallOp loop) {
  SmallVector<LinalgOp> ops;
  loop.walk([&](LinalgOp op) { ops.push_back(op); });
  for (LinalgOp op : ops)
    for (OpOperand &init : op.getDpsInitsMutable())
      if (init.get().getDefiningOp<linalg::FillOp>() && !init.get().hasOneUse())
        cloneForUse(rewriter, init);
  SmallVector<OpOperand *> emptyUses;
  loop.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getDefiningOp<tensor::EmptyOp>())
        emptyUses.push_back(&operand);
  });
  for (OpOperand *use : emptyUses)
    cloneForUse(rewriter, *use);
  if (failed(bufferization::eliminateEmptyTensors(rewriter, loop)))
    return failure();
  SmallVector<tensor::EmptyOp> left;
  loop.walk([&](tensor::EmptyOp op) { left.push_back(op); });
  for (tensor::EmptyOp empty : left) {
    rewriter.setInsertionPoint(empty);
    rewriter.replaceOpWithNewOp<bufferization::AllocTensorOp>(
        empty, empty.getType(), empty.getDynamicSizes());
  }
  return success();
}

SmallVector<OpFoldResult> asIndices(Builder builder, ArrayRef<int64_t> sizes) {
  return getAsIndexOpFoldResult(builder.getContext(), sizes);
}

/// Contractions that end in one epilogue, and what is computed with them.
struct Product {
  /// The last operation: the epilogue, or the contraction itself.
  LinalgOp root;
  RegisterTile tile;
  /// Contractions, links of the chains and accumulators' beginnings.
  llvm::SetVector<Operation *> fused;
};

struct Plan {
  SmallVector<Product> products;
  SmallVector<LinalgOp> rows;
};

/// Tile of the last operation of a chain, whose loops are those of the result
/// of the contraction.
RegisterTile tileOfEpilogue(LinalgOp contraction, const RegisterTile &tile) {
  RegisterTile result{TileKind::Elementwise, {}, 0, tile.reason};
  AffineMap map =
      contraction.getMatchingIndexingMap(contraction.getDpsInitOperand(0));
  for (AffineExpr expr : map.getResults())
    result.sizes.push_back(tile.sizes[cast<AffineDimExpr>(expr).getPosition()]);
  result.column = map.getNumResults() - 1;
  return result;
}

Plan analyse(scf::ForallOp loop, ScheduleAttr schedule) {
  llvm::MapVector<Operation *, Product> products;
  llvm::DenseSet<Operation *> planned;
  loop.walk([&](LinalgOp op) {
    RegisterTile tile = chooseTile(op, schedule);
    if (tile.kind != TileKind::Contraction &&
        tile.kind != TileKind::MatrixProduct)
      return;
    LinalgOp root = findEpilogue(op);
    if (root != op)
      tile = tileOfEpilogue(op, tile);
    auto &product =
        products.try_emplace(root, Product{root, tile, {}}).first->second;
    for (Operation *link = op; link != root;
         link = *link->getResult(0).getUsers().begin())
      product.fused.insert(link);
    Operation *init = op.getDpsInitOperand(0)->get().getDefiningOp();
    if (init && init->getBlock() == op->getBlock() && isAccumulatorInit(init))
      product.fused.insert(init);
    planned.insert(root);
    planned.insert(product.fused.begin(), product.fused.end());
  });
  Plan plan;
  for (auto &entry : products)
    plan.products.push_back(std::move(entry.second));
  loop.walk([&](LinalgOp op) {
    if (!planned.contains(op))
      plan.rows.push_back(op);
  });
  return plan;
}

/// Step 2: loops around one operation.
LogicalResult tileAlone(IRRewriter &rewriter, LinalgOp op,
                        ArrayRef<int64_t> sizes, StringRef mark = {}) {
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    return success();
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(asIndices(rewriter, sizes));
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> result = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), tiling);
  if (failed(result))
    return op.emitOpError("expected an operation that can be tiled");
  rewriter.replaceOp(op, result->replacements);
  if (!mark.empty())
    for (LoopLikeOpInterface loop : result->loops)
      loop->setAttr(mark, rewriter.getUnitAttr());
  return success();
}

/// "64x16": tile sizes and loop ranges as remarks name them. Loops that are not
/// cut here are left out, unknown ranges are a question mark.
std::string shapeOf(ArrayRef<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes) {
    if (size == 0)
      continue;
    text += text.empty() ? "" : "x";
    text += ShapedType::isDynamic(size) ? "?" : std::to_string(size);
  }
  return text;
}

/// Lets the rows from `begin` on run in blocks of `rows`, as a loop behind this
/// one; the new loop.
scf::ForOp splitLoop(IRRewriter &rewriter, scf::ForOp loop, int64_t begin,
                     int64_t rows) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value border = arith::ConstantIndexOp::create(rewriter, loc, begin);
  Value step = arith::ConstantIndexOp::create(rewriter, loc, rows);
  int64_t oldRows = *getConstantIntValue(loop.getStep());
  rewriter.setInsertionPointAfter(loop);
  auto rest = cast<scf::ForOp>(rewriter.clone(*loop));
  rewriter.replaceAllUsesWith(loop.getResults(), rest.getResults());
  rewriter.modifyOpInPlace(loop, [&] { loop.setUpperBound(border); });
  rewriter.modifyOpInPlace(rest, [&] {
    rest.setLowerBound(border);
    rest.setStep(step);
    rest.getInitArgsMutable().assign(loop.getResults());
  });
  // The size of a block, where the rows may end before it.
  AffineExpr was = rewriter.getAffineConstantExpr(oldRows);
  AffineExpr is = rewriter.getAffineConstantExpr(rows);
  rest.walk([&](affine::AffineMinOp size) {
    if (llvm::is_contained(size.getOperands(), rest.getInductionVar()))
      rewriter.modifyOpInPlace(
          size, [&] { size.setMap(size.getMap().replace({{was, is}})); });
  });
  return rest;
}

/// Gives the remainder of a loop over blocks a block of its own. One that is
/// too small to keep the units busy shares its rows with the last whole block:
/// 6+2 become 4+4.
void cutRemainder(IRRewriter &rewriter, scf::ForOp loop) {
  auto begin = getConstantIntValue(loop.getLowerBound());
  auto end = getConstantIntValue(loop.getUpperBound());
  auto rows = getConstantIntValue(loop.getStep());
  if (begin && end && rows && *end - *begin > *rows) {
    int64_t rest = (*end - *begin) % *rows;
    if (rest != 0 && 2 * rest < *rows)
      loop = splitLoop(rewriter, loop, *end - rest - *rows,
                       llvm::divideCeil(rest + *rows, 2));
  }
  scf::ForOp peeled;
  // Failure says that nothing remains.
  (void)scf::peelForLoopAndSimplifyBounds(rewriter, loop, peeled);
}

void report(const Product &product) {
  LinalgOp root = product.root;
  remark::passed(root.getLoc(),
                 remark::RemarkOpts::name("blocks")
                     .category("deltanet-tiles")
                     .function(root->getParentOfType<func::FuncOp>().getName()))
      << remark::add("{0} in blocks of {1}, {2} operations fused",
                     shapeOf(root.getStaticLoopRanges()),
                     shapeOf(product.tile.sizes), product.fused.size())
      << remark::reason("{0}", product.tile.reason);
}

/// Step 3: tiles the last operation of a product and fuses the others.
LogicalResult tileProduct(IRRewriter &rewriter, const Product &product) {
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(asIndices(rewriter, product.tile.sizes));
  SmallVector<int64_t> order(1, product.tile.column);
  for (int64_t loop = 0, end = product.tile.sizes.size(); loop < end; ++loop)
    if (loop != product.tile.column)
      order.push_back(loop);
  tiling.setInterchange(order);

  scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(tiling);
  options.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (product.fused.contains(producer.getOwner()))
          return scf::SCFTileAndFuseOptions::ControlFnResult{};
        return std::nullopt;
      });
  LinalgOp root = product.root;
  report(product);
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(result))
    return root.emitOpError("expected a product that can be tiled");
  for (Value old : root->getResults())
    rewriter.replaceAllUsesWith(old, result->replacements.lookup(old));
  rewriter.eraseOp(root);
  for (LoopLikeOpInterface loop : result->loops)
    cutRemainder(rewriter, cast<scf::ForOp>(loop.getOperation()));
  return success();
}

/// Step 4. Rows are reduced along the vector, as far as their length is known.
LogicalResult tileReductions(IRRewriter &rewriter, scf::ForallOp loop,
                             ScheduleAttr schedule) {
  SmallVector<LinalgOp> reductions;
  loop.walk([&](LinalgOp op) {
    if (op.getNumReductionLoops())
      reductions.push_back(op);
  });
  for (LinalgOp op : reductions) {
    TileKind kind = chooseTile(op, schedule).kind;
    // Becomes a loop when it becomes vectors.
    if (kind == TileKind::MatrixProduct)
      continue;
    bool alongVector = kind == TileKind::RowReduction;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SmallVector<int64_t> sizes(ranges.size(), 0);
    SmallVector<unsigned> loops;
    op.getReductionDims(loops);
    for (unsigned dim : loops)
      if (!alongVector || ShapedType::isDynamic(ranges[dim]) ||
          dim != loops.back())
        sizes[dim] = 1;
    if (failed(tileAlone(rewriter, op, sizes, DeltaNetDialect::kReductionAttr)))
      return failure();
  }
  return success();
}

void simplifyTiles(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
  scf::populateSCFForLoopCanonicalizationPatterns(patterns);
  simplify(kernel, std::move(patterns));
}

FailureOr<ScheduleAttr> scheduleOf(scf::ForallOp loop) {
  auto schedule =
      loop->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
  if (schedule)
    return schedule;
  return loop.emitOpError("expected attribute '")
         << DeltaNetDialect::kScheduleAttr
         << "' on a parallel loop of a kernel";
}

/// Tiles of a matrix unit are cut by what their loops are.
LogicalResult verifyMatrixTiles(func::FuncOp kernel) {
  WalkResult verified = kernel.walk([](LinalgOp op) -> WalkResult {
    return op->hasAttr(DeltaNetDialect::kMatrixTilesAttr)
               ? deltanet::verifyMatrixTiles(op)
               : success();
  });
  return failure(verified.wasInterrupted());
}

/// Steps 1 to 3.
LogicalResult tileBlocks(IRRewriter &rewriter, scf::ForallOp loop,
                         ScheduleAttr schedule) {
  if (failed(separateDestinations(rewriter, loop)))
    return failure();
  Plan plan = analyse(loop, schedule);
  for (LinalgOp op : plan.rows)
    if (failed(tileAlone(rewriter, op, chooseTile(op, schedule).sizes)))
      return failure();
  for (const Product &product : plan.products)
    if (failed(tileProduct(rewriter, product)))
      return failure();
  return success();
}

struct TileToRegisters : deltanet::impl::TileToRegistersBase<TileToRegisters> {
  LogicalResult tile(func::FuncOp kernel) {
    if (failed(verifyMatrixTiles(kernel)))
      return failure();
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<scf::ForallOp, ScheduleAttr>> loops;
    for (auto loop : kernel.getBody().front().getOps<scf::ForallOp>()) {
      FailureOr<ScheduleAttr> schedule = scheduleOf(loop);
      if (failed(schedule))
        return failure();
      loops.push_back({loop, *schedule});
    }
    for (auto [loop, schedule] : loops)
      if (failed(tileBlocks(rewriter, loop, schedule)))
        return failure();
    simplifyTiles(kernel);
    // Simplification may have replaced the loops.
    for (auto loop :
         llvm::to_vector(kernel.getBody().front().getOps<scf::ForallOp>()))
      if (failed(tileReductions(rewriter, loop, *scheduleOf(loop))))
        return failure();
    simplifyTiles(kernel);
    return success();
  }

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (kernel.isExternal() || !kernel->hasAttr(DeltaNetDialect::kKernelAttr))
      return markAllAnalysesPreserved();
    if (failed(tile(kernel)))
      return signalPassFailure();
  }
};

} // namespace
