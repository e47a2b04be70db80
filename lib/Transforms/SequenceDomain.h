//===- SequenceDomain.h - Sequences and heads of a delta rule -------------===//
//
// Part of the Delta-Net project.
//
// What every expansion of a delta_rule shares: how many sequences there are,
// which tokens one owns, whether its length is served by the schedule, and
// which value head belongs to a member of a key head's group.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_SEQUENCEDOMAIN_H
#define DELTANET_LIB_TRANSFORMS_SEQUENCEDOMAIN_H

#include "deltanet/IR/DeltaNet.h"

namespace mlir::deltanet {

/// The tokens [begin, begin + length) of one sequence, as index values.
struct SequenceTokens {
  Value begin, length;
};

class SequenceDomain {
public:
  explicit SequenceDomain(DeltaRuleOp rule) : rule(rule) {}

  /// N, the number of sequences.
  Value getSequenceCount(OpBuilder &builder);

  /// T, the number of tokens of the tensors.
  Value getTokenCount(OpBuilder &builder);

  /// The tokens of sequence n: cu_seqlens[n] … cu_seqlens[n+1], or all.
  SequenceTokens getTokens(OpBuilder &builder, Value n);

  /// i1: the schedule serves sequences of this length. A null value stands for
  /// "always", so that no test needs to be emitted.
  Value isServed(OpBuilder &builder, ScheduleAttr schedule, Value length);

  /// The value head of member x (0 … HV/H−1) of key head h.
  Value getValueHead(OpBuilder &builder, Value h, Value x);

  /// The first value head of key head h and the distance between its members:
  /// a strided slice over all value heads of the group.
  std::pair<Value, int64_t> getGroup(OpBuilder &builder, Value h);

private:
  DeltaRuleOp rule;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_SEQUENCEDOMAIN_H
