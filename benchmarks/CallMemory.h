//===- CallMemory.h - Tensors of a call -------------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_CALLMEMORY_H
#define DELTANET_BENCHMARKS_CALLMEMORY_H

#include "deltanet/Verification/Problem.h"
#include <cstddef>
#include <memory>
#include <vector>

namespace mlir::deltanet::bench {

/// Memory on huge pages where the system gives them, so that runs of one
/// machine resemble each other.
class Pages {
public:
  Pages() = default;
  explicit Pages(size_t bytes);

  void *data() const { return memory.get(); }

private:
  struct Free {
    void operator()(void *memory) const;
  };
  std::unique_ptr<void, Free> memory;
};

/// The tensors of one call, all in C order, and the dn_args that describe them.
/// Activations have the type `ioType`, states the layout `stateLayout`.
class CallMemory {
public:
  struct Options {
    dn_type ioType;
    dn_state_layout stateLayout;
    dn_type indexType; ///< of cu_seqlens; DN_TYPE_NONE: none
    bool inPlaceState;
  };

  /// Ends the program when memory runs out.
  CallMemory(const verification::Problem &problem, const Options &options);

  const dn_args &args() const { return callArgs; }
  /// Gives a kernel the workspace that it asks for.
  void addWorkspace(const dn_kernel &kernel);

  /// o as f32, and the final state as [N,HV,K,V].
  std::vector<float> output() const;
  std::vector<float> finalState() const;

private:
  void *place(size_t bytes);
  void *encode(llvm::ArrayRef<float> values);
  void describe();

  verification::RuleFacts facts;
  Options options;
  size_t outputElements, stateElements;
  std::vector<Pages> pages;
  dn_args callArgs = {};
};

} // namespace mlir::deltanet::bench

#endif // DELTANET_BENCHMARKS_CALLMEMORY_H
