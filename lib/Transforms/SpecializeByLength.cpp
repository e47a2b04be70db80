//===- SpecializeByLength.cpp - One delta_rule a schedule -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_SPECIALIZEBYLENGTH
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct SpecializeByLength
    : deltanet::impl::SpecializeByLengthBase<SpecializeByLength> {
  void runOnOperation() override {
    SmallVector<DeltaRuleOp> rules;
    getOperation().walk([&](DeltaRuleOp rule) {
      ArrayAttr schedules = rule.getSchedulesAttr();
      if (schedules && schedules.size() > 1 && rule.getOInit())
        rules.push_back(rule);
    });
    for (DeltaRuleOp rule : rules)
      specialize(rule);
  }

  void specialize(DeltaRuleOp rule) {
    OpBuilder builder(rule);
    SmallVector<Value> destinations{rule.getOInit()};
    if (rule.getStateInit())
      destinations.push_back(rule.getStateInit());
    for (Attribute schedule : rule.getSchedulesAttr()) {
      auto single = cast<DeltaRuleOp>(builder.clone(*rule));
      single.setSchedulesAttr(builder.getArrayAttr(schedule));
      single.getOInitMutable().assign(destinations[0]);
      if (destinations.size() > 1)
        single.getStateInitMutable().assign(destinations[1]);
      destinations.assign(single->result_begin(), single->result_end());
    }
    rule->replaceAllUsesWith(destinations);
    rule->erase();
  }
};

} // namespace
