//===- Arguments.h - What a kernel is called with ---------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_PTXSIM_ARGUMENTS_H
#define DELTA_PTXSIM_ARGUMENTS_H

#include "Elements.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace delta_ptxsim {

enum class Direction { In, Out, InOut };
enum class Fill { None, Zero, One, Iota, Random, File };

/// Memory of the device.
struct Buffer {
  std::string name;
  Direction direction = Direction::In;
  std::vector<int64_t> shape;
  Fill fill = Fill::None;
  uint64_t seed = 0;
  std::string file; ///< .npy

  uint64_t elements() const;
};

/// A scalar, or a buffer whose address the kernel gets.
struct Argument {
  std::string text; ///< as given
  ElementType type = ElementType::U32;
  std::optional<Buffer> buffer;
  std::vector<char> scalar;

  uint64_t bytes() const { return buffer->elements() * bytesOf(type); }
};

/// Parses "u32:5" or "x=in:f32:4x8:random:3". Random elements without a seed
/// have that of the number of the argument.
llvm::Expected<Argument> parseArgument(llvm::StringRef text, uint64_t number);

/// "X", "X,Y" or "X,Y,Z"; those that are left out are 1.
llvm::Expected<std::array<uint32_t, 3>> parseSizes(llvm::StringRef text);

} // namespace delta_ptxsim

#endif // DELTA_PTXSIM_ARGUMENTS_H
