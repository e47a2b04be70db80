//===- RuleChoices.h - The static choices of a rule in the grid -*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_RULECHOICES_H
#define DELTANET_TEST_EXECUTION_RULECHOICES_H

#include "AllPairs.h"
#include "KernelSpec.h"

namespace mlir::deltanet::execution {

/// The first factors of a row; those of schedules follow.
enum RuleFactor {
  FactorK,
  FactorV,
  FactorHeads,
  FactorHeadMap,
  FactorLayout,
  FactorStateIn,
  FactorStateOut,
  FactorIndex,
  FactorIo,
  FactorNorm,
  FactorRule,
  RuleFactorCount
};

/// Those levels that differ between instruction sets and GPUs.
struct RuleChoices {
  std::string levels; ///< that rules are compiled for, as KernelSpec has them
  std::vector<int64_t> keys, values;
  std::vector<dn_type> ioTypes;
  /// Of keys and values.
  std::vector<std::pair<int64_t, int64_t>> heads = {
      {1, 1}, {1, 2}, {2, 6}, {2, 8}};

  /// The number of levels of each of `factors` factors, two of those beyond a
  /// rule.
  std::vector<int> levelCounts(int factors) const;

  /// The rule of a row, without a name or schedules.
  KernelSpec makeRule(const Row &row) const;
};

inline const std::vector<dn_type> allIoTypes = {DN_TYPE_F32, DN_TYPE_BF16,
                                                DN_TYPE_F16};

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_RULECHOICES_H
