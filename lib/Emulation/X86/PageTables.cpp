//===- PageTables.cpp - Which pages the emulated CPU sees -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "PageTables.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::deltanet::emulation;

static constexpr uint64_t present = 1, writable = 2, user = 4;
static constexpr uint64_t noExecute = uint64_t(1) << 63;
static constexpr uint64_t physicalBits = 0x000F'FFFF'FFFF'F000;

PageTables::PageTables(const Bochs &bochs) : bochs(bochs) {
  rootPhysical = addTable();
}

PageTables::~PageTables() {
  for (const auto &[physical, page] : tables)
    bochs.removePage(physical);
  for (const auto &[page, use] : uses)
    bochs.removePage(use.physical);
}

uint64_t PageTables::insert(void *host) {
  uint64_t physical = nextPhysical;
  nextPhysical += pageBytes;
  bochs.insertPage(physical, host);
  return physical;
}

uint64_t PageTables::addTable() {
  pages.push_back(std::make_unique<Page>());
  uint64_t physical = insert(pages.back().get());
  tables[physical] = pages.back().get();
  return physical;
}

/// The last table's entry for an address; makes the tables on the way.
uint64_t &PageTables::entry(uint64_t address) {
  Page *table = tables.lookup(rootPhysical);
  for (unsigned shift = 39; shift > 12; shift -= 9) {
    uint64_t &next = table->words[(address >> shift) & 511];
    if (!(next & present))
      next = addTable() | present | writable | user;
    table = tables.lookup(next & physicalBits);
  }
  return table->words[(address >> 12) & 511];
}

void PageTables::writeEntry(uint64_t page, const Use &use) {
  entry(page) = use.ranges == 0 ? 0
                                : use.physical | present | writable | user |
                                      (use.executableRanges ? 0 : noExecute);
}

void PageTables::map(uint64_t begin, uint64_t end, bool executable) {
  for (uint64_t page = llvm::alignDown(begin, pageBytes); page < end;
       page += pageBytes) {
    Use &use = uses[page];
    if (use.ranges++ == 0)
      use.physical = insert(reinterpret_cast<void *>(page));
    use.executableRanges += executable;
    writeEntry(page, use);
  }
}

void PageTables::unmap(uint64_t begin, uint64_t end, bool executable) {
  for (uint64_t page = llvm::alignDown(begin, pageBytes); page < end;
       page += pageBytes) {
    auto found = uses.find(page);
    found->second.executableRanges -= executable;
    --found->second.ranges;
    writeEntry(page, found->second);
    if (found->second.ranges)
      continue;
    bochs.removePage(found->second.physical);
    uses.erase(found);
  }
}

void PageTables::mapBlank(uint64_t address) {
  entry(address) = insert(&blank) | present | writable | user | noExecute;
}

void PageTables::unmapBlank(uint64_t address) {
  uint64_t &word = entry(address);
  bochs.removePage(word & physicalBits);
  word = 0;
}
