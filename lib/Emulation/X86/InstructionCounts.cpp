//===- InstructionCounts.cpp - What an emulated call executed -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/X86/InstructionCounts.h"
#include "MnemonicOf.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::deltanet::emulation;

static bool startsWithAny(llvm::StringRef mnemonic,
                          std::initializer_list<llvm::StringRef> prefixes) {
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) {
    return mnemonic.starts_with(prefix);
  });
}

llvm::StringRef mlir::deltanet::emulation::mnemonicOf(llvm::StringRef opcode) {
  opcode.consume_front("BX_IA_");
  for (llvm::StringRef encoding : {"EVEX_", "V128_", "V256_", "V512_"})
    if (opcode.consume_front(encoding))
      break;
  // Repeated string instructions: REP_MOVSB_YbXb.
  size_t from = opcode.starts_with("REP_") ? 4 : 0;
  return opcode.take_front(opcode.find('_', from));
}

void InstructionCounts::add(llvm::StringRef mnemonic, uint64_t count) {
  mnemonics[mnemonic.str()] += count;
  if (startsWithAny(mnemonic, {"TDP"}))
    tileMultiplies += count;
  else if (startsWithAny(mnemonic, {"TILELOAD"}))
    tileLoads += count;
  else if (startsWithAny(mnemonic, {"TILESTORE"}))
    tileStores += count;
  else if (startsWithAny(mnemonic, {"VFMADD", "VFMSUB", "VFNMADD", "VFNMSUB"}))
    fusedMultiplyAdds += count;
  else if (startsWithAny(mnemonic, {"VDP", "VPDP"}))
    dotProducts += count;
  else if (startsWithAny(mnemonic, {"VCVT", "CVT", "VPMOVZX", "VPMOVSX"}))
    conversions += count;
  else if (startsWithAny(mnemonic,
                         {"VPERM",       "VSHUF",    "SHUF",      "VPSHUF",
                          "PSHUF",       "VUNPCK",   "UNPCK",     "VPUNPCK",
                          "PUNPCK",      "VINSERT",  "VEXTRACT",  "VBROADCAST",
                          "VPBROADCAST", "VALIGN",   "VPALIGN",   "VMOVSHDUP",
                          "VMOVSLDUP",   "VMOVDDUP", "VMOVLHPS",  "VMOVHLPS",
                          "VPCOMPRESS",  "VPEXPAND", "VCOMPRESS", "VEXPAND"}))
    shuffles += count;
  else if (startsWithAny(mnemonic, {"VMOVNT", "MOVNT"}) &&
           !mnemonic.ends_with("NTDQA"))
    nonTemporalStores += count;
}

InstructionCounts &
InstructionCounts::operator+=(const InstructionCounts &other) {
  for (const auto &[mnemonic, count] : other.mnemonics)
    add(mnemonic, count);
  total += other.total;
  loads += other.loads;
  loadBytes += other.loadBytes;
  stores += other.stores;
  storeBytes += other.storeBytes;
  return *this;
}

llvm::json::Value InstructionCounts::toJson() const {
  llvm::json::Object byMnemonic;
  for (const auto &[mnemonic, count] : mnemonics)
    byMnemonic[mnemonic] = int64_t(count);
  return llvm::json::Object{{"total", int64_t(total)},
                            {"tile_multiplies", int64_t(tileMultiplies)},
                            {"tile_loads", int64_t(tileLoads)},
                            {"tile_stores", int64_t(tileStores)},
                            {"fused_multiply_adds", int64_t(fusedMultiplyAdds)},
                            {"dot_products", int64_t(dotProducts)},
                            {"shuffles", int64_t(shuffles)},
                            {"conversions", int64_t(conversions)},
                            {"non_temporal_stores", int64_t(nonTemporalStores)},
                            {"loads", int64_t(loads)},
                            {"load_bytes", int64_t(loadBytes)},
                            {"stores", int64_t(stores)},
                            {"store_bytes", int64_t(storeBytes)},
                            {"mnemonics", std::move(byMnemonic)}};
}
