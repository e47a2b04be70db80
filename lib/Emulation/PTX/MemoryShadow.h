//===- MemoryShadow.h - What threads did to each word of a memory ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_MEMORYSHADOW_H
#define DELTANET_LIB_EMULATION_PTX_MEMORYSHADOW_H

#include "WarpClock.h"
#include "deltanet/Emulation/PTX/Finding.h"
#include <optional>
#include <string>

namespace mlir::deltanet::ptx {

/// Who makes an access, and what is known to have happened before it.
struct Accessor {
  uint64_t firstBlock; ///< of the launch; earlier launches have ended
  uint64_t block;      ///< its number
  unsigned warp, lane;
  const WarpClock &clock;
};

enum class AccessKind { Read, Write, Atomic };

/// What is wrong with an access, as a part of a sentence: "race with a write by
/// warp 3, lane 5, of block 2".
struct AccessProblem {
  FindingKind kind;
  std::string what;
};

/// One for each buffer of global memory and one for the shared memory of the
/// block that runs. Offsets are from the begin of the memory.
class MemoryShadow {
public:
  explicit MemoryShadow(uint64_t bytes);
  ~MemoryShadow();

  /// Forgets everything; no byte is initialised.
  void clear();
  void markInitialised(uint64_t offset, uint64_t bytes);
  void markUninitialised(uint64_t offset, uint64_t bytes);
  bool isInitialised(uint64_t offset, uint64_t bytes) const;

  /// Records an access of one thread. The first problem with it, if any: bytes
  /// that nobody wrote, an asynchronous copy that nobody waited for, or an
  /// access of another thread that neither happened before nor reads as well.
  std::optional<AccessProblem> access(uint64_t offset, unsigned bytes,
                                      AccessKind kind, const Accessor &by);

  /// Records accesses of the lanes of a mask, where `offsets` has one of each
  /// lane and `by` is any of them. Gives the lanes whose accesses are not
  /// simple enough and are still to be recorded, one by one.
  LaneMask accessSimply(const uint64_t *offsets, LaneMask mask, unsigned bytes,
                        AccessKind kind, const Accessor &by);

  /// An asynchronous copy to these bytes is under way; until it is waited for
  /// nobody may access them. The end counts as a write by the thread that
  /// waits. The begin is checked like a write.
  std::optional<AccessProblem> beginCopy(uint64_t offset, unsigned bytes,
                                         const Accessor &by);
  std::optional<AccessProblem> endCopy(uint64_t offset, unsigned bytes,
                                       const Accessor &by);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_MEMORYSHADOW_H
