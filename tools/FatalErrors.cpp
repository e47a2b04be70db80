//===- FatalErrors.cpp - What LLVM cannot continue after ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FatalErrors.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <cstdio>
#include <unistd.h>

static void report(void *tool, const char *reason, bool) {
  std::fprintf(stderr, "%s: error: %s\n", static_cast<const char *>(tool),
               reason);
  // Removes half-written files.
  llvm::sys::RunInterruptHandlers();
  // This may be the destructor of the standard output: nothing may come after.
  _exit(1);
}

void mlir::deltanet::reportFatalErrors(const char *tool) {
  llvm::install_fatal_error_handler(report, const_cast<char *>(tool));
  llvm::install_bad_alloc_error_handler(report, const_cast<char *>(tool));
}
