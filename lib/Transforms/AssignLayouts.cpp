//===- AssignLayouts.cpp - How the operands of products lie in scratch ----===//
//
// Part of the Delta-Net project.
//
// The vectors of a product come from its right-hand side. This pass sees to it
// that they are contiguous there: the carried state as blocks of columns
// (CarriedState.h), transposed keys as panels (KeyPanels.h). Left-hand sides
// are read element by element and stay rows.
//
//===----------------------------------------------------------------------===//

#include "CarriedState.h"
#include "KeyPanels.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Remarks.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// The layouts of one parallel loop.
struct LayoutDecision {
  CarriedStateDecision state;
  SmallVector<KeyPanels> panels;
};

LayoutDecision decide(PhaseLoop phase) {
  LayoutDecision decision{decideCarriedState(phase), {}};
  // A matrix unit takes its operands as tiles.
  if (phase.getSchedule().getMatrix() == MatrixUnit::None)
    decision.panels = findKeyPanels(phase.getLoop());
  return decision;
}

void report(PhaseLoop phase, const LayoutDecision &decision) {
  scf::ForallOp loop = phase.getLoop();
  auto options = remark::RemarkOpts::name("layout")
                     .category("deltanet-layout")
                     .function(loop->getParentOfType<func::FuncOp>().getName());
  if (decision.state.state)
    remark::passed(loop.getLoc(), options)
        << remark::add("{0}: the state lies in blocks of {1} columns",
                       phase.describe(), decision.state.state->blocks.width)
        << remark::reason("products read it {0} columns at a time",
                          decision.state.state->blocks.width);
  else
    remark::missed(loop.getLoc(), options)
        << remark::add("{0}: no state in blocks of columns", phase.describe())
        << remark::reason("{0}", decision.state.reason);
  for (const KeyPanels &panels : decision.panels)
    remark::passed(loop.getLoc(), options)
        << remark::add("{0}: packed panels of {1} rows", phase.describe(),
                       panels.width)
        << remark::reason("{0} products take their transpose",
                          panels.products.size());
}

struct AssignLayouts : deltanet::impl::AssignLayoutsBase<AssignLayouts> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SmallVector<PhaseLoop> phases;
    for (auto loop : function.getBody().getOps<scf::ForallOp>())
      if (std::optional<PhaseLoop> phase = PhaseLoop::get(loop))
        phases.push_back(*phase);
    if (phases.empty())
      return markAllAnalysesPreserved();
    for (PhaseLoop phase : phases) {
      LayoutDecision decision = decide(phase);
      report(phase, decision);
      if (decision.state.state)
        blockCarriedState(*decision.state.state);
      for (const KeyPanels &panels : decision.panels)
        packKeyPanels(panels);
    }
    simplify(function);
  }
};

} // namespace
