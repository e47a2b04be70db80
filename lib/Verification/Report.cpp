//===- Report.cpp - What a run is told to people and programs -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Report.h"
#include "deltanet/Verification/ElementTypes.h"
#include "deltanet/Verification/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

TimeSummary verification::summarize(std::vector<double> seconds) {
  TimeSummary summary;
  summary.runs = seconds.size();
  if (seconds.empty())
    return summary;
  llvm::sort(seconds);
  size_t middle = seconds.size() / 2;
  summary.median = seconds.size() % 2
                       ? seconds[middle]
                       : (seconds[middle - 1] + seconds[middle]) / 2;
  summary.least = seconds.front();
  summary.most = seconds.back();
  return summary;
}

bool RunReport::passed() const {
  return faults.empty() && llvm::all_of(comparisons, [](const Comparison &c) {
           return c.verdict == Verdict::Pass;
         });
}

void verification::printTable(llvm::ArrayRef<std::vector<std::string>> rows,
                              llvm::raw_ostream &os) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  for (const std::vector<std::string> &row : rows) {
    // Nothing follows the last cell, so that lines have no trailing blanks.
    for (size_t i = 0; i + 1 < row.size(); ++i)
      os << llvm::left_justify(row[i], widths[i] + 2);
    os << (row.empty() ? "" : row.back()) << "\n";
  }
}

std::string verification::factsText(const RunnerTraits &traits) {
  const RuleFacts &facts = traits.facts;
  std::string text = llvm::formatv(
      "{0}, H={1} HV={2} K={3} V={4}, {5}, {6} heads, {7} state, scale {8:f6}",
      facts.rule == DN_RULE_GATED ? "gated" : "delta", facts.h, facts.hv,
      facts.k, facts.v, elementName(facts.ioType),
      facts.headMap == DN_HEAD_MAP_GROUPED ? "grouped" : "tiled",
      traits.stateLayout == DN_STATE_LAYOUT_KV ? "kv" : "vk", facts.scale);
  if (facts.l2normEps)
    text += llvm::formatv(", L2 norm eps {0:e1}", *facts.l2normEps);
  return text;
}

/// "1.234 ms".
static std::string timeText(double seconds) {
  if (seconds >= 1)
    return llvm::formatv("{0:f3} s", seconds);
  if (seconds >= 1e-3)
    return llvm::formatv("{0:f3} ms", seconds * 1e3);
  return llvm::formatv("{0:f3} us", seconds * 1e6);
}

static std::string errorText(double error) {
  return std::isnan(error) ? "-" : llvm::formatv("{0:e2}", error).str();
}

static void printComparisons(llvm::ArrayRef<Comparison> comparisons,
                             llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {{"tensor", "against", "shape",
                                                 "error", "limit", "worst at",
                                                 "got", "expected", "verdict"}};
  for (const Comparison &c : comparisons) {
    bool located = !c.worstIndex.empty();
    std::string verdict = verdictName(c.verdict).str();
    if (!c.reason.empty())
      verdict += ": " + c.reason;
    rows.push_back(
        {c.tensor, c.against, shapeText(c.shape), errorText(c.error),
         errorText(c.limit), located ? shapeText(c.worstIndex) : "-",
         located ? llvm::formatv("{0:e6}", c.worstGot).str() : "-",
         located ? llvm::formatv("{0:e6}", c.worstExpected).str() : "-",
         verdict});
  }
  printTable(rows, os);
}

void verification::printReport(const RunReport &report, llvm::raw_ostream &os) {
  std::string calls =
      report.tokensPerCall
          ? llvm::formatv(" in steps of {0}", report.tokensPerCall).str()
          : "";
  std::vector<std::vector<std::string>> facts = {
      {"kernel", report.traits.name + ": " + factsText(report.traits)},
      {"variant", report.variant + " (" + report.reason + ")"},
      {"inputs", llvm::formatv("T={0} N={1}{2}, {3}", report.tokens,
                               report.sequences, calls, report.inputs)}};
  for (const std::string &schedule : report.schedules)
    facts.push_back({"schedule", schedule});
  if (!report.memory.empty())
    facts.push_back({"memory", report.memory});
  if (report.time.runs) {
    std::string spread;
    if (report.time.runs > 1)
      spread = llvm::formatv(", median of {0}, {1} to {2}", report.time.runs,
                             timeText(report.time.least),
                             timeText(report.time.most));
    std::string threads;
    if (!report.device)
      threads = llvm::formatv(", {0} thread{1}", report.threads,
                              report.threads == 1 ? "" : "s");
    facts.push_back({"time", timeText(report.time.median) + spread + threads});
  }
  if (const auto &device = report.device) {
    std::string executed;
    if (device->instructions)
      executed = llvm::formatv(", {0} instructions", *device->instructions);
    facts.push_back({"device", device->name + executed});
    facts.push_back({"image", device->image});
  }
  if (const auto &emulation = report.emulation) {
    facts.push_back(
        {"emulated",
         llvm::formatv("{0} instructions, {1} bytes of stack",
                       emulation->instructions, emulation->stackBytes)});
    facts.push_back({"native", emulation->whyNotNative.empty()
                                   ? "compared with the emulator"
                                   : "no: " + emulation->whyNotNative});
  }
  if (report.sequences == 0)
    facts.push_back({"compared", "nothing: without sequences no result is "
                                 "specified"});
  printTable(facts, os);
  if (!report.comparisons.empty()) {
    os << "\n";
    printComparisons(report.comparisons, os);
  }
  for (const std::string &fault : report.faults)
    os << "FAULT: " << fault << "\n";
}

static llvm::json::Value number(double value) {
  if (!std::isfinite(value))
    return nullptr;
  return value;
}

llvm::json::Value verification::reportToJson(const RunReport &report) {
  using llvm::json::Array;
  using llvm::json::Object;
  const RuleFacts &facts = report.traits.facts;
  Array comparisons;
  for (const Comparison &c : report.comparisons)
    comparisons.push_back(Object{{"tensor", c.tensor},
                                 {"against", c.against},
                                 {"shape", Array(c.shape)},
                                 {"error", number(c.error)},
                                 {"limit", c.limit},
                                 {"reference_rms", number(c.referenceRms)},
                                 {"worst_index", Array(c.worstIndex)},
                                 {"worst_got", number(c.worstGot)},
                                 {"worst_expected", number(c.worstExpected)},
                                 {"verdict", verdictName(c.verdict).lower()},
                                 {"reason", c.reason}});
  Object time{{"median", report.time.median},
              {"least", report.time.least},
              {"most", report.time.most},
              {"runs", int64_t(report.time.runs)}};
  Object object{
      {"kernel", report.traits.name},
      {"rule", facts.rule == DN_RULE_GATED ? "gated" : "delta"},
      {"io_type", elementName(facts.ioType)},
      {"head_map", facts.headMap == DN_HEAD_MAP_GROUPED ? "grouped" : "tiled"},
      {"state_layout",
       report.traits.stateLayout == DN_STATE_LAYOUT_KV ? "kv" : "vk"},
      {"H", facts.h},
      {"HV", facts.hv},
      {"K", facts.k},
      {"V", facts.v},
      {"T", report.tokens},
      {"N", report.sequences},
      {"tokens_per_call", report.tokensPerCall},
      {"variant", report.variant},
      {"reason", report.reason},
      {"inputs", report.inputs},
      {"memory", report.memory},
      {"threads", report.threads},
      {"schedules", Array(report.schedules)},
      {"seconds", std::move(time)},
      {"comparisons", std::move(comparisons)},
      {"faults", Array(report.faults)},
      {"passed", report.passed()}};
  if (report.emulation)
    object["emulation"] =
        Object{{"instructions", int64_t(report.emulation->instructions)},
               {"stack_bytes", int64_t(report.emulation->stackBytes)},
               {"why_not_native", report.emulation->whyNotNative}};
  if (report.device) {
    Object device{{"name", report.device->name},
                  {"image", report.device->image}};
    if (report.device->instructions)
      device["instructions"] = int64_t(*report.device->instructions);
    object["device"] = std::move(device);
  }
  return object;
}
