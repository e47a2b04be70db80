//===- AllPairs.h - Few rows that hold every pair of choices ----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_ALLPAIRS_H
#define DELTANET_TEST_EXECUTION_ALLPAIRS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <random>
#include <vector>

namespace mlir::deltanet::execution {

/// Random numbers that are the same for a seed on every system.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {}

  /// Uniform in [0, bound); bound > 0.
  int64_t below(int64_t bound) { return int64_t(engine() % uint64_t(bound)); }

  template <typename T> const T &oneOf(const std::vector<T> &values) {
    return values[below(int64_t(values.size()))];
  }

  template <typename T> void shuffle(std::vector<T> &values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(int64_t(i))]);
  }

private:
  std::mt19937_64 engine;
};

/// A level for each factor; -1 while it is not chosen yet.
using Row = std::vector<int>;

/// Whether a row, complete or not, can still become a valid one.
using ValidFn = llvm::function_ref<bool(const Row &)>;

/// Rows such that any two levels of different factors stand together in one of
/// them, unless no valid row has both. `levels` counts the levels of each
/// factor.
std::vector<Row> coverAllPairs(llvm::ArrayRef<int> levels, ValidFn valid,
                               uint64_t seed);

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_ALLPAIRS_H
