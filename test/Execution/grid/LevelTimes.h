//===- LevelTimes.h - How long each level takes -----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_LEVELTIMES_H
#define DELTANET_TEST_EXECUTION_LEVELTIMES_H

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <chrono>
#include <iostream>
#include <map>

namespace mlir::deltanet::execution {

class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
};

/// Prints at the end what the modules of each level took.
class LevelTimes : public testing::Environment {
public:
  static void add(const std::string &levels, double compiled, double ran) {
    Sum &sum = sums()[levels];
    ++sum.modules;
    sum.compiled += compiled;
    sum.ran += ran;
  }

  void TearDown() override {
    for (const auto &[levels, sum] : sums())
      std::cout
          << llvm::formatv(
                 "{0}: {1} modules, compiled in {2:f0} s, ran in {3:f0} s",
                 levels, sum.modules, sum.compiled, sum.ran)
                 .str()
          << std::endl;
  }

private:
  struct Sum {
    int modules = 0;
    double compiled = 0, ran = 0;
  };
  static std::map<std::string, Sum> &sums() {
    static std::map<std::string, Sum> all;
    return all;
  }
};

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_LEVELTIMES_H
