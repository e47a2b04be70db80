//===- HandleTable.h - Objects behind the handles of an API -----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_CUDA_HANDLETABLE_H
#define DELTANET_LIB_EMULATION_CUDA_HANDLETABLE_H

#include <cstdint>
#include <map>
#include <memory>

namespace mlir::deltanet::cuda {

/// A number that no other handle of this process has, so that one used too long
/// is noticed. The first ones stand for things of their own in the API.
inline uint64_t takeHandleNumber() {
  static uint64_t last = 0x1000;
  return ++last;
}

template <typename Handle, typename T> class HandleTable {
public:
  Handle add(std::unique_ptr<T> object) {
    auto handle = reinterpret_cast<Handle>(takeHandleNumber());
    objects[handle] = std::move(object);
    return handle;
  }

  /// Null for a handle of nothing, or of something that is gone.
  T *find(Handle handle) const {
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second.get();
  }

  bool remove(Handle handle) { return objects.erase(handle) != 0; }

  template <typename Predicate> void removeIf(Predicate predicate) {
    for (auto it = objects.begin(); it != objects.end();)
      it = predicate(*it->second) ? objects.erase(it) : std::next(it);
  }

private:
  std::map<Handle, std::unique_ptr<T>> objects;
};

} // namespace mlir::deltanet::cuda

#endif // DELTANET_LIB_EMULATION_CUDA_HANDLETABLE_H
