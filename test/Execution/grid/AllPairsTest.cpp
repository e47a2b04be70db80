//===- AllPairsTest.cpp - Every pair in few rows --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AllPairs.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mlir::deltanet::execution;

static const std::vector<int> levels = {7, 7, 4, 3, 2, 2, 2};

static bool contains(const std::vector<Row> &rows, int f, int i, int g, int j) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row &row) {
    return row[f] == i && row[g] == j;
  });
}

TEST(AllPairs, EveryPairThatIsValid) {
  // Level 0 of factor 2 excludes level 1 of factor 3.
  auto valid = [](const Row &row) { return row[2] != 0 || row[3] != 1; };
  std::vector<Row> rows = coverAllPairs(levels, valid, /*seed=*/5);
  EXPECT_GE(rows.size(), 49u);
  EXPECT_LE(rows.size(), 65u);
  int factors = int(levels.size());
  for (int f = 0; f < factors; ++f)
    for (int g = f + 1; g < factors; ++g)
      for (int i = 0; i < levels[f]; ++i)
        for (int j = 0; j < levels[g]; ++j) {
          bool possible = !(f == 2 && g == 3 && i == 0 && j == 1);
          EXPECT_EQ(contains(rows, f, i, g, j), possible)
              << f << "=" << i << " " << g << "=" << j;
        }
}

TEST(AllPairs, SeedsGiveTheirOwnRows) {
  auto valid = [](const Row &) { return true; };
  EXPECT_EQ(coverAllPairs(levels, valid, 1), coverAllPairs(levels, valid, 1));
  EXPECT_NE(coverAllPairs(levels, valid, 1), coverAllPairs(levels, valid, 2));
}
