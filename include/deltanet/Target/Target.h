//===- Target.h - The machine that a module is compiled for ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TARGET_TARGET_H
#define DELTANET_TARGET_TARGET_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::deltanet {

using EmitErrorFn = function_ref<InFlightDiagnostic()>;

/// The row of Targets.td called `name` ("avx2", "znver3", …); null if there is
/// none.
TargetAttr findKnownTarget(MLIRContext *context, StringRef name);

/// The target called `name`: a row of Targets.td, or "native" for this
/// machine. Error: an unknown name; it lists the known ones.
FailureOr<TargetAttr> lookupTarget(MLIRContext *context, StringRef name,
                                   EmitErrorFn emitError);

/// This machine: the highest instruction set level that it and its operating
/// system support, with the cache sizes that the system tells, or else those of
/// the level. Error: an architecture without a level.
FailureOr<TargetAttr> getHostTarget(MLIRContext *context,
                                    EmitErrorFn emitError);

/// The `deltanet.target` of a module for CPUs. Error: there is none.
FailureOr<TargetAttr> getTarget(ModuleOp module);

/// The GPU called `name`, such as "sm_90a": a row of Targets.td. Error: an
/// unknown name; it lists the known ones.
FailureOr<GpuTargetAttr> lookupGpuTarget(MLIRContext *context, StringRef name,
                                         EmitErrorFn emitError);

/// The `deltanet.target` of a module for GPUs. Error: there is none.
FailureOr<GpuTargetAttr> getGpuTarget(ModuleOp module);

/// The `deltanet.target` of a module, of either kind. Error: there is none.
FailureOr<Attribute> getCpuOrGpuTarget(ModuleOp module);

/// What every machine of an architecture has.
TargetAttr getBaseline(MLIRContext *context, Arch arch);

/// The names that lookupTarget knows, without "native", sorted.
SmallVector<StringRef> getKnownTargetNames();

/// The names that lookupGpuTarget knows, by compute capability.
SmallVector<StringRef> getKnownGpuNames();

/// How LLVM calls a target.
struct TargetNames {
  StringRef triple;
  StringRef cpu;      ///< what code may assume, without `features`
  StringRef features; ///< beyond the cpu, "+avx2,+fma"
  StringRef tuneCpu;  ///< what code is scheduled for; may be empty
};
TargetNames getTargetNames(TargetAttr target);

/// What a processor says of itself; read apart from judging it, for tests.
struct HostDescription {
  Arch arch;
  std::string cpu;                ///< by LLVM's names, "znver4"; may be empty
  llvm::StringMap<bool> features; ///< by LLVM's names, "avx2", "fma", …
  int tilePalettes = 0;           ///< configurations of AMX tiles it knows
  int64_t l1Bytes = 0;            ///< data cache of one core; 0: not told
  int64_t l2Bytes = 0;
};

/// The target of a machine of the given description.
TargetAttr describeTarget(MLIRContext *context, const HostDescription &host);

/// Data cache sizes of one core from a folder like
/// /sys/devices/system/cpu/cpu0/cache: fills what it finds in `host`.
void readCacheSizes(StringRef folder, HostDescription &host);

} // namespace mlir::deltanet

#endif // DELTANET_TARGET_TARGET_H
