//===- StateSpreadTest.cpp - States over the threads of a block -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Schedule/StateSpread.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

constexpr StateLayout kLayouts[] = {StateLayout::KV, StateLayout::VK};

/// The matrix of a state as it lies in memory.
struct Matrix {
  Matrix(StateLayout layout, int64_t k, int64_t slice)
      : rows(layout == StateLayout::KV ? k : slice),
        columns(layout == StateLayout::KV ? slice : k) {}
  int64_t rows, columns;
};

TEST(StateSpreadTest, NumbersDivide) {
  int64_t found = 0, none = 0;
  for (StateLayout layout : kLayouts)
    for (int64_t k = 16; k <= 256; k += 16)
      for (int64_t slice = 8; slice <= 256; slice += 8)
        for (int64_t warps = 1; warps <= 16; ++warps) {
          std::optional<StateSpread> spread =
              spreadState(layout, k, slice, warps);
          ++(spread ? found : none);
          if (!spread)
            continue;
          SCOPED_TRACE(testing::Message()
                       << stringifyStateLayout(layout).str() << " " << k << "x"
                       << slice << ", " << warps << " warps");
          Matrix matrix(layout, k, slice);
          EXPECT_EQ(spread->rowLanes * spread->columnLanes, 32);
          EXPECT_EQ(spread->rowWarps * spread->columnWarps, warps);
          EXPECT_EQ(matrix.rows % (spread->rowLanes * spread->rowWarps), 0);
          EXPECT_EQ(matrix.columns %
                        (4 * spread->columnLanes * spread->columnWarps),
                    0);
          EXPECT_EQ(spread->registers * 32 * warps, k * slice);
          // Sums along K need no other warp.
          EXPECT_EQ(layout == StateLayout::KV ? spread->rowWarps
                                              : spread->columnWarps,
                    1);
        }
  EXPECT_GT(found, 1000);
  EXPECT_GT(none, 1000);
}

TEST(StateSpreadTest, OneWarpTakes16ColumnsOfAnyK) {
  for (StateLayout layout : kLayouts)
    for (int64_t k = 16; k <= 256; k += 16)
      EXPECT_TRUE(spreadState(layout, k, 16, 1)) << k;
}

TEST(StateSpreadTest, WholeRowsOfLanesWhereTheyFit) {
  auto expect = [](StateLayout layout, int64_t k, int64_t slice, int64_t warps,
                   StateSpread expected) {
    std::optional<StateSpread> spread = spreadState(layout, k, slice, warps);
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->rowLanes, expected.rowLanes);
    EXPECT_EQ(spread->columnLanes, expected.columnLanes);
    EXPECT_EQ(spread->rowWarps, expected.rowWarps);
    EXPECT_EQ(spread->columnWarps, expected.columnWarps);
    EXPECT_EQ(spread->registers, expected.registers);
  };
  expect(StateLayout::VK, 128, 32, 4, {1, 32, 4, 1, 32});
  expect(StateLayout::VK, 64, 32, 4, {2, 16, 4, 1, 16});
  expect(StateLayout::VK, 240, 16, 2, {8, 4, 2, 1, 60});
  expect(StateLayout::KV, 128, 32, 4, {16, 2, 1, 4, 32});
  expect(StateLayout::KV, 16, 256, 4, {2, 16, 1, 4, 32});
  // Rows of lanes would go on beyond K, columns beyond the slice.
  EXPECT_FALSE(spreadState(StateLayout::KV, 48, 16, 4));
  EXPECT_FALSE(spreadState(StateLayout::KV, 64, 16, 8));
  EXPECT_FALSE(spreadState(StateLayout::VK, 16, 32, 8));
  EXPECT_FALSE(spreadState(StateLayout::VK, 128, 16, 3));
}

/// How often each element is held, in a block of the layout of a spread.
std::vector<int> countHolders(fragment::TileType tile) {
  std::array<int64_t, 2> lanes = tile.getLayout().getLaneGrid();
  std::array<int64_t, 2> warps = tile.getLayout().getWarpGrid();
  fragment::Spread rows = tile.getSpread(0), columns = tile.getSpread(1);
  std::vector<int> holders(tile.getRows() * tile.getColumns());
  auto first = [](const fragment::Spread &spread, int64_t i, int64_t j,
                  int64_t k, int64_t l) {
    return spread.laneSteps[0] * i + spread.laneSteps[1] * j +
           spread.warpSteps[0] * k + spread.warpSteps[1] * l;
  };
  for (int64_t i = 0; i < lanes[0]; ++i)
    for (int64_t j = 0; j < lanes[1]; ++j)
      for (int64_t k = 0; k < warps[0]; ++k)
        for (int64_t l = 0; l < warps[1]; ++l)
          for (int64_t row : rows.offsets)
            for (int64_t column : columns.offsets)
              ++holders.at((first(rows, i, j, k, l) + row) * tile.getColumns() +
                           first(columns, i, j, k, l) + column);
  return holders;
}

TEST(StateSpreadTest, ThreadsHoldEachElementOnce) {
  MLIRContext context;
  context.loadDialect<fragment::FragmentDialect>();
  Builder builder(&context);
  for (StateLayout layout : kLayouts)
    for (int64_t k : {16, 48, 64, 80, 128, 240, 256})
      for (int64_t slice : {16, 32, 48, 80, 256})
        for (int64_t warps : {1, 2, 3, 4, 8}) {
          std::optional<StateSpread> spread =
              spreadState(layout, k, slice, warps);
          if (!spread)
            continue;
          Matrix matrix(layout, k, slice);
          auto lanes = fragment::LanesAttr::get(
              &context, {spread->rowLanes, spread->columnLanes},
              {spread->rowWarps, spread->columnWarps});
          auto tile = fragment::TileType::get(
              &context, {matrix.rows, matrix.columns}, builder.getF32Type(),
              cast<fragment::LayoutAttr>(lanes));
          EXPECT_EQ(tile.getElementsPerThread(), spread->registers);
          for (int holders : countHolders(tile))
            ASSERT_EQ(holders, 1) << k << "x" << slice << ", " << warps;
        }
}

} // namespace
