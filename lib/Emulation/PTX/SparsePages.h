//===- SparsePages.h - Memory that is taken when it is touched ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_SPARSEPAGES_H
#define DELTANET_LIB_EMULATION_PTX_SPARSEPAGES_H

#include <cstdint>
#include <utility>

namespace mlir::deltanet::ptx {

/// Zeros of this process that take room only where they are touched. Ends the
/// process if there are no addresses left for them.
char *mapSparsePages(uint64_t bytes);
void unmapSparsePages(char *pages, uint64_t bytes);

/// An array in such pages. All zero is a value of its elements.
template <typename T> class SparseArray {
public:
  explicit SparseArray(uint64_t size)
      : bytes(size * sizeof(T)),
        elements(reinterpret_cast<T *>(mapSparsePages(bytes))) {}
  SparseArray(const SparseArray &) = delete;
  ~SparseArray() {
    unmapSparsePages(reinterpret_cast<char *>(elements), bytes);
  }

  T *data() { return elements; }
  const T *data() const { return elements; }
  T &operator[](uint64_t index) { return elements[index]; }
  const T &operator[](uint64_t index) const { return elements[index]; }

private:
  uint64_t bytes;
  T *elements;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_SPARSEPAGES_H
