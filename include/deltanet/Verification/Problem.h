//===- Problem.h - One gated delta rule with its inputs ---------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// What is computed, apart from who computes it. Letters: T tokens of all
// sequences, N sequences, H key heads, HV value heads, K and V channels.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_PROBLEM_H
#define DELTANET_VERIFICATION_PROBLEM_H

#include "deltanet-c/kernel_abi.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::deltanet::verification {

/// What holds for every call of a rule.
struct RuleFacts {
  dn_rule rule = DN_RULE_GATED;
  dn_head_map headMap = DN_HEAD_MAP_GROUPED;
  dn_type ioType = DN_TYPE_F32; ///< of q, k, v and o
  int64_t h = 0, hv = 0, k = 0, v = 0;
  double scale = 1.0;              ///< factor of q, after the L2 norm
  std::optional<double> l2normEps; ///< set: q and k are normalised inside

  /// Key head that value head `valueHead` reads.
  int64_t keyHead(int64_t valueHead) const {
    return headMap == DN_HEAD_MAP_GROUPED ? valueHead / (hv / h)
                                          : valueHead % h;
  }
};

/// A call: facts, counts and inputs. Activations are f32 values that ioType
/// holds exactly. States are [N,HV,K,V] whatever layout a kernel wants.
struct Problem {
  RuleFacts facts;
  int64_t tokens = 0;
  int64_t sequences = 1;
  /// N+1 ascending offsets from 0 to at most T; tokens from cuSeqlens[N] on
  /// belong to no sequence. [0, T] for a problem without packing.
  std::vector<int64_t> cuSeqlens = {0, 0};

  std::vector<float> q, k;    ///< [T,H,K]
  std::vector<float> v;       ///< [T,HV,V]
  std::vector<float> g;       ///< [T,HV] log decay; empty for the delta rule
  std::vector<float> beta;    ///< [T,HV]
  std::vector<float> stateIn; ///< [N,HV,K,V]; empty: zeros

  /// Keys are nearly equal, which some error limits allow for.
  bool correlatedKeys = false;

  int64_t stateElements() const {
    return sequences * facts.hv * facts.k * facts.v;
  }
};

/// Fails when a count is negative, HV is no multiple of H, offsets do not
/// ascend, or a tensor has another size than its shape.
llvm::Error validate(const Problem &problem);

/// Elements of all tensors of a problem with these counts, or an error when
/// they are more than a machine is likely to hold with its copies (2^30).
llvm::Expected<int64_t> checkedElements(const RuleFacts &facts, int64_t tokens,
                                        int64_t sequences);

/// The tokens [begin, end) of one sequence as a problem of their own, starting
/// from `state` ([HV,K,V]; empty: zeros).
Problem sliceTokens(const Problem &problem, int64_t begin, int64_t end,
                    std::vector<float> state);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_PROBLEM_H
