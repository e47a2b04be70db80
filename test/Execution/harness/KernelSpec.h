//===- KernelSpec.h - What a kernel is asked to be --------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_KERNELSPEC_H
#define DELTANET_TEST_EXECUTION_KERNELSPEC_H

#include "deltanet/Verification/InputGenerator.h"
#include "deltanet/Verification/Problem.h"
#include <iosfwd>
#include <string>

namespace mlir::deltanet::execution {

/// The static choices of one kernel, from which both its source and the facts
/// of its problems are made: a compiled kernel is never asked what it computes.
struct KernelSpec {
  std::string name = "layer";
  dn_rule rule = DN_RULE_GATED;
  dn_head_map headMap = DN_HEAD_MAP_GROUPED;
  dn_state_layout stateLayout = DN_STATE_LAYOUT_KV;
  dn_type ioType = DN_TYPE_BF16;
  dn_type indexType = DN_TYPE_NONE; ///< of cu_seqlens; none: one sequence
  int64_t h = 2, hv = 2, k = 128, v = 128;
  bool takesState = true, givesState = true;
  std::optional<double> l2normEps, scale;
  int64_t staticTokens = -1; ///< T, or -1: dynamic
  /// Schedules without their prefix, e.g. {"recurrent, tokens = 2"}; empty: the
  /// compiler chooses.
  std::vector<std::string> schedules;
  std::string levels; ///< to compile for, as --isa names them, or the name of a
                      ///< GPU; empty: all levels of CPUs

  bool isForGpu() const { return llvm::StringRef(levels).starts_with("sm_"); }

  /// What a problem for this kernel looks like.
  verification::RuleFacts facts() const;

  /// The kernel as a func.func with one deltanet.delta_rule.
  std::string toMlir() const;
};

/// For messages of GoogleTest.
void PrintTo(const KernelSpec &spec, std::ostream *os);

/// Limits of the error hold at 16-bit types for the output alone, so exactness
/// is tested in f32.
KernelSpec f32Spec();

/// Matrix units multiply bf16, 32 products at once.
bool fitsMatrixUnit(const KernelSpec &spec);

/// Tensor cores of GPUs multiply 16 bits, beside a state in registers.
bool fitsTensorCores(const KernelSpec &spec);

/// Copies of `spec`, one for each way to compute: as the compiler chooses,
/// "recurrent" (2 tokens a pass), "one_pass" (`chunk` tokens a chunk) and
/// "two_stage" (half of that, but 16 at least), with these names; and, for what
/// a matrix unit can multiply, "matrix" (32 tokens a chunk at least) for the
/// level that has one, which then has "chosen" and this alone; and "gpu", as
/// the compiler chooses for sm_80, and for what its tensor cores can multiply
/// "gpu_chunks" (32 or 64 tokens a chunk). Shorter chunks make smaller kernels,
/// for tests that need many of them.
std::vector<KernelSpec> everyAlgorithm(const KernelSpec &spec,
                                       int64_t chunk = 64);

/// Only "recurrent", "one_pass", "matrix", "gpu" and "gpu_chunks", with the
/// shortest chunks: for tests of many shapes.
std::vector<KernelSpec> bothAlgorithms(const KernelSpec &spec);

/// generateProblem for valid arguments.
verification::Problem
makeProblem(const KernelSpec &spec, llvm::ArrayRef<int64_t> lengths,
            const verification::GeneratorOptions &options = {});

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_KERNELSPEC_H
