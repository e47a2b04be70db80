//===- StridedTest.cpp - Extent and overlap of strided tensors ------------===//
//
// Part of the Delta-Net project.
//
// The closed forms are compared with painting every byte.
//
//===----------------------------------------------------------------------===//
extern "C" {
#include "abi/Strided.h"
}

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

/// Adds 1 to each byte of every row; returns whether a byte was hit before.
bool paint(const dn_strided &rows, std::vector<int> &canvas) {
  bool hit = false;
  for (int64_t i = 0; i < rows.outer; ++i)
    for (int64_t j = 0; j < rows.inner; ++j)
      for (int64_t x = 0; x < rows.row; ++x)
        hit |= canvas[rows.base + i * rows.outer_stride +
                      j * rows.inner_stride + x]++ != 0;
  return hit;
}

struct Random {
  std::mt19937 engine{20};
  int64_t operator()(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
};

dn_strided randomRows(Random &random, int64_t base) {
  dn_strided rows;
  EXPECT_TRUE(dn_strided_make(base, random(1, 2), random(0, 5), random(0, 12),
                              random(1, 4), random(0, 12), random(1, 4),
                              &rows));
  return rows;
}

TEST(StridedTest, SelfOverlapIsExact) {
  Random random;
  int overlapping = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    dn_strided rows = randomRows(random, 0);
    std::vector<int> canvas(400);
    bool expected = paint(rows, canvas);
    overlapping += expected;
    ASSERT_EQ(dn_strided_overlaps_itself(&rows), expected)
        << rows.outer << "x" << rows.inner << " rows of " << rows.row
        << ", strides " << rows.outer_stride << " " << rows.inner_stride;
  }
  EXPECT_GT(overlapping, 2000);
  EXPECT_LT(overlapping, 18000);
}

TEST(StridedTest, OverlapIsExact) {
  Random random;
  int apart = 0, together = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    dn_strided a = randomRows(random, random(0, 30));
    dn_strided b = randomRows(random, random(0, 30));
    if (trial % 2 && a.outer > 1 && b.outer > 1) {
      b.span += (b.outer - 1) * (a.outer_stride - b.outer_stride);
      b.outer_stride = a.outer_stride;
    }
    if (dn_strided_overlaps_itself(&a) || dn_strided_overlaps_itself(&b))
      continue;
    std::vector<int> canvas(400);
    paint(a, canvas);
    bool expected = paint(b, canvas);
    ++(expected ? together : apart);
    ASSERT_EQ(dn_strided_overlap(&a, &b), expected) << trial;
    ASSERT_EQ(dn_strided_overlap(&b, &a), expected) << trial;
  }
  EXPECT_GT(apart, 10000);
  EXPECT_GT(together, 10000);
}

TEST(StridedTest, LongInterleavingWithDifferentStridesIsRefused) {
  dn_strided a, b; // even and odd multiples of 8, which never meet
  ASSERT_TRUE(dn_strided_make(0, 1, 200000, 16, 1, 0, 8, &a));
  ASSERT_TRUE(dn_strided_make(8, 1, 100000, 32, 1, 0, 8, &b));
  EXPECT_TRUE(dn_strided_overlap(&a, &b));
  ASSERT_TRUE(dn_strided_make(8, 1, 60000, 32, 1, 0, 8, &b));
  EXPECT_FALSE(dn_strided_overlap(&a, &b));
  ASSERT_TRUE(dn_strided_make(9, 1, 60000, 32, 1, 0, 8, &b));
  EXPECT_TRUE(dn_strided_overlap(&a, &b));
}

TEST(StridedTest, ExtentStopsAtTheAddressSpace) {
  const int64_t max = INT64_MAX;
  dn_strided rows;
  EXPECT_FALSE(dn_strided_make(0, 4, max, 1, 1, 0, 1, &rows));
  EXPECT_FALSE(dn_strided_make(0, 4, 2, max / 2, 1, 0, 1, &rows));
  EXPECT_FALSE(dn_strided_make(0, 1, 2, max / 3, 2, max / 3, 1, &rows));
  EXPECT_FALSE(dn_strided_make(0, 1, 1, 0, 1, 0, max, &rows));
  EXPECT_TRUE(dn_strided_make(UINTPTR_MAX - 8, 4, 1, 0, 1, 0, 2, &rows));
  EXPECT_FALSE(dn_strided_make(UINTPTR_MAX - 8, 4, 1, 0, 1, 0, 3, &rows));
  // Strides of dimensions of size 1 do not count.
  EXPECT_TRUE(dn_strided_make(0, 4, 1, max, 1, max, 1, &rows));
  EXPECT_EQ(rows.span, 4);
}

} // namespace
