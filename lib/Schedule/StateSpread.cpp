//===- StateSpread.cpp - A state in the registers of a block --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Schedule/StateSpread.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::deltanet;

static constexpr int64_t kLanes = 32;
/// Elements of one access: 16 bytes of f32.
static constexpr int64_t kElements = 4;

std::optional<StateSpread> mlir::deltanet::spreadState(StateLayout layout,
                                                       int64_t k, int64_t slice,
                                                       int64_t warps) {
  int64_t registers = k * slice / (kLanes * warps);
  if (layout == StateLayout::VK) {
    // As many lanes along K as have whole accesses, all of them as many.
    int64_t lanes = kLanes;
    while (k % (kElements * lanes))
      lanes /= 2;
    int64_t groups = kLanes / lanes * warps;
    if (slice < groups || slice % groups)
      return std::nullopt;
    return StateSpread{kLanes / lanes, lanes, warps, 1, registers};
  }
  if (slice % (kElements * warps))
    return std::nullopt;
  int64_t lanes = slice / (kElements * warps);
  if (lanes > kLanes || !llvm::isPowerOf2_64(lanes) || k % (kLanes / lanes))
    return std::nullopt;
  return StateSpread{kLanes / lanes, lanes, 1, warps, registers};
}
