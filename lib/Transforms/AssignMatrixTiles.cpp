//===- AssignMatrixTiles.cpp - Products as those of a matrix unit ---------===//
//
// Part of the Delta-Net project.
//
// Where the schedule names a matrix unit, every product of matrices becomes one
// of tiles (MatrixTiles.h). An operand is packed once, where the matrix that it
// is a part of is made, and the products take parts of the pack.
//
//===----------------------------------------------------------------------===//

#include "Divisibility.h"
#include "MatrixTiles.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_ASSIGNMATRIXTILES
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// A matrix, a part of it, or all.
struct Operand {
  Value matrix;
  SmallVector<OpFoldResult> offsets, sizes;
  OperandForm form;
};

struct MatrixProduct {
  linalg::MatmulOp product;
  Operand left, right;
  /// Operands that are rounded to the sum of two numbers of bf16.
  bool splitsLeft, splitsRight;
};

/// Elements of a tile along rows and columns of a matrix of the form.
std::array<int64_t, 2> tileOf(OperandForm form) {
  bool sumsFirst =
      form == OperandForm::LeftTransposed || form == OperandForm::Right;
  return sumsFirst ? std::array{kTileSums, kTileSide}
                   : std::array{kTileSide, kTileSums};
}

/// The part is one of whole tiles of a static matrix.
LogicalResult verifyWholeTiles(linalg::MatmulOp product,
                               const Operand &operand) {
  auto type = cast<RankedTensorType>(operand.matrix.getType());
  auto isMultiple = [](OpFoldResult value, int64_t of) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return *constant % of == 0;
    return isMultipleOf(cast<Value>(value), of);
  };
  for (auto [size, offset, length, tile] :
       llvm::zip(type.getShape(), operand.offsets, operand.sizes,
                 tileOf(operand.form))) {
    if (ShapedType::isDynamic(size) || size % tile || !isMultiple(length, tile))
      return product.emitOpError("expected operands of whole tiles of 16 x 32 "
                                 "elements of bf16, got a part of ")
             << type;
    if (!isMultiple(offset, tile)) {
      InFlightDiagnostic error =
          product.emitOpError("expected an operand at a multiple of the ")
          << tile << " elements of a tile, got a part of " << type << " at ";
      if (std::optional<int64_t> constant = getConstantIntValue(offset))
        return error << *constant;
      return error << "an offset that is not known to be one";
    }
  }
  return success();
}

/// What does not depend on the place of an operand: maps, elements, and rows
/// and columns of whole tiles.
LogicalResult verifyMatrices(linalg::MatmulOp product) {
  AffineExpr m, n, l;
  bindDims(product.getContext(), m, n, l);
  auto maps = product.getIndexingMapsArray();
  auto is = [&](AffineMap map, AffineExpr first, AffineExpr second) {
    return map == AffineMap::get(3, 0, {first, second}, product.getContext());
  };
  if (!(is(maps[0], m, l) || is(maps[0], l, m)) ||
      !(is(maps[1], l, n) || is(maps[1], n, l)) || !is(maps[2], m, n))
    return product.emitOpError("expected operands as they lie or transposed, "
                               "and sums as they lie, got ")
           << product.getIndexingMaps();
  for (OpOperand &operand : product->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || !type.getElementType().isF32())
      return product.emitOpError("expected tensors of f32, got ")
             << operand.get().getType();
    AffineMap map = product.getMatchingIndexingMap(&operand);
    for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape()))
      if (expr != l && (ShapedType::isDynamic(size) || size % kTileSide))
        return product.emitOpError("expected static rows and columns of whole "
                                   "tiles of 16 elements, got ")
               << type;
  }
  return success();
}

Operand operandOf(Value value, OperandForm form) {
  OpBuilder builder(value.getContext());
  // A part whose place is known is packed alone: others of the same matrix may
  // never be multiplied.
  auto isKnown = [](ArrayRef<OpFoldResult> values) {
    return llvm::all_of(values, [](OpFoldResult value) {
      return getConstantIntValue(value).has_value();
    });
  };
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    if (slice.getSourceType().getRank() == 2 && slice.hasUnitStride() &&
        !(isKnown(slice.getMixedOffsets()) && isKnown(slice.getMixedSizes())))
      return {slice.getSource(), slice.getMixedOffsets(), slice.getMixedSizes(),
              form};
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : cast<RankedTensorType>(value.getType()).getShape())
    sizes.push_back(builder.getIndexAttr(size));
  return {value,
          SmallVector<OpFoldResult>(sizes.size(), builder.getIndexAttr(0)),
          sizes, form};
}

FailureOr<MatrixProduct> analyse(linalg::MatmulOp product) {
  if (failed(verifyMatrices(product)))
    return failure();
  AffineExpr m, n, l;
  bindDims(product.getContext(), m, n, l);
  auto maps = product.getIndexingMapsArray();
  auto isTransposed = [&](AffineMap map, AffineExpr row, AffineExpr column) {
    return map == AffineMap::get(3, 0, {column, row}, product.getContext());
  };
  MatrixProduct result{
      product,
      operandOf(product.getInputs()[0], isTransposed(maps[0], m, l)
                                            ? OperandForm::LeftTransposed
                                            : OperandForm::Left),
      operandOf(product.getInputs()[1], isTransposed(maps[1], l, n)
                                            ? OperandForm::RightTransposed
                                            : OperandForm::Right),
      /*splitsLeft=*/false, /*splitsRight=*/false};
  if (failed(verifyWholeTiles(product, result.left)) ||
      failed(verifyWholeTiles(product, result.right)))
    return failure();
  if (auto split = product->getAttrOfType<DenseBoolArrayAttr>(
          DeltaNetDialect::kSplitOperandsAttr)) {
    result.splitsLeft = split[0];
    result.splitsRight = split[1];
  }
  return result;
}

/// Writes packs and products of tiles.
class Rewriter {
public:
  explicit Rewriter(Location loc, MLIRContext *context) : b(loc, context) {}

  void rewrite(const MatrixProduct &matrixProduct) {
    linalg::MatmulOp product = matrixProduct.product;
    Value left = tiles(matrixProduct.left, OperandPart::Rounded, product);
    Value right = tiles(matrixProduct.right, OperandPart::Rounded, product);
    b.setInsertionPoint(product);
    Value sums = product.getOutputs()[0];
    auto type = cast<RankedTensorType>(sums.getType());
    // A fill of the split sums can be fused with the product.
    if (auto fill = sums.getDefiningOp<linalg::FillOp>())
      sums = linalg::FillOp::create(b, fill.getInputs(),
                                    splitSums(b, fill.getOutputs()[0]))
                 .getResult(0);
    else
      sums = splitSums(b, sums);
    // The product of both rests is below what f32 holds. Small terms first.
    if (matrixProduct.splitsLeft)
      sums = multiplyTiles(
          b, tiles(matrixProduct.left, OperandPart::Rest, product), right,
          sums);
    if (matrixProduct.splitsRight)
      sums = multiplyTiles(
          b, left, tiles(matrixProduct.right, OperandPart::Rest, product),
          sums);
    sums = multiplyTiles(b, left, right, sums);
    Value done = joinSums(b, sums, type);
    product.getResult(0).replaceAllUsesWith(done);
    // Later products may know this one's result as their operand.
    replacements[product.getResult(0)] = done;
    replaced.push_back(product);
  }

  void eraseReplaced() {
    for (linalg::MatmulOp product : llvm::reverse(replaced))
      product->erase();
  }

  unsigned packCount() const { return packs.size(); }

private:
  /// The tiles of the operand, of a pack that is made once.
  Value tiles(const Operand &operand, OperandPart part, Operation *user) {
    Value matrix = operand.matrix;
    if (Value replacement = replacements.lookup(matrix))
      matrix = replacement;
    Value &packed = packs[{matrix, operand.form, part}];
    if (!packed) {
      b.setInsertionPointAfterValue(matrix);
      packed = packTiles(b, matrix, operand.form, part);
    }
    b.setInsertionPoint(user);
    // The outer dimensions of a pack: rows and sums, or sums and columns.
    SmallVector<OpFoldResult> offsets, sizes;
    for (auto [offset, size, tile] :
         llvm::zip(operand.offsets, operand.sizes, tileOf(operand.form))) {
      offsets.push_back(inTiles(offset, tile));
      sizes.push_back(inTiles(size, tile));
    }
    if (operand.form == OperandForm::LeftTransposed ||
        operand.form == OperandForm::RightTransposed) {
      std::swap(offsets[0], offsets[1]);
      std::swap(sizes[0], sizes[1]);
    }
    auto type = cast<RankedTensorType>(packed.getType());
    for (int64_t size : type.getShape().drop_front(2)) {
      offsets.push_back(b.attr(0));
      sizes.push_back(b.attr(size));
    }
    return b.extract(packed, TileBuilder::at(offsets, sizes), type.getRank());
  }

  OpFoldResult inTiles(OpFoldResult value, int64_t tile) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return b.attr(*constant / tile);
    return b.floorDiv(cast<Value>(value), tile);
  }

  TileBuilder b;
  DenseMap<Value, Value> replacements;
  SmallVector<linalg::MatmulOp> replaced;
  llvm::MapVector<std::tuple<Value, OperandForm, OperandPart>, Value> packs;
};

struct AssignMatrixTiles
    : deltanet::impl::AssignMatrixTilesBase<AssignMatrixTiles> {
  LogicalResult rewrite(scf::ForallOp loop, MatrixUnit unit) {
    std::vector<MatrixProduct> products;
    WalkResult found = loop.walk([&](linalg::MatmulOp op) -> WalkResult {
      FailureOr<MatrixProduct> product = analyse(op);
      if (failed(product))
        return WalkResult::interrupt();
      products.push_back(*product);
      return WalkResult::advance();
    });
    if (found.wasInterrupted())
      return failure();
    if (products.empty())
      return success();
    Rewriter rewriter(loop.getLoc(), &getContext());
    for (const MatrixProduct &product : products)
      rewriter.rewrite(product);
    rewriter.eraseReplaced();
    remark::passed(loop.getLoc(), remark::RemarkOpts::name("matrix")
                                      .category("deltanet-layout")
                                      .function(getOperation().getName()))
        << remark::add("{0} products of tiles on {1}, {2} packs",
                       products.size(), stringifyMatrixUnit(unit),
                       rewriter.packCount())
        << remark::reason("the schedule says so");
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool changed = false;
    for (auto loop :
         llvm::to_vector(function.getBody().getOps<scf::ForallOp>())) {
      auto schedule =
          loop->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
      if (!schedule || schedule.getMatrix() != MatrixUnit::Amx)
        continue;
      if (failed(rewrite(loop, schedule.getMatrix())))
        return signalPassFailure();
      changed = true;
    }
    if (!changed)
      return markAllAnalysesPreserved();
    simplify(function);
  }
};

} // namespace
