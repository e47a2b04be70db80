//===- Npy.h - The .npy array format ----------------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// One array: a type, a shape and its bytes in C order, little endian.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_NPY_H
#define DELTANET_VERIFICATION_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::deltanet::verification {

enum class NpyType { F16, F32, F64, U8, U16, I32, I64 };

/// Size in bytes of one element.
unsigned npyElementBytes(NpyType type);

/// The type's descr as files hold it, e.g. "<f4".
llvm::StringRef npyDescr(NpyType type);

struct NpyArray {
  NpyType type = NpyType::F32;
  std::vector<int64_t> shape; ///< empty for a scalar
  std::vector<char> bytes;    ///< elements() * npyElementBytes(type)

  /// Product of the shape; 1 for a scalar.
  int64_t elements() const;

  /// Copies elements of C++ type T in and out; sizeof(T) must be the element
  /// size.
  template <typename T> std::vector<T> values() const {
    std::vector<T> out(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char *>(out.data()));
    return out;
  }
  template <typename T>
  static NpyArray make(NpyType type, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<T> values) {
    const auto *begin = reinterpret_cast<const char *>(values.data());
    return {type, shape.vec(), {begin, begin + values.size() * sizeof(T)}};
  }
};

/// Reads format versions 1 to 3. `where` names the array in errors. Refuses
/// Fortran order, big endian, other types, and any size that is not exactly
/// what the header says.
llvm::Expected<NpyArray> parseNpy(llvm::StringRef file, llvm::StringRef where);

/// The bytes of a version 1 file that NumPy reads.
std::string serializeNpy(const NpyArray &array);

/// "[3,2,64]", "[]" for a scalar.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_NPY_H
