//===- LaunchCounts.cpp - What the launches of kernels executed -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LaunchCounts.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

void LaunchCounts::add(llvm::StringRef kernel, const ptx::LaunchShape &shape,
                       const ptx::InstructionReport &report) {
  Counts &counts = kernels[kernel.str()];
  ++counts.launches;
  counts.blocks += uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  counts.report += report;
}

llvm::json::Value LaunchCounts::toJson(llvm::StringRef device) const {
  uint64_t instructions = 0;
  llvm::json::Array list;
  for (const auto &[name, counts] : kernels) {
    instructions += counts.report.instructions;
    llvm::json::Value report = counts.report.toJson();
    llvm::json::Object &kernel = *report.getAsObject();
    kernel["name"] = name;
    kernel["launches"] = counts.launches;
    kernel["blocks"] = counts.blocks;
    list.push_back(std::move(report));
  }
  return llvm::json::Object{{"device", device},
                            {"instructions", instructions},
                            {"kernels", std::move(list)}};
}
