//===- CodePlaces.cpp - Names for addresses of code -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CodePlaces.h"
#include "PageTables.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <link.h>

using namespace mlir::deltanet::emulation;

namespace {
struct Segment {
  uint64_t begin, end;
  Permission permission;
};

/// A library as the dynamic linker has it.
struct LoadedLibrary {
  std::string path;
  uint64_t base = 0;
  std::vector<Segment> segments;
};

struct Query {
  uint64_t address;
  std::optional<LoadedLibrary> found;
};
} // namespace

static LoadedLibrary describeLibrary(const dl_phdr_info &info) {
  LoadedLibrary library;
  // The program itself has no name.
  library.path = *info.dlpi_name ? info.dlpi_name : "/proc/self/exe";
  library.base = info.dlpi_addr;
  // Data that only the dynamic linker writes, to whole pages.
  uint64_t constantEnd = 0;
  for (unsigned i = 0; i < info.dlpi_phnum; ++i)
    if (const auto &header = info.dlpi_phdr[i]; header.p_type == PT_GNU_RELRO)
      constantEnd =
          llvm::alignDown(info.dlpi_addr + header.p_vaddr + header.p_memsz,
                          PageTables::pageBytes);
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    const auto &header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD || header.p_memsz == 0)
      continue;
    uint64_t begin = info.dlpi_addr + header.p_vaddr;
    uint64_t end = begin + header.p_memsz;
    if (header.p_flags & PF_X) {
      library.segments.push_back({begin, end, Permission::Execute});
      continue;
    }
    uint64_t split =
        header.p_flags & PF_W ? std::clamp(constantEnd, begin, end) : end;
    if (begin < split)
      library.segments.push_back({begin, split, Permission::Read});
    if (split < end)
      library.segments.push_back({split, end, Permission::ReadWrite});
  }
  return library;
}

static int visitLibrary(dl_phdr_info *info, size_t, void *data) {
  Query &query = *static_cast<Query *>(data);
  LoadedLibrary library = describeLibrary(*info);
  for (const Segment &segment : library.segments) {
    if (query.address < segment.begin || query.address >= segment.end)
      continue;
    query.found = std::move(library);
    return 1;
  }
  return 0;
}

llvm::Error CodePlaces::addLibrary(const void *address) {
  Query query{reinterpret_cast<uint64_t>(address), std::nullopt};
  dl_iterate_phdr(visitLibrary, &query);
  if (!query.found)
    return llvm::createStringError(llvm::formatv(
        "expected the address {0} to lie in a shared library", address));
  const LoadedLibrary &library = *query.found;
  if (memory.find(library.segments.front().begin, 1))
    return llvm::Error::success();
  llvm::StringRef name = llvm::sys::path::filename(library.path);
  for (const Segment &segment : library.segments)
    memory.share(name, reinterpret_cast<const void *>(segment.begin),
                 segment.end - segment.begin, segment.permission);
  return readFunctions(library.path, library.base);
}

llvm::Error CodePlaces::readFunctions(const std::string &path, uint64_t base) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return llvm::createFileError(path, file.takeError());
  for (const llvm::object::SymbolRef &symbol : file->getBinary()->symbols()) {
    auto type = symbol.getType();
    auto address = symbol.getAddress();
    auto name = symbol.getName();
    if (type && address && name &&
        *type == llvm::object::SymbolRef::ST_Function)
      functions[base + *address] = {
          name->str(), llvm::object::ELFSymbolRef(symbol).getSize()};
    llvm::consumeError(type.takeError());
    llvm::consumeError(address.takeError());
    llvm::consumeError(name.takeError());
  }
  return llvm::Error::success();
}

std::string CodePlaces::placeOf(uint64_t address) const {
  auto after = functions.upper_bound(address);
  if (after != functions.begin()) {
    const auto &[begin, function] = *std::prev(after);
    if (address == begin)
      return function.name;
    if (address < begin + function.bytes)
      return llvm::formatv("{0}+{1:x}", function.name, address - begin);
  }
  if (const Buffer *code = memory.find(address, 1))
    return llvm::formatv("{0}+{1:x}", code->name, address - code->begin);
  return llvm::formatv("{0:x}", address);
}

uint64_t CodePlaces::availableAt(uint64_t address) const {
  const Buffer *code = memory.find(address, 1);
  return code && code->permission == Permission::Execute ? code->end - address
                                                         : 0;
}

std::optional<Disassembler::Instruction>
CodePlaces::decode(uint64_t address) const {
  return disassembler.decode(address, availableAt(address));
}

std::string CodePlaces::textOf(uint64_t address) const {
  return disassembler.text(address, availableAt(address));
}
