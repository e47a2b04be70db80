//===- Launch.cpp - A kernel executed over a grid -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/Launch.h"
#include "Block.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::deltanet::ptx;

template <typename... Parts> static llvm::Error refuse(Parts... parts) {
  return llvm::createStringError((llvm::Twine(parts) + ...).str());
}

// CUDA C++ Programming Guide, table of technical specifications per compute
// capability.
uint64_t mlir::deltanet::ptx::sharedMemoryOf(llvm::StringRef target) {
  uint64_t kilobytes = llvm::StringSwitch<uint64_t>(target)
                           .StartsWith("sm_80", 163)
                           .StartsWith("sm_86", 99)
                           .StartsWith("sm_87", 163)
                           .StartsWith("sm_89", 99)
                           .StartsWith("sm_90", 227)
                           .StartsWith("sm_10", 227)
                           .StartsWith("sm_12", 99)
                           .Default(48);
  return kilobytes << 10;
}

static std::string shapeText(const std::array<uint32_t, 3> &shape) {
  return llvm::join(
      llvm::map_range(shape,
                      [](uint32_t size) { return std::to_string(size); }),
      "x");
}

static llvm::Error checkShape(const KernelInfo &info, const LaunchShape &shape,
                              uint64_t sharedLimit, llvm::StringRef target) {
  constexpr std::array<uint32_t, 3> kGridLimit{0x7fffffff, 65535, 65535};
  constexpr std::array<uint32_t, 3> kBlockLimit{1024, 1024, 64};
  uint64_t threads = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (shape.grid[i] == 0 || shape.grid[i] > kGridLimit[i])
      return refuse("expected a grid from 1x1x1 to ", shapeText(kGridLimit),
                    ", got ", shapeText(shape.grid));
    if (shape.block[i] == 0 || shape.block[i] > kBlockLimit[i])
      return refuse("expected a block from 1x1x1 to ", shapeText(kBlockLimit),
                    ", got ", shapeText(shape.block));
    threads *= shape.block[i];
  }
  if (threads > 1024)
    return refuse("expected at most 1024 threads a block, got ", threads);
  const auto &[x, y, z] = info.maxThreads;
  if (x && threads > uint64_t(x) * y * z)
    return refuse("expected at most the ", uint64_t(x) * y * z,
                  " threads a block that '", info.name, "' declares, got ",
                  threads);
  if (info.requiredThreads[0] && shape.block != info.requiredThreads)
    return refuse("expected the block ", shapeText(info.requiredThreads),
                  " that '", info.name, "' declares, got ",
                  shapeText(shape.block));
  if (info.staticSharedBytes > sharedLimit ||
      shape.dynamicSharedBytes > sharedLimit - info.staticSharedBytes)
    return refuse("expected at most ", sharedLimit,
                  " bytes of shared memory on ", target, ", got ",
                  info.staticSharedBytes, " static and ",
                  shape.dynamicSharedBytes, " dynamic ones");
  return llvm::Error::success();
}

static llvm::Expected<std::vector<char>>
layOutParameters(const KernelInfo &info,
                 llvm::ArrayRef<llvm::ArrayRef<char>> parameters) {
  if (parameters.size() != info.parameters.size())
    return refuse("expected ", info.parameters.size(), " parameters for '",
                  info.name, "', got ", parameters.size());
  std::vector<char> bytes(info.parameterBytes);
  for (auto [number, given] : llvm::enumerate(parameters)) {
    const Parameter &parameter = info.parameters[number];
    if (given.size() != parameter.bytes)
      return refuse("expected ", parameter.bytes, " bytes for parameter ",
                    number, " of '", info.name, "', got ", given.size());
    llvm::copy(given, bytes.begin() + parameter.offset);
  }
  return bytes;
}

static InstructionReport makeReport(Grid &grid) {
  InstructionReport report = std::move(grid.result.report);
  for (const Instruction &instruction : grid.kernel.code) {
    if (uint64_t count = grid.executions[instruction.index])
      report.mix[llvm::join(instruction.syntax->words, ".")] += count;
    AccessCounts &counts = grid.accesses[instruction.index];
    if (!counts.requests)
      continue;
    counts.line = instruction.syntax->location.line;
    counts.instruction = instruction.syntax->text;
    report.accesses.push_back(std::move(counts));
  }
  return report;
}

llvm::Expected<LaunchResult> mlir::deltanet::ptx::launch(
    const Program &program, llvm::StringRef name, const LaunchShape &shape,
    llvm::ArrayRef<llvm::ArrayRef<char>> parameters, DeviceMemory &memory,
    const LaunchOptions &options) {
  const Program::State &state = program.state();
  auto kernel = llvm::find_if(state.kernels, [&](const Kernel &each) {
    return each.syntax->info.name == name;
  });
  if (kernel == state.kernels.end())
    return refuse("expected a kernel of ", state.syntax.fileName, ", got '",
                  name, "'");
  const KernelInfo &info = kernel->syntax->info;
  uint64_t sharedLimit = options.sharedLimit ? options.sharedLimit
                                             : sharedMemoryOf(program.target());
  if (llvm::Error error =
          checkShape(info, shape, sharedLimit, program.target()))
    return std::move(error);
  llvm::Expected<std::vector<char>> bytes = layOutParameters(info, parameters);
  if (!bytes)
    return bytes.takeError();

  const auto &[x, y, z] = shape.grid;
  uint64_t blocks = uint64_t(x) * y * z;
  Grid grid{state,
            *kernel,
            shape,
            options,
            memory,
            std::move(*bytes),
            MemoryShadow(info.staticSharedBytes + shape.dynamicSharedBytes),
            memory.takeBlockNumbers(blocks),
            {},
            std::vector<uint64_t>(kernel->code.size()),
            std::vector<AccessCounts>(kernel->code.size()),
            {}};
  for (uint64_t number = 0; number < blocks; ++number) {
    std::array<uint32_t, 3> id{uint32_t(number % x), uint32_t(number / x % y),
                               uint32_t(number / x / y)};
    if (!Block(grid, id, grid.firstBlock + number).run()) {
      grid.result.completed = false;
      break;
    }
  }
  grid.result.report = makeReport(grid);
  return std::move(grid.result);
}
