//===- GpuTarget.cpp - Lookup of known GPUs -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Target/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// A row of Targets.td.
struct KnownGpu {
  const char *ChipName;
  uint16_t Multiprocessors;
  uint16_t Threads;
  uint32_t SharedBytes;
  uint32_t SharedBytesInAll;
  const char *TensorCoreName;
  const char *AsyncCopyName;
};

#define GET_KnownGpus_IMPL
#include "deltanet/Target/KnownTargets.inc"

} // namespace

SmallVector<StringRef> deltanet::getKnownGpuNames() {
  SmallVector<StringRef> names = llvm::map_to_vector(
      KnownGpus, [](const KnownGpu &row) { return StringRef(row.ChipName); });
  // The table is sorted by the letters of its names.
  llvm::sort(names, [](StringRef a, StringRef b) {
    return *symbolizeChip(a) < *symbolizeChip(b);
  });
  return names;
}

FailureOr<GpuTargetAttr> deltanet::lookupGpuTarget(MLIRContext *context,
                                                   StringRef name,
                                                   EmitErrorFn emitError) {
  context->getOrLoadDialect<DeltaNetDialect>();
  for (const KnownGpu &row : KnownGpus)
    if (name == row.ChipName)
      return GpuTargetAttr::get(context, *symbolizeChip(name),
                                row.Multiprocessors, row.Threads,
                                row.SharedBytes, row.SharedBytesInAll,
                                *symbolizeTensorCore(row.TensorCoreName),
                                *symbolizeAsyncCopy(row.AsyncCopyName));
  return emitError() << "expected one of the GPUs "
                     << llvm::join(getKnownGpuNames(), ", ") << ", got '"
                     << name << "'";
}
