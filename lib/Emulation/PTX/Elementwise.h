//===- Elementwise.h - An operation on the values of each lane ------------===//
//
// Part of the Delta-Net project.
//
// The operation is a function of scalars. Around it stands a loop over all
// lanes that the compiler turns into vectors; lanes of no interest compute,
// too, and only the write is masked, so an operation must be defined for all
// operands.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_ELEMENTWISE_H
#define DELTANET_LIB_EMULATION_PTX_ELEMENTWISE_H

#include "Decoder.h"
#include "Warp.h"
#include <type_traits>
#include <utility>

namespace mlir::deltanet::ptx {

/// Inlined, so that it is compiled for the vectors of the function around it.
#define DELTANET_PTX_INLINE __attribute__((always_inline)) inline

/// A value in a register of the file of 32 bits, extended by its sign.
template <typename T> DELTANET_PTX_INLINE uint32_t bits32Of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return bitCast<uint32_t>(value);
  else if constexpr (std::is_signed_v<T>)
    return uint32_t(int32_t(value));
  else
    return value;
}

/// A register in the file of a type as values of the type.
template <typename T>
DELTANET_PTX_INLINE Lanes<T> load(Warp &warp, Register reg) {
  Lanes<T> values;
  if constexpr (sizeof(T) == 8) {
    const Lanes<uint64_t> &from = warp.bits64(reg);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = bitCast<T>(from[lane]);
  } else {
    using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, T>;
    const Lanes<uint32_t> &from = warp.bits32(reg);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = bitCast<T>(Bits(from[lane]));
  }
  return values;
}

/// Writes such a register.
template <typename T>
DELTANET_PTX_INLINE void store(Warp &warp, Register reg, LaneMask mask,
                               const Lanes<T> &values) {
  if constexpr (sizeof(T) == 8) {
    Lanes<uint64_t> &to = warp.bits64(reg);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      to[lane] = mask >> lane & 1 ? bitCast<uint64_t>(values[lane]) : to[lane];
  } else {
    const uint32_t kept = kAllLanes >> (32 - reg.bits);
    Lanes<uint32_t> &to = warp.bits32(reg);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      to[lane] = mask >> lane & 1 ? bits32Of(values[lane]) & kept : to[lane];
  }
}

/// Operation::run as it is compiled for any processor of this kind.
template <typename Operation>
Step runAnywhere(Warp &warp, const Instruction &instruction, LaneMask mask) {
  return Operation::run(warp, instruction, mask);
}

#ifdef __x86_64__
/// The same with vectors of 256 bits, into which everything is inlined.
template <typename Operation>
__attribute__((target("avx2,bmi2,fma"), flatten)) Step
runWide(Warp &warp, const Instruction &instruction, LaneMask mask) {
  return Operation::run(warp, instruction, mask);
}
#endif

/// The one that this processor has, chosen when a module is decoded.
template <typename Operation> Execute fastest() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma"))
    return runWide<Operation>;
#endif
  return runAnywhere<Operation>;
}

/// A function of the sources that gives the result.
template <auto apply> struct Elementwise;

template <typename Result, typename... Sources, Result (*apply)(Sources...)>
struct Elementwise<apply> {
  DELTANET_PTX_INLINE static Step
  run(Warp &warp, const Instruction &instruction, LaneMask mask) {
    runOn(warp, instruction, mask, std::index_sequence_for<Sources...>());
    return Step::Next;
  }

private:
  template <size_t... source>
  DELTANET_PTX_INLINE static void
  runOn(Warp &warp, const Instruction &instruction, LaneMask mask,
        std::index_sequence<source...>) {
    evaluate(warp, instruction, mask,
             load<Sources>(warp, instruction.sources[source])...);
  }

  DELTANET_PTX_INLINE static void evaluate(Warp &warp,
                                           const Instruction &instruction,
                                           LaneMask mask,
                                           const Lanes<Sources> &...sources) {
    Lanes<Result> values;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = apply(sources[lane]...);
    store(warp, instruction.results[0], mask, values);
  }
};

template <auto apply> Execute elementwise() {
  return fastest<Elementwise<apply>>();
}

/// Rejects what no function executes.
inline void setExecuteIfKnown(Decoder &decoder, Execute execute) {
  if (execute)
    decoder.setExecute(execute);
  else
    decoder.failUnknown();
}

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_ELEMENTWISE_H
