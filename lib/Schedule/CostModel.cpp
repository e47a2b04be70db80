//===- CostModel.cpp - What a schedule costs, as pure functions -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Schedule/CostModel.h"
#include <algorithm>
#include <cassert>

using namespace mlir;
using namespace mlir::deltanet;

static int64_t getLanes(TargetAttr target) {
  return target.getVectorBits() / 32;
}

/// Registers of a row of `columns` columns; a part of one costs as much as one.
static int64_t getVectors(TargetAttr target, int64_t columns) {
  return std::max<int64_t>(1, columns / getLanes(target));
}

/// Instructions of a multiply-add.
static double getMultiplyAdd(TargetAttr target) {
  return target.getFma() ? 1 : 2;
}

std::optional<RowCost> mlir::deltanet::getRowCost(TargetAttr target,
                                                  PassShape pass) {
  double vectors = getVectors(target, pass.columns);
  double tokens = pass.tokens;
  // Three products a token: with the key before, the key and the query now.
  double products = 3 * tokens * vectors;
  // Deltas and two rows of accumulators a token, the row itself, a broadcast.
  double live = products + vectors + 1;
  // A broadcast for a single multiply-add is its operand, where AVX-512 is.
  bool operands = target.getVectorBits() == 512 && vectors == 1;
  double broadcasts = operands ? 0 : 3 * tokens;
  double reloads =
      std::max(0.0, live - static_cast<double>(target.getVectorRegisters()));
  if (reloads > tokens * vectors)
    return std::nullopt;
  double units = target.getVectorUnits();
  double arithmetic = products * getMultiplyAdd(target) / units;
  double issue = (products * getMultiplyAdd(target) + broadcasts) / 3;
  double loads = (vectors + 3 * tokens) / 2;
  double stores = 2 * vectors;
  constexpr double kLatency = 4, kReload = 0.4;
  // What broadcasts take from multiply-adds where vectors are done in halves,
  // as measured on Zen4.
  if (units == 1)
    arithmetic += 0.1 * broadcasts;
  double cycles = std::max({kLatency, arithmetic, issue, loads, stores}) +
                  kReload * reloads;
  return RowCost{cycles, reloads > 0};
}

std::optional<double> mlir::deltanet::getRecurrentCost(TargetAttr target,
                                                       RuleShape shape,
                                                       PassShape pass) {
  std::optional<RowCost> row = getRowCost(target, pass);
  if (!row)
    return std::nullopt;
  double slices = static_cast<double>(shape.v) / pass.columns;
  // What a pass does besides its rows: coefficients, values, outputs.
  double epilogue = 16.0 * pass.tokens * getVectors(target, pass.columns);
  return slices * (shape.k * row->cycles + epilogue) / pass.tokens;
}

/// Sums that the rows of a pass are added to, in registers.
static int64_t countSums(TargetAttr target, PassShape pass) {
  return 2 * pass.tokens * getVectors(target, pass.columns);
}

/// The cost by which passes are compared with each other: also the products of
/// a pass' keys and queries beyond two tokens, as measured on Zen4. What
/// compares with chunks is without: they have no such term either.
static std::optional<double> getRank(TargetAttr target, RuleShape shape,
                                     PassShape pass) {
  std::optional<double> cost = getRecurrentCost(target, shape, pass);
  if (cost)
    *cost += 7.0 * std::max<int64_t>(0, pass.tokens - 2);
  return cost;
}

PassShape mlir::deltanet::chooseRecurrencePass(TargetAttr target,
                                               RuleShape shape, int64_t slice) {
  // Two units, each with multiply-adds of four cycles.
  constexpr int64_t kSums = 8;
  PassShape best{1, 8};
  std::optional<double> bestCost = getRank(target, shape, best);
  // Blocks of 64 columns lose to those of 32 wherever both were measured.
  for (int64_t tokens : {1, 2, 3, 4})
    for (int64_t columns : {8, 16, 32}) {
      PassShape pass{tokens, columns};
      if (slice % columns)
        continue;
      // A state slice and the keys of two groups, in 32-bit floats.
      if (4 * shape.k * (columns + 4 * tokens) > target.getL1Bytes())
        continue;
      std::optional<double> cost = getRank(target, shape, pass);
      if (!cost)
        continue;
      // At one cost a wider pass has fewer slices, which all read the keys.
      bool wider = cost == bestCost && tokens == best.tokens;
      // At about the same, more sums hide latencies of machines of the level
      // that begin more in a cycle.
      constexpr double kAbout = 1.02;
      int64_t sums = countSums(target, best);
      bool fuller = bestCost && *cost <= kAbout * *bestCost && sums < kSums &&
                    countSums(target, pass) > sums;
      if (!bestCost || *cost < *bestCost || wider || fuller) {
        best = pass;
        bestCost = cost;
      }
    }
  return best;
}

double mlir::deltanet::getChunkedCost(TargetAttr target, RuleShape shape,
                                      int64_t chunk) {
  double k = shape.k, v = shape.v, c = chunk;
  double group = static_cast<double>(shape.hv) / shape.h;
  double state = 6 * k * v;
  double inside = 2 * c * v;           // T R and P D, lower halves
  double products = 2 * c * k / group; // k kᵀ and q kᵀ, lower halves
  double inverse = c * c / 3;
  // What the products lose to packing, masks and exponentials beyond what the
  // recurrence, whose estimate has no such term either, loses to its packing:
  // fits the measured ratios of 16 to 128 tokens to the recurrence within 3 %.
  constexpr double kOverhead = 1.13;
  double perCycle =
      2.0 * getLanes(target) * target.getVectorUnits() / getMultiplyAdd(target);
  return kOverhead * (state + inside + products + inverse) / perCycle;
}

int64_t mlir::deltanet::chooseChunk(TargetAttr target, RuleShape shape) {
  int64_t best = 16;
  for (int64_t chunk : {32, 64, 128})
    if (getChunkedCost(target, shape, chunk) <
        getChunkedCost(target, shape, best))
      best = chunk;
  return best;
}

int64_t mlir::deltanet::countTileProducts(RuleShape shape, int64_t chunk) {
  int64_t rows = chunk / 16, keys = shape.k / 16, values = shape.v / 16;
  int64_t group = shape.hv / shape.h;
  // Causal matrices are taken in blocks of 32 rows: n (n + 1) / 2 of them.
  int64_t bands = chunk / 32, causal = bands * (bands + 1) / 2;
  // k S, q S, and kᵀ U
  bool splits = splitsUpdates(shape) || splitsReads(shape);
  int64_t state = (splits ? 4 : 3) * rows * keys * values / 2;
  // N U below the diagonal and P U, with each left operand as two.
  int64_t inside = 2 * (2 * causal - bands) * 2 * values;
  int64_t gram = 2 * causal * 4 * keys / 2; // k kᵀ and q kᵀ
  return state + inside + gram / group;
}

double mlir::deltanet::getMatrixChunkCost(TargetAttr target, RuleShape shape,
                                          int64_t chunk) {
  constexpr double kCyclesOfProduct = 16;
  // What surrounds the products: packs, epilogues and the solution. Counted,
  // not timed: instructions on vectors of 512 bits, at K = V = 128, C = 64.
  constexpr double kInstructions = 60000, kPerCycle = 2;
  double size = (shape.k + 3.0 * chunk) * shape.v / ((128 + 3.0 * 64) * 128);
  return kCyclesOfProduct * countTileProducts(shape, chunk) +
         kInstructions / kPerCycle * size * 512 / target.getVectorBits();
}

int64_t mlir::deltanet::chooseRegisterRows(TargetAttr target, int64_t columns) {
  int64_t vectors = getVectors(target, columns);
  int64_t rows = (target.getVectorRegisters() - vectors - 1) / vectors;
  return std::clamp<int64_t>(rows, 1, 8);
}

int64_t mlir::deltanet::chooseValueSlice(RuleShape shape, int64_t columns) {
  constexpr int64_t kItems = 8; // enough work items for a few cores
  int64_t slice = shape.v;
  // Every slice gathers the keys again, so slices stay wide.
  while (shape.h * (shape.v / slice) < kItems && slice % (2 * columns) == 0 &&
         slice > 64)
    slice /= 2;
  return slice;
}

int64_t mlir::deltanet::chooseDecodeRows(TargetAttr target,
                                         StateLayout layout) {
  // The rows of kv share one pass over the sums of all columns, which single
  // rows would load and store each for itself: as many as a token_step takes,
  // however many streams the machine reads best.
  constexpr int64_t kKeyRows = 4;
  int64_t rows = layout == StateLayout::KV ? kKeyRows : target.getStreams();
  // Sums with key and query of each row, 8 lanes; those two and a row itself.
  int64_t registers = std::max<int64_t>(1, 8 / getLanes(target));
  while (rows > 1 && (2 * rows + 3) * registers > target.getVectorRegisters())
    rows /= 2;
  return rows;
}

int64_t mlir::deltanet::getMostIntraWarps(int64_t chunk, int64_t keys) {
  int64_t lanesOfRow = std::min<int64_t>(32, (keys & -keys) / 4);
  return std::min(
      {int64_t(16), chunk * lanesOfRow / 32, (chunk / 16) * (chunk / 8)});
}
