//===- Elements.h - Types of scalars and buffers ----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_PTXSIM_ELEMENTS_H
#define DELTA_PTXSIM_ELEMENTS_H

#include "deltanet/Verification/Npy.h"
#include <optional>

namespace delta_ptxsim {

enum class ElementType { U8, S32, U32, S64, U64, F16, BF16, F32, F64 };

std::optional<ElementType> parseElementType(llvm::StringRef name);
/// "u8, s32, …".
std::string elementTypeNames();
llvm::StringRef nameOf(ElementType type);
unsigned bytesOf(ElementType type);
bool isFloat(ElementType type);

/// The type in a file: of the same size, and with the same meaning where files
/// have one.
mlir::deltanet::verification::NpyType npyTypeOf(ElementType type);

/// Stores a number: the nearest of a type of floats, the low bits of others.
void storeInteger(ElementType type, uint64_t value, char *to);
void storeFloat(ElementType type, float value, char *to);

/// The bytes of a number that is written out. Nothing if it is none of the
/// type.
std::optional<std::vector<char>> parseElement(ElementType type,
                                              llvm::StringRef text);

/// A number with all its digits.
std::string textOf(ElementType type, const char *element);

} // namespace delta_ptxsim

#endif // DELTA_PTXSIM_ELEMENTS_H
