//===- Report.h - What a run is told to people and programs -----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_REPORT_H
#define DELTANET_VERIFICATION_REPORT_H

#include "deltanet/Verification/ResultCheck.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::deltanet::verification {

/// Median and range of repeated times, in seconds.
struct TimeSummary {
  double median = 0, least = 0, most = 0;
  size_t runs = 0;
};
TimeSummary summarize(std::vector<double> seconds);

struct RunReport {
  RunnerTraits traits;
  std::string variant; ///< e.g. "avx2"
  std::string reason;  ///< why it was chosen
  std::string inputs;  ///< where they came from
  std::string memory;  ///< strides and so on; empty: nothing special
  int64_t tokens = 0, sequences = 0, tokensPerCall = 0;
  int threads = 1;
  std::vector<std::string> schedules; ///< those that ran
  TimeSummary time;
  std::vector<Comparison> comparisons;
  std::vector<std::string> faults;

  /// Of a run inside the emulator.
  struct Emulation {
    uint64_t instructions, stackBytes;
    std::string whyNotNative; ///< empty: ran natively too, to be compared
  };
  std::optional<Emulation> emulation;

  /// Of a run on a GPU.
  struct Device {
    std::string name, image;
    std::optional<uint64_t> instructions; ///< of a simulated one
  };
  std::optional<Device> device;

  /// Every comparison passed and there are no faults.
  bool passed() const;
};

/// Aligned text.
void printReport(const RunReport &report, llvm::raw_ostream &os);

/// The same facts as one JSON object; errors that are not numbers are null.
llvm::json::Value reportToJson(const RunReport &report);

/// Rows of cells, each column as wide as its widest cell. Numbers of columns
/// may differ.
void printTable(llvm::ArrayRef<std::vector<std::string>> rows,
                llvm::raw_ostream &os);

/// "gated, H=2 HV=4 K=64 V=32, bf16, grouped heads, kv state, scale 0.125".
std::string factsText(const RunnerTraits &traits);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_REPORT_H
