//===- RoundedOperation.h - Arithmetic in a direction of rounding ---------===//
//
// Part of the Delta-Net project.
//
// Rounding to nearest is what this processor does anyway, on vectors. For the
// other directions it is asked to round that way, one lane after the other.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_ROUNDEDOPERATION_H
#define DELTANET_LIB_EMULATION_PTX_ROUNDEDOPERATION_H

#include "Elementwise.h"
#include <cfenv>

namespace mlir::deltanet::ptx {

/// How a result is rounded that lies between two numbers. Away: to nearest,
/// and from the middle away from zero.
enum class Rounding : uint8_t { Nearest, Zero, Down, Up, Away };

/// The compiler knows nothing of it: what is computed inside must come from
/// volatile variables and go to them.
class RoundingScope {
public:
  explicit RoundingScope(Rounding rounding) : before(std::fegetround()) {
    std::fesetround(rounding == Rounding::Zero   ? FE_TOWARDZERO
                    : rounding == Rounding::Down ? FE_DOWNWARD
                    : rounding == Rounding::Up   ? FE_UPWARD
                                                 : FE_TONEAREST);
  }
  RoundingScope(const RoundingScope &) = delete;
  ~RoundingScope() { std::fesetround(before); }

private:
  const int before;
};

/// An operation rounded as `immediate` says.
template <auto apply> struct Directed;
template <typename T, typename... Sources, T (*apply)(Sources...)>
struct Directed<apply> {
  static Step run(Warp &warp, const Instruction &instruction, LaneMask mask) {
    runOn(warp, instruction, mask, std::index_sequence_for<Sources...>());
    return Step::Next;
  }

private:
  template <size_t... source>
  static void runOn(Warp &warp, const Instruction &instruction, LaneMask mask,
                    std::index_sequence<source...>) {
    const Lanes<T> sources[] = {load<T>(warp, instruction.sources[source])...};
    Lanes<T> values = {};
    {
      RoundingScope scope(Rounding(instruction.immediate));
      forEachLane(mask, [&](unsigned lane) {
        volatile T operands[] = {sources[source][lane]...};
        volatile T value = apply(operands[source]...);
        values[lane] = value;
      });
    }
    store(warp, instruction.results[0], mask, values);
  }
};

/// An operation of floats in a direction, which `immediate` must have.
template <auto operation> Execute rounded(Rounding rounding) {
  return rounding == Rounding::Nearest ? elementwise<operation>()
                                       : Execute(Directed<operation>::run);
}

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_ROUNDEDOPERATION_H
