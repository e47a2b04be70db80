//===- FindingTest.cpp - How findings and reports are told ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/Finding.h"
#include "deltanet/Emulation/PTX/InstructionReport.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

TEST(Finding, IsOneLine) {
  Finding finding{FindingKind::OutOfBounds,
                  "read of 4 bytes, 0 bytes after 'o'",
                  "gdn.ptx:120",
                  "ld.global.f32 %f1, [%rd4]",
                  {{4, 5, 6}, 1, 3}};
  EXPECT_EQ(finding.text(),
            "gdn.ptx:120: ld.global.f32 %f1, [%rd4]: out of bounds: read of 4 "
            "bytes, 0 bytes after 'o' (block 4,5,6, warp 1, lane 3)");
}

TEST(InstructionReport, IsJson) {
  InstructionReport report;
  report.instructions = 7;
  report.mix["add.f32"] = 3;
  AccessCounts counts;
  counts.line = 12;
  counts.instruction = "ld.shared.u32 %r1, [%r2]";
  counts.space = Space::Shared;
  counts.requests = 1;
  counts.bytes = 128;
  counts.parts = 2;
  counts.idealParts = 1;
  report.accesses.push_back(counts);
  std::string text;
  llvm::raw_string_ostream(text) << report.toJson();
  EXPECT_EQ(text,
            R"({"accesses":[{"bytes":128,"idealParts":1,"instruction":)"
            R"("ld.shared.u32 %r1, [%r2]","line":12,"parts":2,"requests":1,)"
            R"("space":"shared"}],"instructions":7,"mix":{"add.f32":3}})");
}
