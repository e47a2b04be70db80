//===- RegisterTiles.cpp - How a linalg operation is cut for registers ----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RegisterTiles.h"
#include "MatrixTiles.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Lanes of one piece of a row: a copy keeps little live, arithmetic on several
/// operands more, and the polynomial of an exponential most, with rounding to
/// 16 bits, which takes ten instructions where there is none for it.
static constexpr int64_t kCopyLanes = 64;
static constexpr int64_t kArithmeticLanes = 32;
static constexpr int64_t kMathLanes = 16;
/// Side of the square blocks of a transposition.
static constexpr int64_t kTransposeSide = 8;

/// The widest power of two up to `limit` that divides `size`; 1 if `size` is
/// dynamic.
static int64_t lanesOf(int64_t size, int64_t limit) {
  if (ShapedType::isDynamic(size))
    return 1;
  int64_t lanes = limit;
  while (size % lanes)
    lanes /= 2;
  return lanes;
}

static std::optional<unsigned> innermostLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1));
  if (!dim)
    return std::nullopt;
  return dim.getPosition();
}

static AffineMap outputMap(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

static bool hasMath(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return isa<math::MathDialect>(nested->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool rounds(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), llvm::IsaPred<arith::TruncFOp>);
}

/// Moves, fills and extensions.
static bool isCopy(linalg::LinalgOp op) {
  return op.getNumDpsInputs() <= 1 &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &x) { return isa<arith::ExtFOp>(x); });
}

static TileKind classify(linalg::LinalgOp op, unsigned column) {
  bool columnIsInnermost = false, rowsMoved = false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (innermostLoop(map) != column)
      rowsMoved |= map.isFunctionOfDim(column);
    else if (op.isDpsInput(&operand))
      columnIsInnermost = true;
  }
  if (op.getNumReductionLoops())
    return columnIsInnermost ? TileKind::Contraction : TileKind::RowReduction;
  return rowsMoved ? TileKind::Transpose : TileKind::Elementwise;
}

/// Where the rows of a block come from that is cut from `rows` rows.
static std::string whyRows(int64_t rows, ScheduleAttr schedule) {
  if (rows == 1)
    return "the only one";
  if (ShapedType::isDynamic(rows))
    return "one, as their number is not known";
  if (rows <= schedule.getRegisterRows())
    return llvm::formatv("all {0}", rows);
  if (schedule.getAlgorithm() == Algorithm::Chunked)
    return "register_rows of the schedule";
  return llvm::formatv("{0}, as recurrent schedules say nothing",
                       schedule.getRegisterRows());
}

/// Where the `lanes` of all `columns` come from, at most `limit`.
static std::string whyColumns(int64_t columns, int64_t lanes, int64_t limit,
                              bool oneRow) {
  if (lanes == limit)
    return oneRow ? llvm::formatv("{0}, to keep the units busy with one row",
                                  limit)
                        .str()
                  : "columns of the schedule";
  if (ShapedType::isDynamic(columns))
    return "one, as their number is not known";
  if (lanes == columns)
    return llvm::formatv("all {0}", columns);
  return llvm::formatv("as many as divide {0}", columns);
}

/// A pack loops over tiles, a product over blocks of them.
static RegisterTile chooseMatrixTile(linalg::LinalgOp op) {
  if (!op.getNumReductionLoops())
    return {TileKind::MatrixPack, {1, 1, 0, 0, 0}, 0};
  RegisterTile tile{TileKind::MatrixProduct, SmallVector<int64_t>(7, 0),
                    TileColumn};
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  for (unsigned loop : {TileRow, TileColumn})
    tile.sizes[loop] = std::min<int64_t>(2, loops[loop]);
  tile.reason = "four tiles of sums and two of each operand";
  return tile;
}

RegisterTile deltanet::chooseTile(linalg::LinalgOp op, ScheduleAttr schedule) {
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  if (op->hasAttr(DeltaNetDialect::kMatrixTilesAttr))
    return chooseMatrixTile(op);
  RegisterTile tile{TileKind::Elementwise, {}, 0};
  tile.sizes.assign(loops.size(), 1);
  AffineMap out = outputMap(op);
  if (std::optional<unsigned> inner = innermostLoop(out)) {
    tile.column = *inner;
    tile.kind = classify(op, *inner);
  } else if (op.getNumReductionLoops()) {
    tile.kind = TileKind::RowReduction;
  }
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      tile.sizes[loop] = 0;
  if (out.getNumResults() == 0)
    return tile;

  int64_t &lanes = tile.sizes[tile.column];
  int64_t columns = loops[tile.column];
  switch (tile.kind) {
  case TileKind::MatrixPack:
  case TileKind::MatrixProduct:
    llvm_unreachable("tiles of a matrix unit are chosen apart");
  case TileKind::Contraction: {
    int64_t rows = 1;
    if (out.getNumResults() > 1) {
      auto row = cast<AffineDimExpr>(out.getResult(out.getNumResults() - 2));
      rows = loops[row.getPosition()];
      if (!ShapedType::isDynamic(rows))
        tile.sizes[row.getPosition()] =
            std::min<int64_t>(rows, schedule.getRegisterRows());
    }
    // A product with one row has only columns to keep the units busy.
    int64_t limit = rows == 1 ? kCopyLanes : schedule.getColumns();
    lanes = lanesOf(columns, limit);
    tile.reason =
        llvm::formatv("rows: {0}; columns: {1}", whyRows(rows, schedule),
                      whyColumns(columns, lanes, limit, rows == 1));
    break;
  }
  case TileKind::Transpose:
    lanes = lanesOf(columns, kTransposeSide);
    for (AffineMap map : op.getIndexingMapsArray())
      if (std::optional<unsigned> inner = innermostLoop(map))
        tile.sizes[*inner] = lanesOf(loops[*inner], kTransposeSide);
    break;
  case TileKind::RowReduction:
    lanes = 1;
    break;
  case TileKind::Elementwise:
    lanes = lanesOf(columns, hasMath(op) || rounds(op) ? kMathLanes
                             : isCopy(op)              ? kCopyLanes
                                                       : kArithmeticLanes);
    break;
  }
  return tile;
}

linalg::LinalgOp deltanet::findEpilogue(linalg::LinalgOp op) {
  while (op->getNumResults() == 1 && op->getResult(0).hasOneUse()) {
    OpOperand &use = *op->getResult(0).use_begin();
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!user || user->getBlock() != op->getBlock() ||
        user.getNumReductionLoops() || !user.isDpsInput(&use) ||
        hasMath(user) || !user.getMatchingIndexingMap(&use).isIdentity() ||
        !llvm::all_of(user.getDpsInitsMutable(), [&](OpOperand &init) {
          return user.getMatchingIndexingMap(&init).isIdentity();
        }))
      break;
    op = user;
  }
  return op;
}

bool deltanet::isAccumulatorInit(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && !linalgOp.getNumReductionLoops() && !hasMath(op) &&
         op->getNumResults() == 1 && op->getResult(0).hasOneUse();
}
