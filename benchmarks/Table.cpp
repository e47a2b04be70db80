//===- Table.cpp - Results as rows for people -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::bench;

namespace {
struct Column {
  const char *title;
  const char *measure;
  const char *format; ///< of one number
  double factor;
};
} // namespace

static llvm::ArrayRef<Column> columnsOf(Phase phase) {
  static const Column prefill[] = {
      {"us/token-head", measure::kTime, "{0:f2}", 1},
      {"x token loop", measure::kAgainstTokenLoop, "{0:f2}", 1},
      {"% of FMA loop", measure::kShareOfFma, "{0:f0}", 100},
      {"token loop's %", measure::kTokenLoopShareOfFma, "{0:f1}", 100},
      {"FMA loop GFLOP/s", measure::kFma, "{0:f0}", 1}};
  static const Column decode[] = {
      {"us/token-head", measure::kTime, "{0:f2}", 1},
      {"x token loop", measure::kAgainstTokenLoop, "{0:f2}", 1},
      {"% of stream", measure::kShareOfStream, "{0:f0}", 100},
      {"GB/s", measure::kBandwidth, "{0:f1}", 1},
      {"stream GB/s", measure::kStream, "{0:f1}", 1}};
  return phase == Phase::Prefill ? llvm::ArrayRef<Column>(prefill)
                                 : llvm::ArrayRef<Column>(decode);
}

static std::string cell(const Quartiles &value, const Column &column) {
  auto number = [&](double x) {
    return llvm::formatv(column.format, x * column.factor).str();
  };
  return llvm::formatv("{0} ({1}-{2})", number(value.median),
                       number(value.lower), number(value.upper));
}

bool Table::ReportContext(const Context &context) {
  PrintBasicContext(&GetErrorStream(), context);
  llvm::outs() << "median (quartiles); 1 thread: CPU time, more: wall clock\n";
  return true;
}

void Table::ReportRuns(const std::vector<Run> &) {
  for (; printed < results.size(); ++printed)
    print(results[printed]);
  llvm::outs().flush();
}

void Table::print(const Result &result) {
  llvm::ArrayRef<Column> columns = columnsOf(result.which.phase);
  if (printed == 0 || result.which.phase != lastPhase) {
    lastPhase = result.which.phase;
    llvm::outs() << llvm::format("%-52s", "");
    for (const Column &column : columns)
      llvm::outs() << llvm::format("  %-17s", column.title);
    llvm::outs() << "  rounds\n";
  }
  llvm::outs() << llvm::format("%-52s", result.which.name().c_str());
  if (!result.error.empty()) {
    llvm::outs() << "  error: " << result.error << '\n';
    return;
  }
  for (const Column &column : columns) {
    const Quartiles *value = result.find(column.measure);
    llvm::outs() << llvm::format("  %-17s", cell(*value, column).c_str());
  }
  llvm::outs() << "  " << result.rounds << '\n';
}
