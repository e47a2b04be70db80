//===- EmitHeader.cpp - The C header of a kernel library ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/EmitHeader.h"
#include "deltanet/ABI/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

std::string guardName(StringRef fileName) {
  std::string guard = "DELTANET_KERNELS_";
  for (char c : llvm::sys::path::filename(fileName))
    guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return guard;
}

/// A file name as a comment can hold it: bytes that would end the line, or that
/// compilers warn of, are replaced.
std::string commentName(StringRef fileName) {
  std::string name = llvm::sys::path::filename(fileName).str();
  for (char &c : name)
    c = llvm::isPrint(c) ? c : '_';
  return name;
}

std::string typeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

/// The shortest text that reads back as the same float.
std::string real(FloatAttr value) {
  return llvm::formatv("{0}", llvm::format("%.9g", value.getValueAsDouble()));
}

/// Type, shape and meaning of an argument, e.g. "bf16 [T, 16, 128]".
std::string describeArgument(Role role, const KernelVariant &variant) {
  KernelAttr kernel = variant.facts;
  std::string io = typeName(kernel.getIo());
  std::string t =
      kernel.getTokens() < 0 ? "T" : llvm::utostr(kernel.getTokens());
  int64_t h = kernel.getH(), hv = kernel.getHv(), k = kernel.getK(),
          v = kernel.getV();
  bool kv = kernel.getStateLayout() == StateLayout::KV;
  std::string state = llvm::formatv("f32 [{0}, {1}, {2}, {3}]",
                                    kernel.getCuSeqlens() ? "N" : "1", hv,
                                    kv ? k : v, kv ? v : k);
  StringRef rows = kv ? ", rows are key channels" : ", rows are value channels";
  switch (role) {
  case Role::Q:
  case Role::K:
    return llvm::formatv("{0} [{1}, {2}, {3}]", io, t, h, k);
  case Role::V:
  case Role::O:
    return llvm::formatv("{0} [{1}, {2}, {3}]", io, t, hv, v);
  case Role::G:
    return llvm::formatv("f32 [{0}, {1}], log decay, at most 0", t, hv);
  case Role::Beta:
    return llvm::formatv("f32 [{0}, {1}]", t, hv);
  case Role::StateIn:
    return state + rows.str();
  case Role::StateOut:
    return state + (llvm::is_contained(variant.roles, Role::StateIn)
                        ? ", may be state_in"
                        : rows.str());
  case Role::CuSeqlens:
    return typeName(kernel.getCuSeqlens()) + " [N+1]";
  case Role::Scale:
    break;
  }
  llvm_unreachable("the scale is no tensor");
}

void describeKernel(raw_ostream &os, const KernelVariant &variant) {
  KernelAttr kernel = variant.facts;
  os << "/// The "
     << (kernel.getRule() == Rule::Gated ? "gated delta rule" : "delta rule")
     << " with " << kernel.getH() << " key and " << kernel.getHv()
     << " value heads";
  if (kernel.getH() != kernel.getHv())
    os << (kernel.getHeadMap() == HeadMap::Grouped
               ? "; value head hv uses key head hv / "
               : "; value head hv uses key head hv mod ")
       << (kernel.getHeadMap() == HeadMap::Grouped
               ? kernel.getHv() / kernel.getH()
               : kernel.getH());
  os << ".\n///\n";
  for (Role role : variant.roles)
    if (role != Role::Scale)
      os << "///   " << llvm::left_justify(stringifyRole(role), 11)
         << describeArgument(role, variant) << "\n";
  os << "///\n/// q is multiplied by " << real(kernel.getScale())
     << ", or by dn_args.scale with DN_FLAG_SCALE.\n";
  if (FloatAttr eps = kernel.getL2normEps())
    os << "/// Rows of q and k are first divided by sqrt(sum of squares + "
       << real(eps) << ").\n";
  if (!kernel.getCuSeqlens())
    os << "/// There is one sequence: dn_args.sequences is 1.\n";
}

} // namespace

void mlir::deltanet::emitHeader(raw_ostream &os, StringRef fileName,
                                ArrayRef<KernelVariant> variants) {
  std::string guard = guardName(fileName);
  os << "// " << commentName(fileName)
     << " - Kernels made by delta-compile; link the library made with it.\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include \"deltanet-c/kernel_abi.h\"\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  llvm::MapVector<StringRef, SmallVector<const KernelVariant *>> kernels;
  for (const KernelVariant &variant : variants)
    kernels[variant.kernel].push_back(&variant);
  for (auto &[name, levels] : kernels) {
    llvm::sort(levels,
               [](auto *a, auto *b) { return a->level.isa > b->level.isa; });
    describeKernel(os, *levels.front());
    os << "///\n/// Variants and their schedules:\n";
    for (const KernelVariant *level : levels) {
      os << "///   " << level->level.name << "\n";
      SmallVector<StringRef> lines;
      std::string text = abi::describeSchedules(level->facts);
      StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      for (StringRef line : lines)
        os << "///     " << line << "\n";
    }
    os << "extern const dn_kernel_set dn_" << name << ";\n\n";
  }
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif // " << guard << "\n";
}
