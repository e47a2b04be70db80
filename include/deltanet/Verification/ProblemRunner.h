//===- ProblemRunner.h - Something that computes problems -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// The seam between problems and whatever computes them: a kernel of a library,
// or the IR of some stage of the compiler.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_PROBLEMRUNNER_H
#define DELTANET_VERIFICATION_PROBLEMRUNNER_H

#include "deltanet/Verification/Problem.h"
#include "deltanet/Verification/Schedules.h"

namespace mlir::deltanet::verification {

/// What a runner can compute.
struct RunnerTraits {
  std::string name; ///< of the kernel, for messages
  RuleFacts facts;  ///< scale is the kernel's own
  dn_state_layout stateLayout = DN_STATE_LAYOUT_KV; ///< in its memory
  bool takesState = false;                          ///< an initial state
  bool givesState = false;                          ///< the final state
  /// Of cu_seqlens, i32 or i64; DN_TYPE_NONE: no packed sequences.
  dn_type indexType = DN_TYPE_NONE;
  int64_t staticTokens = -1; ///< the only T, or -1
  std::vector<Schedule> schedules;

  bool takesCuSeqlens() const { return indexType != DN_TYPE_NONE; }
};

/// What one run gave. States are [K,V] whatever the runner's layout.
struct RunResult {
  std::vector<float> o;          ///< [T,HV,V]; 0 for tokens of no sequence
  std::vector<float> finalState; ///< [N,HV,K,V]; empty without givesState
  std::vector<float> states;     ///< [T,HV,K,V] if kept by a run in steps
  std::vector<std::string>
      faults;                  ///< memory errors and the like; any one fails
  std::vector<double> seconds; ///< of each repetition or step, if timed
};

class ProblemRunner {
public:
  virtual ~ProblemRunner();

  virtual const RunnerTraits &traits() const = 0;

  /// Computes a problem that validate() and matchProblem() accept.
  virtual llvm::Expected<RunResult> run(const Problem &problem) = 0;
};

/// Fails unless the runner computes what the problem asks for. The error names
/// every fact that differs, on both sides. `where` is the problem's name.
llvm::Error matchProblem(const RunnerTraits &traits, const Problem &problem,
                         llvm::StringRef where);

/// Runs each sequence in pieces of `tokensPerCall` tokens (the last may be
/// shorter), handing the state on. `keepStates` returns the state after each
/// token, which needs tokensPerCall = 1. Faults name the token their call began
/// with. Fails if the runner does not take and give a state.
llvm::Expected<RunResult> runInSteps(ProblemRunner &runner,
                                     const Problem &problem,
                                     int64_t tokensPerCall, bool keepStates);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_PROBLEMRUNNER_H
