//===- ChunkPhases.h - The chunked algorithm, one loop a phase ------------===//
//
// Part of the Delta-Net project.
//
// Formulas of one chunk and value head, S the state before it, D_ij the decay
// of token j at token i (ones for the plain delta rule), e^G and e^F the decays
// from the chunk's begin and to its end:
//
//   gather    k, q as contiguous rows in f32, normalised when asked (or, for a
//             matrix unit, as they are, with the factors beside them)
//   gram      k kᵀ, q kᵀ                                      once a key head
//   gates     beta, D, e^G, scale e^G, e^F
//   inverse   I = (1 + stril(beta k kᵀ))⁻¹                    free of the gate
//   weights   T = D ⊙ I ⊙ beta (its columns), P = scale tril(q kᵀ ⊙ D)
//   scan      U = T (v − e^G (k S))
//             o = scale e^G (q S) + P U
//             S ← e^{G_C} S + kᵀ (e^F U)
//
// Matrix = amx multiplies what is rounded to bf16. An inverse would then let
// the roundings of nearly equal keys add up, so U is solved for instead, by
// rows that know how those above them were rounded (deltanet.tril_solve):
//
//   weights   N = −stril(beta k kᵀ ⊙ D), P as above
//   scan      U = beta (v − e^G (k S)) + N U
//
// Keys and queries that are normalised inside stay as they are given there,
// since bf16 holds them exactly: n = 1/|k| enters what is computed from them.
// U is that of the given keys, which is n times that of the normalised ones, so
// beta is n beta, and Gram matrices have the factors of their rows alone.
//
// Tensor cores multiply what is rounded to f16 or tf32 (ChunkTensorCores.cpp).
//
// What passes from one phase to another lies in tensors whose first dimensions
// are chunk slot, key head and, where it differs between value heads, member.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_CHUNKPHASES_H
#define DELTANET_LIB_TRANSFORMS_CHUNKPHASES_H

#include "ChunkBuilder.h"
#include "deltanet/Schedule/CostModel.h"

namespace mlir::deltanet {

/// A delta_rule with one chunked schedule, and its sizes.
struct ChunkedRule {
  DeltaRuleOp rule;
  ScheduleAttr schedule;
  int64_t chunk, heads, members, keys, values;
  /// Columns of V of one work item of the scan.
  int64_t slice;

  bool isGated() { return rule.getRule() == Rule::Gated; }
  /// Products by tiles of bf16: U is solved for.
  bool solves() { return schedule.getMatrix() == MatrixUnit::Amx; }
  /// Products by tensor cores, of f16 and tf32.
  bool usesTensorCores() { return schedule.getMatrix() == MatrixUnit::Mma; }
  /// Numbers whose sum tensor cores take for one: one of f16 or tf32 is enough
  /// beside activations of 16 bits.
  int64_t parts() { return rule.getIoType().isF32() ? 2 : 1; }
  /// Keys and queries keep lengths that their type of 16 bits holds exactly,
  /// and the factors that normalise them enter what is computed from them in
  /// f32.
  bool keepsLengths() {
    return usesTensorCores() || (solves() && rule.getL2normEpsAttr());
  }
  RuleShape shape() {
    return {heads, heads * members, keys, values, isGated()};
  }
  bool splitsUpdates() { return solves() && deltanet::splitsUpdates(shape()); }
  /// What goes into the state is rounded by the solve.
  bool solvesScaled() { return solves() && isGated() && !splitsUpdates(); }
  bool splitsReads() { return solves() && deltanet::splitsReads(shape()); }
  /// Rows of the blocks that products of causal matrices skip by.
  int64_t causalBlock() { return solves() ? kMatrixBlock : kCausalBlock; }
  /// Rows of the blocks that causal matrices are computed by: the threads of a
  /// GPU share a whole one.
  int64_t weightBlock() { return usesTensorCores() ? chunk : kCausalBlock; }
};

/// The heads that a phase runs over, and its tiles differ between.
enum class Heads { Key, Value };

/// One tile a chunk slot and head.
struct ChunkTiles {
  Value tensor; // [slots,H,…] or [slots,H,HG,…]
  Heads heads;
};

/// What passes between the phases.
struct ChunkWorkspace {
  ChunkTiles k, q;                              // C×K
  SmallVector<ChunkTiles, 2> kParts, qParts;    // C×K of f16, k and q scaled
  ChunkTiles kFactors, qFactors;                // C: of k and q, if apart
  ChunkTiles kk, qk;                            // C×C, blocks j ≤ i written
  ChunkTiles shares, passes;                    // C, of neighbouring keys
  ChunkTiles beta;                              // C: beta, or beta/|k|
  ChunkTiles decay;                             // C×C
  ChunkTiles fromBegin, scaledFromBegin, toEnd; // C: e^G, scale e^G, e^F
  ChunkTiles keyFromBegin;                      // C: e^G times kFactors
  ChunkTiles inverse;                           // C×C
  ChunkTiles update, attention;                 // C×C: T or N, P
};

/// Writes the phases one after the other at the builder's position.
class ChunkPhases {
public:
  ChunkPhases(ChunkedRule chunked, ChunkBuilder &builder)
      : chunked(chunked), domain(chunked.rule), b(builder) {}

  /// The values that replace the results of the rule.
  SmallVector<Value> build();

private:
  /// One iteration of a phase. A phase over key heads has no member, no value
  /// head.
  struct Item {
    ChunkPosition position;
    Value head, member, valueHead;
  };
  struct TileShape {
    SmallVector<int64_t, 2> sizes;
    Type type; ///< of the elements
  };
  TileShape floats(ArrayRef<int64_t> sizes) {
    return {SmallVector<int64_t, 2>(sizes), b.getF32Type()};
  }
  using PhaseBody = function_ref<SmallVector<Value>(const Item &, ValueRange)>;

  /// One parallel loop over chunk slots and heads, whose body fills a tile of
  /// each shape.
  SmallVector<ChunkTiles> phase(Phase phase, Heads heads,
                                ArrayRef<TileShape> shapes, PhaseBody body);
  void annotate(scf::ForallOp loop, Phase phase, ArrayRef<Axis> axes);

  void gather();
  void gram();
  void gates();
  void inverse();
  void weights();
  SmallVector<Value> scan();

  /// With tensor cores.
  void gatherHalves();
  void gramOfHalves();
  Value scanChunkOfHalves(const Item &item, Value column, Value state,
                          function_ref<void(Value)> write);

  /// The parts of a matrix whose columns are scaled by powers of two to f16,
  /// and what takes the scales back.
  struct Halves {
    SmallVector<Value> parts;
    Value back;
  };
  Halves halvesOf(Value matrix);
  SmallVector<Value> tilesOf(ArrayRef<ChunkTiles> parts, const Item &item);
  /// sums + left · right, in the given form each, as products of their parts.
  Value productOfParts(ValueRange left, ChunkBuilder::Form leftForm,
                       ValueRange right, ChunkBuilder::Form rightForm,
                       Value sums);
  /// Σ x² of each row.
  Value squares(Value rows);
  /// What a product takes of x: as many bits as tf32 has or, where it splits
  /// what it takes, all of x.
  Value tf32Operand(ChunkBuilder &n, Value x);
  /// sums + matrix · rows by tf32, the matrix causal and, where asked, split.
  Value causalSum(Value matrix, bool isSplit, Value rows, Value sums);

  /// rsqrt(Σ rows² + eps) of each row.
  Value lengthFactors(Value rows, Value out);
  /// rows_i ← rows_i factors_i, elements or rows of them.
  Value scaleRows(Value rows, Value factors);
  /// How alike neighbouring keys of a block of a solve are, from k kᵀ: the
  /// cosine of each with the next, squared, and how much of the key before lies
  /// along each; 0 at the border of a block and beside zero keys.
  std::pair<Value, Value> likeness(Value gram, Value shares, Value passes);
  /// Zeros, where products take more of a causal matrix than its blocks on and
  /// below the diagonal and packs take all of it.
  Value cleared(Value matrix);
  /// The tile of a chunk and head.
  Value tile(ChunkTiles tiles, const Item &item);
  TileSlice tileSlice(ChunkTiles tiles, const Item &item);
  /// The slot of the first chunk of sequence n.
  Value firstSlot(Value n, SequenceTokens tokens);
  /// Where the chunk of a slot lies; `rows` may be 0 or less in an unused slot.
  ChunkPosition locate(Value slot, Value first, SequenceTokens tokens);

  /// What one item of the scan writes: o [len,slice] and the final state.
  struct ScanOutputs {
    Value rows, state;
  };
  ScanOutputs scanSequence(const Item &item, Value n, SequenceTokens tokens,
                           Value column, ScanOutputs outputs);
  /// The rows of v of a chunk [C,slice].
  Value chunkValues(const Item &item, Value column);
  /// The valid rows of o [C,slice] into those of a sequence, from `first` on.
  Value writeRows(const Item &item, Value first, Value o, Value rows);
  /// The state after a chunk; o [C,slice] is given to `write` when it is known.
  Value scanChunk(const Item &item, Value column, Value state,
                  function_ref<void(Value)> write);
  /// What multiplies the rows of k S, of q S and of U for the state, if
  /// anything.
  struct ScanFactors {
    Value read, query, update;
  };
  ScanFactors scanFactors(const Item &item);
  /// A chunk from X = v − e^G (k S), or beta X for a matrix unit, and
  /// scale e^G (q S).
  struct ChunkOutputs {
    Value o;
    Value stored; ///< U, or e^F U: what goes into the state
  };
  ChunkOutputs applyInverse(const Item &item, Value error, Value factors,
                            Value o);
  ChunkOutputs solve(const Item &item, Value error, Value factors, Value o);
  /// U of the chunk, and with factors what goes into the state.
  SmallVector<Value> solveBlocks(const Item &item, Value error, Value factors);
  /// sums + the rows of a causal matrix times all rows of `tile` that they
  /// take.
  Value causalProduct(Value matrix, Value row, Value tile, Value sums);
  TileSlice rowsAt(OpFoldResult row, int64_t rows);
  Value loadState(Value n, const Item &item, Value column);
  TileSlice stateSlice(Value n, const Item &item, Value column);

  ChunkedRule chunked;
  SequenceDomain domain;
  ChunkBuilder &b;
  Value slots;
  ChunkWorkspace w;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_CHUNKPHASES_H
