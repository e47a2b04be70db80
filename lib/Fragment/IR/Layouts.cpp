//===- Layouts.cpp - How tiles are spread over threads --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

using Report = function_ref<InFlightDiagnostic()>;

constexpr int64_t kMaxWarps = 32, kMaxSize = 1024;
/// Neighbouring columns that a lane of `#fragment.lanes` holds.
constexpr int64_t kVector = 4;
/// A piece of mma.sync: lanes 8 by 4, rows 0 to 7 and 8 to 15, two columns
/// each.
constexpr int64_t kPieceRows = 16, kPieceColumns = 8, kLaneRows = 8,
                  kLaneColumns = 4, kPairColumns = 2;

static LogicalResult verifyWarps(Report emitError, ArrayRef<int64_t> warps) {
  if (warps.size() != 2 || warps[0] < 1 || warps[1] < 1 ||
      warps[0] > kMaxWarps || warps[1] > kMaxWarps ||
      warps[0] * warps[1] > kMaxWarps)
    return emitError() << "expected rows and columns of 1 to " << kMaxWarps
                       << " warps, got [" << warps << "]";
  return success();
}

static std::array<int64_t, 2> pair(ArrayRef<int64_t> values) {
  return {values[0], values[1]};
}

/// Neighbouring elements in runs: offsets run·step + 0 … length − 1.
static SmallVector<int64_t> runs(int64_t count, int64_t step, int64_t length) {
  SmallVector<int64_t> offsets;
  for (int64_t run = 0; run < count; ++run)
    for (int64_t element = 0; element < length; ++element)
      offsets.push_back(run * step + element);
  return offsets;
}

/// Rows of pieces, in blocks of a row of warps: those of lane 4i are i, i + 8 …
static Spread spreadPieceRows(int64_t size, int64_t warpRows) {
  int64_t block = size / warpRows;
  return {{1, 0}, {block, 0}, runs(block / kLaneRows, kLaneRows, 1)};
}

/// Columns of pieces, in blocks of a column of warps.
static Spread spreadPieceColumns(int64_t size, int64_t warpColumns) {
  int64_t block = size / warpColumns;
  return {{0, kPairColumns},
          {0, warpColumns == 1 ? 0 : block},
          runs(block / kPieceColumns, kPieceColumns, kPairColumns)};
}

// C30.
LogicalResult LanesAttr::verify(Report emitError, ArrayRef<int64_t> lanes,
                                ArrayRef<int64_t> warps) {
  if (lanes.size() != 2 || lanes[0] < 1 || lanes[1] < 1 ||
      lanes[0] > kWarpSize || lanes[1] > kWarpSize ||
      lanes[0] * lanes[1] != kWarpSize)
    return emitError() << "expected rows and columns of " << kWarpSize
                       << " lanes, got [" << lanes << "]";
  return verifyWarps(emitError, warps);
}

std::array<int64_t, 2> LanesAttr::getLaneGrid() const {
  return pair(getLanes());
}
std::array<int64_t, 2> LanesAttr::getWarpGrid() const {
  return pair(getWarps());
}

int64_t LanesAttr::getStep(unsigned dimension, Type) const {
  int64_t threads = getLanes()[dimension] * getWarps()[dimension];
  return dimension == 0 ? threads : kVector * threads;
}

Spread LanesAttr::getSpread(unsigned dimension, int64_t size) const {
  int64_t lanes = getLanes()[dimension],
          threads = lanes * getWarps()[dimension];
  if (dimension == 0) {
    int64_t block = size / threads;
    return {{block, 0}, {block * lanes, 0}, runs(1, 0, block)};
  }
  int64_t step = kVector * threads;
  return {{0, kVector}, {0, kVector * lanes}, runs(size / step, step, kVector)};
}

// C31.
LogicalResult AccumulatorAttr::verify(Report emitError,
                                      ArrayRef<int64_t> warps) {
  return verifyWarps(emitError, warps);
}

std::array<int64_t, 2> AccumulatorAttr::getLaneGrid() const {
  return {kLaneRows, kLaneColumns};
}
std::array<int64_t, 2> AccumulatorAttr::getWarpGrid() const {
  return pair(getWarps());
}

int64_t AccumulatorAttr::getStep(unsigned dimension, Type) const {
  return getWarps()[dimension] * (dimension == 0 ? kPieceRows : kPieceColumns);
}

Spread AccumulatorAttr::getSpread(unsigned dimension, int64_t size) const {
  int64_t warps = getWarps()[dimension];
  return dimension == 0 ? spreadPieceRows(size, warps)
                        : spreadPieceColumns(size, warps);
}

// C32.
LogicalResult LeftAttr::verify(Report emitError, ArrayRef<int64_t> warps) {
  return verifyWarps(emitError, warps);
}

std::array<int64_t, 2> LeftAttr::getLaneGrid() const {
  return {kLaneRows, kLaneColumns};
}
std::array<int64_t, 2> LeftAttr::getWarpGrid() const {
  return pair(getWarps());
}

int64_t LeftAttr::getStep(unsigned dimension, Type elementType) const {
  if (dimension == 0)
    return kPieceRows * getWarps()[0];
  return elementType.isF32() ? kPieceColumns : 2 * kPieceColumns;
}

Spread LeftAttr::getSpread(unsigned dimension, int64_t size) const {
  return dimension == 0 ? spreadPieceRows(size, getWarps()[0])
                        : spreadPieceColumns(size, /*warpColumns=*/1);
}

// C30 to C33.
LogicalResult TileType::verify(Report emitError, ArrayRef<int64_t> shape,
                               Type elementType, LayoutAttr layout) {
  auto isSize = [](int64_t size) { return size >= 1 && size <= kMaxSize; };
  if (shape.size() != 2 || !llvm::all_of(shape, isSize))
    return emitError() << "expected rows and columns of 1 to " << kMaxSize
                       << ", got [" << shape << "]";
  if (!elementType.isF32() && !elementType.isBF16() && !elementType.isF16())
    return emitError() << "expected elements of f32, bf16 or f16, got "
                       << elementType;
  for (unsigned dimension : {0, 1})
    if (int64_t step = layout.getStep(dimension, elementType);
        shape[dimension] != 1 && shape[dimension] % step)
      return emitError() << "expected " << (dimension == 0 ? "rows" : "columns")
                         << " in multiples of " << step << " with " << layout
                         << ", or one, got " << shape[dimension];
  return success();
}

Spread TileType::getSpread(unsigned dimension) const {
  int64_t size = getShape()[dimension];
  return size == 1 ? Spread() : getLayout().getSpread(dimension, size);
}

int64_t TileType::getElementsPerThread() const {
  return getSpread(0).offsets.size() * getSpread(1).offsets.size();
}
