//===- Progress.cpp - How far long work has come --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

static constexpr std::chrono::milliseconds firstAfter{500}, interval{100};

Progress::Progress(llvm::StringRef what)
    : what(what), onTerminal(llvm::sys::Process::StandardErrIsDisplayed()),
      next(Clock::now() + firstAfter) {}

Progress::~Progress() {
  if (shown)
    llvm::errs() << "\r\033[K";
}

void Progress::update(int64_t done, int64_t total) {
  if (!onTerminal || Clock::now() < next)
    return;
  next = Clock::now() + interval;
  shown = true;
  llvm::errs() << "\r\033[K" << what << ": "
               << (total ? 100 * done / total : 100) << " %";
}
