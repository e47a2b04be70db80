//===- KernelText.cpp - Instructions run on values of each thread ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelText.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

static constexpr uint64_t kThreads = 32;

/// A buffer with a parameter and a register of the same letter.
struct Buffer {
  char letter;
  unsigned bytes;
};

static void writeAddress(llvm::raw_ostream &out, const Buffer &buffer) {
  out << "  ld.param.u64 %address, [" << buffer.letter << "];\n"
      << "  mad.wide.u32 %address, %index, " << buffer.bytes << ", %address;\n";
}

static std::string moduleOf(llvm::StringRef body,
                            llvm::ArrayRef<Buffer> sources,
                            llvm::ArrayRef<Buffer> results) {
  std::string text;
  llvm::raw_string_ostream out(text);
  std::vector<Buffer> all(sources);
  all.insert(all.end(), results.begin(), results.end());
  out << ".version 8.3\n.target sm_90a\n.address_size 64\n"
      << ".visible .entry test(";
  for (const Buffer &buffer : all)
    out << (&buffer == &all.front() ? "" : ", ") << ".param .u64 "
        << buffer.letter;
  out << ")\n{\n  .reg .pred %p<8>;\n  .reg .b16 %h<8>;\n"
      << "  .reg .b32 %r<8>;\n  .reg .b64 %l<8>;\n"
      << "  .reg .b32 %index, %block;\n  .reg .b64 %address;\n";
  for (const Buffer &buffer : all)
    out << "  .reg .b" << 8 * buffer.bytes << " %" << buffer.letter << ";\n";
  out << "  mov.u32 %index, %tid.x;\n  mov.u32 %block, %ctaid.x;\n"
      << "  mad.lo.u32 %index, %block, " << kThreads << ", %index;\n";
  for (const Buffer &buffer : sources) {
    writeAddress(out, buffer);
    out << "  ld.global.b" << 8 * buffer.bytes << " %" << buffer.letter
        << ", [%address];\n";
  }
  out << body << "\n";
  for (const Buffer &buffer : results) {
    writeAddress(out, buffer);
    out << "  st.global.b" << 8 * buffer.bytes << " [%address], %"
        << buffer.letter << ";\n";
  }
  out << "  ret;\n}\n";
  return text;
}

static std::vector<char> packed(const Values &values, uint64_t count) {
  std::vector<char> bytes(count * values.bytes);
  for (size_t i = 0; i < values.bits.size(); ++i)
    std::memcpy(bytes.data() + i * values.bytes, &values.bits[i], values.bytes);
  return bytes;
}

static Values unpacked(llvm::ArrayRef<char> bytes, unsigned size,
                       size_t count) {
  Values values = {size, std::vector<uint64_t>(count)};
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&values.bits[i], bytes.data() + i * size, size);
  return values;
}

Outcome test::run(llvm::StringRef body, const std::vector<Values> &sources,
                  const std::vector<unsigned> &resultBytes,
                  const LaunchOptions &options) {
  std::vector<Buffer> sourceBuffers, resultBuffers;
  for (const Values &values : sources)
    sourceBuffers.push_back({char('a' + sourceBuffers.size()), values.bytes});
  for (unsigned bytes : resultBytes)
    resultBuffers.push_back({char('w' + resultBuffers.size()), bytes});

  Outcome outcome;
  llvm::Expected<Program> program =
      Program::parse(moduleOf(body, sourceBuffers, resultBuffers), "test.ptx");
  if (!program) {
    outcome.error = llvm::toString(program.takeError());
    return outcome;
  }
  size_t count = sources.empty() ? kThreads : sources[0].bits.size();
  uint64_t blocks = (count + kThreads - 1) / kThreads;
  DeviceMemory memory;
  std::vector<uint64_t> addresses;
  for (const Values &values : sources) {
    std::vector<char> bytes = packed(values, blocks * kThreads);
    addresses.push_back(memory.allocate("source", bytes.size()));
    memory.write(addresses.back(), bytes);
  }
  for (unsigned bytes : resultBytes)
    addresses.push_back(memory.allocate("result", blocks * kThreads * bytes));

  std::vector<llvm::ArrayRef<char>> parameters;
  for (uint64_t &address : addresses)
    parameters.emplace_back(reinterpret_cast<char *>(&address), sizeof address);
  LaunchShape shape;
  shape.grid[0] = uint32_t(blocks);
  shape.block[0] = kThreads;
  llvm::Expected<LaunchResult> result =
      launch(*program, "test", shape, parameters, memory, options);
  if (!result) {
    outcome.error = llvm::toString(result.takeError());
    return outcome;
  }
  outcome.findings = std::move(result->findings);
  for (size_t i = 0; i < resultBytes.size(); ++i) {
    std::vector<char> bytes(blocks * kThreads * resultBytes[i]);
    memory.read(addresses[sources.size() + i], bytes);
    outcome.results.push_back(unpacked(bytes, resultBytes[i], count));
  }
  return outcome;
}

std::string test::parseError(llvm::StringRef body) {
  std::vector<Buffer> none;
  llvm::Expected<Program> program =
      Program::parse(moduleOf(body, none, none), "test.ptx");
  return program ? "" : llvm::toString(program.takeError());
}
