//===- ChunkBuilder.h - Code on the tiles of one chunk --------------------===//
//
// Part of the Delta-Net project.
//
// What the phases of the chunked algorithm share: where a chunk lies, products
// of tiles, elementwise operations with several results, and loops over the
// causal blocks of a chunk.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_CHUNKBUILDER_H
#define DELTANET_LIB_TRANSFORMS_CHUNKBUILDER_H

#include "SequenceDomain.h"
#include "TileBuilder.h"
#include <array>

namespace mlir::deltanet {

/// Rows of a causal block: what a triangular inverse substitutes at once.
constexpr int64_t kCausalBlock = 16;
/// Rows of a causal block of products on a matrix unit: two tiles, whose sums
/// over 32 tokens are one tile each.
constexpr int64_t kMatrixBlock = 32;

/// Where one chunk lies: its slot, first token and number of tokens (index).
struct ChunkPosition {
  Value slot, token, rows;
};

class ChunkBuilder : public TileBuilder {
public:
  using TileBuilder::TileBuilder;
  ChunkBuilder(Location loc, OpBuilder &builder) : TileBuilder(loc, builder) {}

  /// One operand or result of an elementwise operation: a dimension of the
  /// iteration space for each dimension of the tensor.
  using Operand = TileBuilder::Input;
  using ElementsBody =
      function_ref<SmallVector<Value>(ChunkBuilder &, ValueRange)>;
  /// (outs[0], outs[1], …) = body(inputs…, outs…) over the dimensions of outs,
  /// which have the same shape.
  SmallVector<Value> elementwise(ArrayRef<Operand> inputs, ValueRange outs,
                                 ElementsBody body);

  enum class Form { AsIs, Transposed };
  /// acc + a·b of two matrices, each as it is or transposed.
  Value product(Value a, Form aForm, Value b, Form bForm, Value acc);
  /// a·b into `out`.
  Value product(Value a, Value b, Value out);

  /// Lets a matrix unit take operands of the product as sums of two numbers.
  void splitOperands(Value product, bool left, bool right);

  /// Copies `rows` rows of a slice of `source` that starts at `offsets` (the
  /// first is the row) to the first rows of `tile`, in f32, and clears the
  /// rest.
  Value gather(Value source, ArrayRef<OpFoldResult> offsets, Value rows,
               Value tile);

  /// `rows` rows of a slice of `source` that starts at `offsets`, and zeros, as
  /// a tile of this shape.
  Value padded(Value source, ArrayRef<OpFoldResult> offsets, Value rows,
               std::array<int64_t, 2> shape);

  using ReductionBody =
      function_ref<Value(ChunkBuilder &, Value element, Value result)>;
  /// What `body` makes of the elements along a dimension of a matrix and of
  /// `out`, a vector, one after the other.
  Value reduce(Value matrix, unsigned dimension, Value out, ReductionBody body);
  /// max |x| along a dimension.
  Value largest(Value matrix, unsigned dimension);

  /// s and 1/s of f32, where s is the power of two with 2^14 ≤ s m < 2^15 for a
  /// positive m; finite for any m. Not 2^16: what f16 rounds up is finite, too.
  std::pair<Value, Value> powerOfTwo(Value m);
  /// x in f32.
  Value widen(Value x);
  /// x of f32 rounded to 11 bits, a half away from zero.
  Value roundToTf32(Value x);
  /// `count` numbers whose sum is x of f32 or close to it, the first the
  /// largest: each is what `round` leaves of x less those before it, in f32 or
  /// less.
  SmallVector<Value> parts(Value x, int64_t count,
                           function_ref<Value(ChunkBuilder &, Value)> round);

  using BlockBody =
      function_ref<SmallVector<Value>(Value row, Value column, ValueRange)>;
  /// Runs over the blocks of side × side at (row, column) of a C×C matrix on
  /// and below its diagonal, column by column, carrying `tiles`.
  SmallVector<Value> causalBlocks(int64_t chunk, int64_t side, ValueRange tiles,
                                  BlockBody body);
  /// The block at (row, column) of a matrix.
  TileSlice block(Value row, Value column, int64_t side);
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_CHUNKBUILDER_H
