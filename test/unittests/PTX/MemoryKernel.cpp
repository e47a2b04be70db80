//===- MemoryKernel.cpp - Instructions on memory, run by threads ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"

using namespace mlir::deltanet::ptx;

static constexpr const char *kBegin = R"(
.version 8.3
.target sm_90a
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 o)
{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %r<16>, %t, %mine, %block, %threads;
  .reg .b64 %l<8>, %in, %o, %own;
  .reg .f32 %f<8>;
  .reg .f64 %d<8>;
  .shared .align 128 .b8 tile[4096];
  .local .align 16 .b8 own[64];
  ld.param.u64 %in, [in];
  ld.param.u64 %o, [o];
  mov.u32 %t, %tid.x;
  mov.u32 %mine, tile;
  mad.lo.u32 %mine, %t, 4, %mine;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mad.lo.u32 %t, %block, %threads, %t;
  mad.wide.u32 %own, %t, 4, %o;
)";

std::string MemoryOutcome::finding() const {
  return findings.size() == 1 ? findings[0].text()
                              : std::to_string(findings.size()) + " findings" +
                                    (findings.empty() ? error : "");
}

std::string MemoryOutcome::traffic(llvm::StringRef instruction) const {
  for (const AccessCounts &counts : report.accesses)
    if (llvm::StringRef(counts.instruction).starts_with(instruction))
      return std::to_string(counts.parts) + " of " +
             std::to_string(counts.idealParts);
  return "no such access";
}

MemoryOutcome mlir::deltanet::ptx::runOnMemory(llvm::StringRef body,
                                               unsigned threads,
                                               unsigned blocks,
                                               const LaunchOptions &options) {
  MemoryOutcome outcome;
  llvm::Expected<Program> program =
      Program::parse(kBegin + body.str() + "\n  ret;\n}\n", "test.ptx");
  if (!program) {
    outcome.error = llvm::toString(program.takeError());
    return outcome;
  }
  std::vector<uint32_t> words(kKernelWords);
  for (unsigned i = 0; i < kKernelWords; ++i)
    words[i] = i + 1;
  const size_t bytes = kKernelWords * sizeof(uint32_t);
  DeviceMemory memory;
  uint64_t buffers[] = {memory.allocate("in", bytes, Permission::Read),
                        memory.allocate("o", bytes)};
  memory.write(buffers[0], {reinterpret_cast<char *>(words.data()), bytes});
  std::vector<llvm::ArrayRef<char>> parameters;
  for (uint64_t &buffer : buffers)
    parameters.emplace_back(reinterpret_cast<char *>(&buffer), sizeof buffer);
  LaunchShape shape;
  shape.grid[0] = blocks;
  shape.block[0] = threads;
  llvm::Expected<LaunchResult> result =
      launch(*program, "test", shape, parameters, memory, options);
  if (!result) {
    outcome.error = llvm::toString(result.takeError());
    return outcome;
  }
  outcome.findings = std::move(result->findings);
  outcome.report = std::move(result->report);
  outcome.o.resize(kKernelWords);
  memory.read(buffers[1], {reinterpret_cast<char *>(outcome.o.data()), bytes});
  return outcome;
}
