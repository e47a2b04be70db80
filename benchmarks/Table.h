//===- Table.h - Results as rows for people ---------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_TABLE_H
#define DELTANET_BENCHMARKS_TABLE_H

#include "Case.h"
#include <benchmark/benchmark.h>

namespace mlir::deltanet::bench {

/// Prints each new element of a list of results when Google Benchmark reports
/// the benchmark that added it: median and, in brackets, quartiles.
class Table : public benchmark::BenchmarkReporter {
public:
  explicit Table(const std::vector<Result> &results) : results(results) {}

  bool ReportContext(const Context &context) override;
  void ReportRuns(const std::vector<Run> &runs) override;

private:
  void print(const Result &result);

  const std::vector<Result> &results;
  size_t printed = 0;
  Phase lastPhase = Phase::Prefill; ///< whose column titles stand above
};

} // namespace mlir::deltanet::bench

#endif // DELTANET_BENCHMARKS_TABLE_H
