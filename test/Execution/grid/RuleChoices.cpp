//===- RuleChoices.cpp - The static choices of a rule in the grid ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RuleChoices.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;

static const std::vector<dn_type> indexTypes = {DN_TYPE_NONE, DN_TYPE_I32,
                                                DN_TYPE_I64};

std::vector<int> RuleChoices::levelCounts(int factors) const {
  std::vector<int> counts(factors, 2);
  counts[FactorK] = int(keys.size());
  counts[FactorV] = int(values.size());
  counts[FactorHeads] = int(heads.size());
  counts[FactorIndex] = int(indexTypes.size());
  counts[FactorIo] = int(ioTypes.size());
  return counts;
}

KernelSpec RuleChoices::makeRule(const Row &row) const {
  KernelSpec spec;
  spec.levels = levels;
  spec.k = keys[row[FactorK]];
  spec.v = values[row[FactorV]];
  std::tie(spec.h, spec.hv) = heads[row[FactorHeads]];
  spec.headMap = dn_head_map(row[FactorHeadMap]);
  spec.stateLayout = dn_state_layout(row[FactorLayout]);
  spec.takesState = row[FactorStateIn];
  spec.givesState = row[FactorStateOut];
  spec.indexType = indexTypes[row[FactorIndex]];
  spec.ioType = ioTypes[row[FactorIo]];
  if (row[FactorNorm])
    spec.l2normEps = 1e-6;
  spec.rule = dn_rule(row[FactorRule]);
  return spec;
}
