//===- KernelLibrary.cpp - Kernels found in a shared library --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/KernelLibrary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<KernelLibrary> KernelLibrary::open(llvm::StringRef path) {
  KernelLibrary library;
  // dlopen searches the system for names without a slash; a tool's argument is
  // always a file.
  library.path = path.contains('/') ? path.str() : ("./" + path).str();
  char message[DN_MESSAGE_BYTES];
  if (dn_library_open(library.path.c_str(), &library.loaded, message,
                      sizeof(message)) != DN_OK)
    // Most messages name the file themselves.
    return llvm::createStringError(llvm::StringRef(message).contains(path)
                                       ? std::string(message)
                                       : (path + ": " + message).str());
  return library;
}

KernelLibrary::KernelLibrary(KernelLibrary &&other)
    : path(std::move(other.path)), loaded(other.loaded) {
  other.loaded = {};
}

KernelLibrary::~KernelLibrary() { dn_library_close(&loaded); }

llvm::Expected<const dn_kernel_set *>
KernelLibrary::find(llvm::StringRef name) const {
  if (const dn_kernel_set *set =
          dn_library_find(loaded.library, name.str().c_str()))
    return set;
  std::vector<std::string> names;
  for (const dn_kernel_set *set : kernels())
    names.push_back(llvm::formatv("'{0}'", set->name));
  return llvm::createStringError(
      llvm::formatv("{0}: expected a kernel '{1}', got {2}", path, name,
                    names.empty() ? "none" : llvm::join(names, ", ")));
}

const dn_cuda_code *verification::codeForGpus(const dn_kernel &kernel) {
  // Descriptors of ABI 1.0 end before it.
  const size_t end = offsetof(dn_kernel, cuda) + sizeof(kernel.cuda);
  return isForGpus(kernel) && kernel.size >= end ? kernel.cuda : nullptr;
}

std::string verification::variantName(const dn_kernel &kernel) {
  if (const char *name = dn_isa_name(kernel.isa))
    return name;
  const dn_cuda_code *code = codeForGpus(kernel);
  if (!code)
    return llvm::formatv("unknown ({0})", kernel.isa);
  return llvm::formatv("sm_{0}{1}", code->chip, code->only ? "a" : "");
}

llvm::Expected<const dn_kernel *>
verification::findVariant(const dn_kernel_set &set, dn_isa isa) {
  std::vector<std::string> levels;
  for (uint32_t i = 0; i < set.variant_count; ++i) {
    const dn_kernel *kernel = set.variants[i];
    if (kernel->isa == uint32_t(isa))
      return kernel;
    levels.push_back(variantName(*kernel));
  }
  return llvm::createStringError(
      llvm::formatv("kernel '{0}': expected a variant for {1}, got {2}",
                    set.name, dn_isa_name(isa), llvm::join(levels, ", ")));
}

llvm::Expected<ChosenVariant>
verification::chooseVariant(const dn_kernel_set &set,
                            std::optional<dn_isa> isa) {
  if (!isa) {
    dn_selection selection;
    if (dn_select(&set, &selection) != DN_OK)
      return llvm::createStringError(
          llvm::formatv("kernel '{0}': {1}", set.name, selection.reason));
    return ChosenVariant{selection.kernel, selection.reason};
  }
  char message[DN_MESSAGE_BYTES];
  if (dn_isa_check(*isa, message, sizeof(message)) != DN_OK)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': {1}", set.name, message));
  llvm::Expected<const dn_kernel *> kernel = findVariant(set, *isa);
  if (!kernel)
    return kernel.takeError();
  return ChosenVariant{*kernel, "asked for by name"};
}

llvm::Expected<RunnerTraits> verification::traitsOf(const dn_kernel &kernel) {
  RunnerTraits traits;
  traits.name = kernel.name;
  auto known = [&](const char *field, uint32_t value,
                   uint32_t last) -> llvm::Error {
    if (value <= last)
      return llvm::Error::success();
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': expected {1} of at most {2}, got {3}",
                      kernel.name, field, last, value));
  };
  if (llvm::Error error = known("rule", kernel.rule, DN_RULE_GATED))
    return std::move(error);
  if (llvm::Error error = known("io_type", kernel.io_type, DN_TYPE_F16))
    return std::move(error);
  if (llvm::Error error = known("head_map", kernel.head_map, DN_HEAD_MAP_TILED))
    return std::move(error);
  if (llvm::Error error =
          known("state_layout", kernel.state_layout, DN_STATE_LAYOUT_VK))
    return std::move(error);
  if (llvm::Error error =
          known("operands", kernel.operands, (DN_OPERAND_CU_SEQLENS << 1) - 1))
    return std::move(error);
  bool gated = kernel.rule == DN_RULE_GATED;
  if (bool(kernel.operands & DN_OPERAND_G) != gated)
    return llvm::createStringError(llvm::formatv(
        "kernel '{0}': expected a gate for the rule gated only", kernel.name));
  bool packed = kernel.operands & DN_OPERAND_CU_SEQLENS;
  bool index =
      kernel.index_type == DN_TYPE_I32 || kernel.index_type == DN_TYPE_I64;
  if (packed ? !index : kernel.index_type != DN_TYPE_NONE)
    return llvm::createStringError(llvm::formatv(
        "kernel '{0}': expected index_type {1}, got {2}", kernel.name,
        packed ? "i32 or i64" : "none", kernel.index_type));
  if (kernel.state_type != DN_TYPE_F32)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': expected an f32 state, got type {1}",
                      kernel.name, kernel.state_type));

  RuleFacts &facts = traits.facts;
  facts.rule = static_cast<dn_rule>(kernel.rule);
  facts.headMap = static_cast<dn_head_map>(kernel.head_map);
  facts.ioType = static_cast<dn_type>(kernel.io_type);
  facts.h = kernel.h;
  facts.hv = kernel.hv;
  facts.k = kernel.k;
  facts.v = kernel.v;
  facts.scale = kernel.scale;
  if (kernel.l2norm_eps >= 0)
    facts.l2normEps = kernel.l2norm_eps;
  traits.stateLayout = static_cast<dn_state_layout>(kernel.state_layout);
  traits.takesState = kernel.operands & DN_OPERAND_STATE_IN;
  traits.givesState = kernel.operands & DN_OPERAND_STATE_OUT;
  traits.indexType = static_cast<dn_type>(kernel.index_type);
  traits.staticTokens = kernel.static_tokens;
  llvm::Expected<std::vector<Schedule>> schedules =
      parseSchedules(kernel.schedules);
  if (!schedules)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': {1}", kernel.name,
                      llvm::toString(schedules.takeError())));
  traits.schedules = std::move(*schedules);
  if (llvm::Expected<int64_t> size = checkedElements(facts, 0, 0); !size)
    return llvm::createStringError(llvm::formatv(
        "kernel '{0}': {1}", kernel.name, llvm::toString(size.takeError())));
  return traits;
}
