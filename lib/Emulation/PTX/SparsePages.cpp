//===- SparsePages.cpp - Memory that is taken when it is touched ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SparsePages.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <sys/mman.h>

using namespace mlir::deltanet;

char *ptx::mapSparsePages(uint64_t bytes) {
  void *pages =
      mmap(nullptr, std::max<uint64_t>(bytes, 1), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    llvm::report_bad_alloc_error("no addresses left for simulated memory");
  return static_cast<char *>(pages);
}

void ptx::unmapSparsePages(char *pages, uint64_t bytes) {
  munmap(pages, std::max<uint64_t>(bytes, 1));
}
