//===- MatrixTiles.cpp - Operands and products of a matrix unit -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// How one dimension of a matrix is split, by the loops of the pack
/// (outer, outer, and the three of a tile).
struct Split {
  SmallVector<int64_t> sizes; ///< without the first, which is the rest
  SmallVector<unsigned> loops;
};

/// Rows and columns of a matrix of the form. The loops of a pack are those of
/// its result.
std::array<Split, 2> splitsOf(OperandForm form) {
  Split leftRows{{kTileSide}, {0, 2}};
  Split leftSums{{kTileSide, 2}, {1, 3, 4}};
  Split rightSums{{kTileSide, 2}, {0, 2, 4}};
  Split rightColumns{{kTileSide}, {1, 3}};
  switch (form) {
  case OperandForm::Left:
    return {leftRows, leftSums};
  case OperandForm::LeftTransposed:
    return {leftSums, leftRows};
  case OperandForm::Right:
    return {rightSums, rightColumns};
  case OperandForm::RightTransposed:
    return {rightColumns, rightSums};
  }
  llvm_unreachable("unknown form of an operand");
}

/// The maps of a product, by ProductLoop.
SmallVector<AffineMap> mapsOfProduct(MLIRContext *context) {
  auto map = [&](ArrayRef<unsigned> loops) {
    return AffineMap::getMultiDimMapWithTargets(7, loops, context);
  };
  return {map({TileRow, TileSum, Row, Pair, PairElement}),
          map({TileSum, TileColumn, Pair, Column, PairElement}),
          map({TileRow, Row, TileColumn, Column})};
}

SmallVector<utils::IteratorType> loopsOfProduct() {
  SmallVector<utils::IteratorType> loops(7, utils::IteratorType::parallel);
  for (unsigned loop : {TileSum, Pair, PairElement})
    loops[loop] = utils::IteratorType::reduction;
  return loops;
}

/// A size of a loop that nothing is asked of but to be static.
constexpr int64_t kAnyStatic = -1;

/// The elements and sizes of all operands, whose maps are those of a pack or a
/// product. Sizes are those of the loops.
bool hasOperands(linalg::GenericOp op, ArrayRef<Type> elements,
                 ArrayRef<int64_t> sizes) {
  if (!op.hasPureTensorSemantics())
    return false;
  for (auto [operand, element] : llvm::zip(op->getOpOperands(), elements)) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (type.getElementType() != element)
      return false;
    for (auto [dimension, size] : llvm::enumerate(type.getShape())) {
      int64_t expected = sizes[map.getDimPosition(dimension)];
      if (expected == kAnyStatic
              ? ShapedType::isDynamic(size)
              : !ShapedType::isDynamic(expected) && size != expected)
        return false;
    }
  }
  return true;
}

/// Rounds to nearest, as the machine does, and all of it is asked for.
bool isExact(Operation &op) {
  auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
  auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op);
  if (rounding && rounding.getRoundingModeAttr())
    return false;
  arith::FastMathFlagsAttr flags =
      fastMath ? fastMath.getFastMathFlagsAttr() : nullptr;
  return !flags || flags.getValue() == arith::FastMathFlags::none;
}

/// The body yields what the matcher says, and computes nothing else.
template <typename Matcher>
bool yields(linalg::GenericOp op, unsigned operations, Matcher matcher) {
  Block *body = op.getBody();
  return llvm::range_size(body->without_terminator()) == operations &&
         llvm::all_of(body->without_terminator(), isExact) &&
         matchPattern(body->getTerminator()->getOperand(0), matcher);
}

bool isRounded(linalg::GenericOp pack) {
  auto element = matchers::m_Val(pack.getBody()->getArgument(0));
  return yields(pack, 1, m_Op<arith::TruncFOp>(element));
}

bool isRest(linalg::GenericOp pack) {
  auto element = matchers::m_Val(pack.getBody()->getArgument(0));
  auto rounded = m_Op<arith::TruncFOp>(element);
  auto exact = m_Op<arith::ExtFOp>(rounded);
  auto rest = m_Op<arith::SubFOp>(element, exact);
  Type bf16 = BFloat16Type::get(pack.getContext());
  return yields(pack, 4, m_Op<arith::TruncFOp>(rest)) &&
         pack.getBody()->front().getResult(0).getType() == bf16;
}

} // namespace

Value deltanet::packTiles(TileBuilder &b, Value matrix, OperandForm form,
                          OperandPart part) {
  auto type = cast<RankedTensorType>(matrix.getType());
  SmallVector<int64_t> split, packed(5);
  SmallVector<ReassociationIndices> groups;
  SmallVector<AffineExpr> source;
  for (auto [size, part] : llvm::zip(type.getShape(), splitsOf(form))) {
    int64_t tile = 1;
    for (int64_t inner : part.sizes)
      tile *= inner;
    assert(size % tile == 0 && "the matrix is one of whole tiles");
    SmallVector<int64_t> sizes{size / tile};
    sizes.append(part.sizes);
    ReassociationIndices group;
    for (auto [each, loop] : llvm::zip(sizes, part.loops)) {
      group.push_back(split.size());
      split.push_back(each);
      packed[loop] = each;
      source.push_back(b.getAffineDimExpr(loop));
    }
    groups.push_back(group);
  }
  Value blocks = tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(split, type.getElementType()), matrix, groups);
  Value out = bufferization::AllocTensorOp::create(
      b, RankedTensorType::get(packed, b.getBF16Type()), ValueRange());
  SmallVector<AffineMap> maps{AffineMap::get(5, 0, source, b.getContext()),
                              b.getMultiDimIdentityMap(5)};
  SmallVector<utils::IteratorType> loops(5, utils::IteratorType::parallel);
  auto pack = linalg::GenericOp::create(
      b, out.getType(), blocks, out, maps, loops,
      [&](OpBuilder &nested, Location loc, ValueRange x) {
        auto round = [&](Value value) -> Value {
          return arith::TruncFOp::create(nested, loc, nested.getBF16Type(),
                                         value);
        };
        Value rounded = round(x[0]);
        if (part == OperandPart::Rest) {
          Value exact =
              arith::ExtFOp::create(nested, loc, nested.getF32Type(), rounded);
          rounded = round(arith::SubFOp::create(nested, loc, x[0], exact));
        }
        linalg::YieldOp::create(nested, loc, rounded);
      });
  pack->setAttr(DeltaNetDialect::kMatrixTilesAttr, b.getUnitAttr());
  return pack.getResult(0);
}

bool deltanet::isPackOf(linalg::GenericOp pack, OperandForm form,
                        OperandPart part) {
  SmallVector<unsigned> loops;
  for (const Split &split : splitsOf(form))
    loops.append(split.loops);
  MLIRContext *context = pack.getContext();
  SmallVector<AffineMap> maps{
      AffineMap::getMultiDimMapWithTargets(5, loops, context),
      AffineMap::getMultiDimIdentityMap(5, context)};
  return pack->hasAttr(DeltaNetDialect::kMatrixTilesAttr) &&
         pack.getNumDpsInputs() == 1 && pack.getNumReductionLoops() == 0 &&
         pack.getIndexingMapsArray() == maps &&
         hasOperands(pack,
                     {Float32Type::get(context), BFloat16Type::get(context)},
                     {kAnyStatic, kAnyStatic, kTileSide, kTileSide, 2}) &&
         (part == OperandPart::Rounded ? isRounded(pack) : isRest(pack));
}

bool deltanet::isProductOfTiles(linalg::GenericOp product) {
  MLIRContext *context = product.getContext();
  Type bf16 = BFloat16Type::get(context);
  if (!product->hasAttr(DeltaNetDialect::kMatrixTilesAttr) ||
      product.getNumDpsInputs() != 2 ||
      product.getIndexingMapsArray() != mapsOfProduct(context) ||
      product.getIteratorTypesArray() != loopsOfProduct() ||
      !hasOperands(product, {bf16, bf16, Float32Type::get(context)},
                   {kAnyStatic, kAnyStatic, ShapedType::kDynamic, kTileSide,
                    kTileSide, kTileSide, 2}))
    return false;
  auto element = [&](unsigned operand) {
    return matchers::m_Val(product.getBody()->getArgument(operand));
  };
  auto left = m_Op<arith::ExtFOp>(element(0));
  auto right = m_Op<arith::ExtFOp>(element(1));
  auto term = m_Op<arith::MulFOp>(left, right);
  return yields(product, 4, m_Op<arith::AddFOp>(element(2), term));
}

LogicalResult deltanet::verifyMatrixTiles(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  auto isPack = [&](OperandForm form) {
    return isPackOf(generic, form, OperandPart::Rounded) ||
           isPackOf(generic, form, OperandPart::Rest);
  };
  if (generic &&
      (isProductOfTiles(generic) ||
       llvm::any_of(ArrayRef{OperandForm::Left, OperandForm::LeftTransposed,
                             OperandForm::Right, OperandForm::RightTransposed},
                    isPack)))
    return success();
  return op.emitOpError("expected a pack or a product of tiles with '")
         << DeltaNetDialect::kMatrixTilesAttr
         << "', got another operation of type "
         << FunctionType::get(op.getContext(), op->getOperandTypes(),
                              op->getResultTypes());
}

Value deltanet::multiplyTiles(TileBuilder &b, Value left, Value right,
                              Value sums) {
  auto product = linalg::GenericOp::create(
      b, sums.getType(), ValueRange{left, right}, sums,
      mapsOfProduct(b.getContext()), loopsOfProduct(),
      [](OpBuilder &nested, Location loc, ValueRange x) {
        Type f32 = nested.getF32Type();
        Value l = arith::ExtFOp::create(nested, loc, f32, x[0]);
        Value r = arith::ExtFOp::create(nested, loc, f32, x[1]);
        Value term = arith::MulFOp::create(nested, loc, l, r);
        Value sum = arith::AddFOp::create(nested, loc, x[2], term);
        linalg::YieldOp::create(nested, loc, sum);
      });
  product->setAttr(DeltaNetDialect::kMatrixTilesAttr, b.getUnitAttr());
  return product.getResult(0);
}

static const SmallVector<ReassociationIndices> kSumsGroups{{0, 1}, {2, 3}};

Value deltanet::splitSums(TileBuilder &b, Value sums) {
  auto type = cast<RankedTensorType>(sums.getType());
  auto split =
      RankedTensorType::get({type.getDimSize(0) / kTileSide, kTileSide,
                             type.getDimSize(1) / kTileSide, kTileSide},
                            type.getElementType());
  return tensor::ExpandShapeOp::create(b, split, sums, kSumsGroups);
}

Value deltanet::joinSums(TileBuilder &b, Value sums, RankedTensorType type) {
  return tensor::CollapseShapeOp::create(b, type, sums, kSumsGroups);
}
