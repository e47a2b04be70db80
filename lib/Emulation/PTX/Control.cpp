//===- Control.cpp - Branches and ends of threads -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Block.h"
#include "Decoder.h"

using namespace mlir::deltanet::ptx;

static Step branch(Warp &warp, const Instruction &instruction, LaneMask mask) {
  warp.branch(mask, instruction.target);
  return Step::Jumped;
}

static Step exitThreads(Warp &warp, const Instruction &, LaneMask mask) {
  checkNoCopies(warp, mask);
  warp.exit(mask);
  return Step::Jumped;
}

static Step trap(Warp &warp, const Instruction &, LaneMask mask) {
  return warp.fault(FindingKind::IllegalInstruction, __builtin_ctz(mask),
                    "a trap");
}

/// Time does not pass here.
static Step sleep(Warp &, const Instruction &, LaneMask) { return Step::Next; }

bool mlir::deltanet::ptx::isBranch(const Instruction &instruction) {
  return instruction.execute == branch;
}
bool mlir::deltanet::ptx::isEnd(const Instruction &instruction) {
  return instruction.execute == exitThreads;
}

void mlir::deltanet::ptx::decodeControl(Decoder &decoder) {
  if (decoder.is("bra")) {
    decoder.take("uni");
    decoder.addLabel();
    decoder.setExecute(branch);
  } else if (decoder.is("trap")) {
    decoder.setExecute(trap);
  } else if (decoder.is("nanosleep")) {
    decoder.addSource(decoder.takeType());
    decoder.setExecute(sleep);
  } else {
    decoder.take("uni");
    decoder.setExecute(exitThreads);
  }
}
