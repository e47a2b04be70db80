//===- PageTables.h - Which pages the emulated CPU sees ---------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_PAGETABLES_H
#define DELTANET_LIB_EMULATION_X86_PAGETABLES_H

#include "Bochs.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <vector>

namespace mlir::deltanet::emulation {

/// Four levels of page tables in which an address is the address of the same
/// byte in this process. All pages may be written: what code may do is checked
/// to the byte elsewhere.
class PageTables {
public:
  static constexpr uint64_t pageBytes = 4096;

  explicit PageTables(const Bochs &bochs);
  PageTables(const PageTables &) = delete;
  ~PageTables();

  /// Physical address of the first table.
  uint64_t root() const { return rootPhysical; }

  /// Makes the pages of a range present; counts, as ranges may share a page.
  void map(uint64_t begin, uint64_t end, bool executable);
  void unmap(uint64_t begin, uint64_t end, bool executable);

  /// Gives an absent page memory of zeros that is nowhere in this process.
  void mapBlank(uint64_t address);
  void unmapBlank(uint64_t address);

private:
  struct alignas(pageBytes) Page {
    uint64_t words[pageBytes / sizeof(uint64_t)] = {};
  };
  struct Use {
    uint64_t physical = 0;
    unsigned ranges = 0, executableRanges = 0;
  };

  uint64_t insert(void *host);
  uint64_t addTable();
  uint64_t &entry(uint64_t address);
  void writeEntry(uint64_t page, const Use &use);

  const Bochs &bochs;
  /// Physical pages are never used twice: Bochs keeps decoded code by them.
  uint64_t nextPhysical = 0x100'0000;
  uint64_t rootPhysical;
  std::vector<std::unique_ptr<Page>> pages;
  llvm::DenseMap<uint64_t, Page *> tables; ///< by physical address
  llvm::DenseMap<uint64_t, Use> uses;      ///< by page
  Page blank;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_PAGETABLES_H
