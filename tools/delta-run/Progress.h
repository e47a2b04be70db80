//===- Progress.h - How far long work has come ------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_DELTA_RUN_PROGRESS_H
#define DELTANET_TOOLS_DELTA_RUN_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstdint>

namespace mlir::deltanet::verification {

/// One line on the terminal, "reference: 37 %", shown once work has lasted half
/// a second and wiped at the end. Silent where standard error is no terminal.
class Progress {
public:
  explicit Progress(llvm::StringRef what);
  ~Progress();

  void update(int64_t done, int64_t total);

private:
  using Clock = std::chrono::steady_clock;
  llvm::StringRef what;
  bool onTerminal, shown = false;
  Clock::time_point next;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_TOOLS_DELTA_RUN_PROGRESS_H
