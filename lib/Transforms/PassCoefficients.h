//===- PassCoefficients.h - The factors of recurrence passes --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_PASSCOEFFICIENTS_H
#define DELTANET_LIB_TRANSFORMS_PASSCOEFFICIENTS_H

#include "TileBuilder.h"
#include "deltanet/IR/DeltaNet.h"

namespace mlir::deltanet {

/// Some tokens of a sequence, in groups of B.
struct TokenBlock {
  Value begin;  ///< the first of them
  Value offset; ///< the same, counted from the sequence's begin
  Value count;
  Value groups; ///< ceil(count / B)
};

/// Emits the coefficients of the passes over blocks of at most `block` tokens,
/// `tokens` (B) a pass.
class PassCoefficients {
public:
  PassCoefficients(DeltaRuleOp rule, int64_t tokens, int64_t block)
      : rule(rule), B(tokens), block(block) {}

  /// [block/B,B,B,2]: of tokens j <= i of a group, k_i·k_j and q_i·k_j. Rows B,
  /// B+1, … of `keys` [B+block,2,K] are the block's k and q.
  Value products(TileBuilder &b, const TokenBlock &tokens, Value keys);

  /// The coefficients [block/B,count] of the passes of value head hv, head x of
  /// its group, and the updated scales [HG,2]: sigma and the decay owed to the
  /// next pass.
  std::pair<Value, Value> build(TileBuilder &b, const TokenBlock &tokens,
                                Value hv, Value x, Value products,
                                Value scales);

private:
  /// A column of g or beta as [block], zero behind the last token.
  Value gather(TileBuilder &b, Value tensor, const TokenBlock &tokens,
               Value hv);

  DeltaRuleOp rule;
  const int64_t B, block;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_PASSCOEFFICIENTS_H
