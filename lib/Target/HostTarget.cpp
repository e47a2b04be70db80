//===- HostTarget.cpp - Target description of this machine ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Target/Target.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// The first line of a file of sysfs, or nothing.
std::string readLine(const Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  if (!buffer)
    return {};
  return (*buffer)->getBuffer().split('\n').first.trim().str();
}

/// "512K" → 524288; 0 if it is no size.
int64_t parseSize(StringRef text) {
  int64_t scale = 1;
  if (text.consume_back("K"))
    scale = 1 << 10;
  else if (text.consume_back("M"))
    scale = 1 << 20;
  int64_t value;
  return text.getAsInteger(10, value) || value < 0 ? 0 : value * scale;
}

/// How many tile configurations the CPU knows. Some virtual machines show the
/// features of tiles, but none.
int countTilePalettes() {
  unsigned eax = 0;
#if defined(__x86_64__)
  unsigned ebx, ecx, edx;
  if (!__get_cpuid_count(0x1d, 0, &eax, &ebx, &ecx, &edx))
    return 0;
#endif
  return eax;
}

/// The highest level all of whose features, and those of the levels below it,
/// are there.
StringRef x86Level(const HostDescription &host) {
  static const std::pair<const char *, std::vector<const char *>> levels[] = {
      {"avx2", {"avx2", "fma", "f16c", "bmi2"}},
      {"avx512", {"avx512f", "avx512bw", "avx512dq", "avx512vl"}},
      {"avx512_bf16", {"avx512bf16"}},
      {"amx", {"amx-tile", "amx-bf16"}}};
  StringRef highest = "generic";
  for (const auto &[level, needs] : levels) {
    bool all = llvm::all_of(needs, [&](const char *feature) {
      return host.features.lookup(feature);
    });
    if (!all || (level == StringRef("amx") && host.tilePalettes == 0))
      break;
    highest = level;
  }
  return highest;
}

} // namespace

void deltanet::readCacheSizes(StringRef folder, HostDescription &host) {
  for (int i = 0; i < 8; ++i) {
    SmallString<64> index(folder);
    llvm::sys::path::append(index, "index" + Twine(i));
    std::string type = readLine(index + "/type");
    if (type != "Data" && type != "Unified")
      continue;
    std::string level = readLine(index + "/level");
    int64_t bytes = parseSize(readLine(index + "/size"));
    if (level == "1")
      host.l1Bytes = bytes;
    else if (level == "2")
      host.l2Bytes = bytes;
  }
}

TargetAttr deltanet::describeTarget(MLIRContext *context,
                                    const HostDescription &host) {
  StringRef level =
      host.arch == Arch::AArch64 ? "generic-aarch64" : x86Level(host);
  TargetAttr row = findKnownTarget(context, level);
  int64_t l1 = host.l1Bytes ? host.l1Bytes : row.getL1Bytes();
  int64_t l2 = host.l2Bytes ? host.l2Bytes : row.getL2Bytes();
  // Told sizes that make no sense are worse than the level's.
  if (l1 < 4096 || l2 < l1) {
    l1 = row.getL1Bytes();
    l2 = row.getL2Bytes();
  }
  // What no processor tells of itself is known for some by name.
  int64_t streams = row.getStreams(), units = row.getVectorUnits();
  if (TargetAttr known = findKnownTarget(context, host.cpu)) {
    streams = known.getStreams();
    // Of its own registers: a virtual machine may hide the wider ones.
    if (known.getVectorBits() == row.getVectorBits())
      units = known.getVectorUnits();
  }
  return TargetAttr::get(context, row.getArch(), row.getIsa(),
                         row.getVectorBits(), row.getVectorRegisters(), units,
                         row.getFma(), l1, l2, streams, row.getMatrix());
}

FailureOr<TargetAttr> deltanet::getHostTarget(MLIRContext *context,
                                              EmitErrorFn emitError) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  HostDescription host;
  if (triple.getArch() == llvm::Triple::x86_64)
    host.arch = Arch::X86_64;
  else if (triple.getArch() == llvm::Triple::aarch64)
    host.arch = Arch::AArch64;
  else
    return emitError() << "expected a host of architecture x86_64 or aarch64, "
                          "got "
                       << triple.getArchName();
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    host.features[feature.getKey()] = feature.getValue();
  host.tilePalettes = countTilePalettes();
  host.cpu = llvm::sys::getHostCPUName().str();
  readCacheSizes("/sys/devices/system/cpu/cpu0/cache", host);
  return describeTarget(context, host);
}
