//===- Target.cpp - Lookup of known targets -------------------------------===//
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
struct KnownTarget {
  const char *Name;
  const char *ArchName;
  const char *IsaName;
  uint16_t VectorBits;
  uint8_t VectorRegisters;
  uint8_t VectorUnits;
  bool Fma;
  uint32_t L1Bytes;
  uint32_t L2Bytes;
  uint8_t Streams;
  const char *MatrixName;
};

#define GET_KnownTargets_DECL
#define GET_KnownTargets_IMPL
#include "deltanet/Target/KnownTargets.inc"

} // namespace

TargetAttr deltanet::findKnownTarget(MLIRContext *context, StringRef name) {
  const KnownTarget *row = lookupKnownTarget(name);
  // The generated search ignores case; names here are exact.
  if (!row || name != row->Name)
    return {};
  context->getOrLoadDialect<DeltaNetDialect>();
  return TargetAttr::get(context, *symbolizeArch(row->ArchName),
                         *symbolizeIsa(row->IsaName), row->VectorBits,
                         row->VectorRegisters, row->VectorUnits, row->Fma,
                         row->L1Bytes, row->L2Bytes, row->Streams,
                         *symbolizeMatrixUnit(row->MatrixName));
}

FailureOr<TargetAttr> deltanet::lookupTarget(MLIRContext *context,
                                             StringRef name,
                                             EmitErrorFn emitError) {
  if (name == "native")
    return getHostTarget(context, emitError);
  if (TargetAttr known = findKnownTarget(context, name))
    return known;
  return emitError() << "expected one of the targets native, "
                     << llvm::join(getKnownTargetNames(), ", ") << ", got '"
                     << name << "'";
}

/// C19. The target of a module, which is one of `Kinds`.
template <typename... Kinds>
static FailureOr<Attribute> findTarget(ModuleOp module, StringRef expected) {
  Attribute target = module->getAttr(DeltaNetDialect::kTargetAttr);
  if (isa_and_nonnull<Kinds...>(target))
    return target;
  InFlightDiagnostic error = module.emitError("expected a ");
  error << expected << " in '" << DeltaNetDialect::kTargetAttr << "', got ";
  return target ? error << target : error << "none";
}

FailureOr<TargetAttr> deltanet::getTarget(ModuleOp module) {
  FailureOr<Attribute> target =
      findTarget<TargetAttr>(module, "#deltanet.target");
  if (failed(target))
    return failure();
  return cast<TargetAttr>(*target);
}

FailureOr<GpuTargetAttr> deltanet::getGpuTarget(ModuleOp module) {
  FailureOr<Attribute> target =
      findTarget<GpuTargetAttr>(module, "#deltanet.gpu_target");
  if (failed(target))
    return failure();
  return cast<GpuTargetAttr>(*target);
}

FailureOr<Attribute> deltanet::getCpuOrGpuTarget(ModuleOp module) {
  return findTarget<TargetAttr, GpuTargetAttr>(
      module, "#deltanet.target or #deltanet.gpu_target");
}

TargetAttr deltanet::getBaseline(MLIRContext *context, Arch arch) {
  return findKnownTarget(context,
                         arch == Arch::X86_64 ? "generic" : "generic-aarch64");
}

SmallVector<StringRef> deltanet::getKnownTargetNames() {
  return llvm::map_to_vector(
      KnownTargets, [](const KnownTarget &row) { return StringRef(row.Name); });
}

TargetNames deltanet::getTargetNames(TargetAttr target) {
  if (target.getArch() == Arch::AArch64)
    return {"aarch64-unknown-linux-gnu", "generic", "", ""};
  StringRef triple = "x86_64-unknown-linux-gnu";
  switch (target.getIsa()) {
  case Isa::Generic:
    return {triple, "x86-64", "", "generic"};
  case Isa::Avx2:
    // Exactly what the runtime asks CPUID for.
    return {triple, "x86-64", "+avx2,+fma,+f16c,+bmi2", "haswell"};
  // Gathers and scatters take a cycle or more a lane.
  case Isa::Avx512:
    return {triple, "x86-64",
            "+avx2,+fma,+f16c,+bmi2,+avx512f,+avx512bw,+avx512dq,+avx512vl,"
            "+prefer-no-gather,+prefer-no-scatter",
            "icelake-server"};
  case Isa::Avx512Bf16:
    return {triple, "x86-64",
            "+avx2,+fma,+f16c,+bmi2,+avx512f,+avx512bw,+avx512dq,+avx512vl,"
            "+prefer-no-gather,+prefer-no-scatter,+avx512bf16",
            "znver4"};
  case Isa::Amx:
    return {triple, "x86-64",
            "+avx2,+fma,+f16c,+bmi2,+avx512f,+avx512bw,+avx512dq,+avx512vl,"
            "+prefer-no-gather,+prefer-no-scatter,+avx512bf16,+amx-tile,"
            "+amx-bf16",
            "sapphirerapids"};
  }
  llvm_unreachable("unknown instruction set level");
}
