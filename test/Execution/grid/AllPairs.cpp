//===- AllPairs.cpp - Few rows that hold every pair of choices ------------===//
//
// Part of the Delta-Net project.
//
// Greedy: each new row starts from a pair that no row has yet, and takes for
// every other factor the level that meets most such pairs. The best of some
// attempts is kept.
//
//===----------------------------------------------------------------------===//

#include "AllPairs.h"
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

using namespace mlir::deltanet::execution;

namespace {
/// Two levels of two factors, the lower factor first.
struct Pair {
  int factor, level, otherFactor, otherLevel;

  bool operator<(const Pair &other) const {
    return std::tie(factor, level, otherFactor, otherLevel) <
           std::tie(other.factor, other.level, other.otherFactor,
                    other.otherLevel);
  }
};

class Cover {
public:
  Cover(llvm::ArrayRef<int> levels, ValidFn valid, uint64_t seed)
      : levels(levels), valid(valid), draw(seed) {
    int factors = int(levels.size());
    for (int f = 0; f < factors; ++f)
      for (int g = f + 1; g < factors; ++g)
        for (int i = 0; i < levels[f]; ++i)
          for (int j = 0; j < levels[g]; ++j)
            missing.insert({f, i, g, j});
  }

  std::vector<Row> run() {
    constexpr int attempts = 20;
    std::vector<Row> rows;
    while (!missing.empty()) {
      auto start = missing.begin();
      std::advance(start, draw.below(int64_t(missing.size())));
      std::optional<Row> best;
      for (int i = 0; i < attempts; ++i)
        if (std::optional<Row> row = makeRow(*start))
          if (!best || gain(*row) > gain(*best))
            best = std::move(row);
      if (!best) {
        // No attempt made a valid row of this pair: take it for impossible.
        missing.erase(start);
        continue;
      }
      forEachPair(*best, [&](const Pair &pair) { missing.erase(pair); });
      rows.push_back(std::move(*best));
    }
    return rows;
  }

private:
  std::optional<Row> makeRow(const Pair &start) {
    Row row(levels.size(), -1);
    row[start.factor] = start.level;
    row[start.otherFactor] = start.otherLevel;
    if (!valid(row))
      return std::nullopt;
    std::vector<int> order(levels.size());
    std::iota(order.begin(), order.end(), 0);
    draw.shuffle(order);
    for (int factor : order) {
      if (row[factor] >= 0)
        continue;
      std::optional<int> level = bestLevel(row, factor);
      if (!level)
        return std::nullopt;
      row[factor] = *level;
    }
    return row;
  }

  /// The level of `factor` that meets most missing pairs with what is chosen.
  std::optional<int> bestLevel(Row row, int factor) {
    std::vector<int> best;
    int64_t bestGain = -1;
    for (int level = 0; level < levels[factor]; ++level) {
      row[factor] = level;
      if (!valid(row))
        continue;
      int64_t found = 0;
      for (int other = 0; other < int(row.size()); ++other)
        if (other != factor && row[other] >= 0)
          found += missing.count(pairOf(row, factor, other));
      if (found > bestGain)
        best.clear();
      bestGain = std::max(bestGain, found);
      if (found == bestGain)
        best.push_back(level);
    }
    if (best.empty())
      return std::nullopt;
    return draw.oneOf(best);
  }

  static Pair pairOf(const Row &row, int f, int g) {
    if (f > g)
      std::swap(f, g);
    return {f, row[f], g, row[g]};
  }

  template <typename Fn> void forEachPair(const Row &row, Fn visit) const {
    for (int f = 0; f < int(row.size()); ++f)
      for (int g = f + 1; g < int(row.size()); ++g)
        visit(pairOf(row, f, g));
  }

  int64_t gain(const Row &row) const {
    int64_t found = 0;
    forEachPair(row, [&](const Pair &pair) { found += missing.count(pair); });
    return found;
  }

  llvm::ArrayRef<int> levels;
  ValidFn valid;
  Draw draw;
  std::set<Pair> missing;
};
} // namespace

std::vector<Row>
mlir::deltanet::execution::coverAllPairs(llvm::ArrayRef<int> levels,
                                         ValidFn valid, uint64_t seed) {
  return Cover(levels, valid, seed).run();
}
