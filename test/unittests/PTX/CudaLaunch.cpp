//===- CudaLaunch.cpp - A launch of a kernel that nvcc compiled -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CudaLaunch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

/// Each file is read once.
static const Program &load(const std::string &file) {
  static std::map<std::string, Program> programs;
  auto known = programs.find(file);
  if (known != programs.end())
    return known->second;
  std::string path = std::string(CUDA_KERNELS) + "/" + file + ".ptx";
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    llvm::report_fatal_error(llvm::Twine(path) + ": " +
                             text.getError().message());
  llvm::Expected<Program> program =
      Program::parse((*text)->getBuffer(), file + ".ptx");
  if (!program)
    llvm::report_fatal_error(program.takeError());
  return programs.emplace(file, std::move(*program)).first->second;
}

CudaLaunch::CudaLaunch(llvm::StringRef file) : file(file) {}

void CudaLaunch::addBuffer(uint64_t bytes, Permission permission,
                           const char *values) {
  std::string name = "buffer " + std::to_string(parameters.size());
  lastAddress = memory.allocate(name, bytes, permission);
  lastBytes = bytes;
  if (values)
    EXPECT_TRUE(memory.write(lastAddress, {values, bytes}));
  scalar(lastAddress);
}

void CudaLaunch::readLast(char *values) {
  EXPECT_TRUE(memory.isInitialised(lastAddress, lastBytes));
  EXPECT_TRUE(memory.read(lastAddress, {values, lastBytes}));
}

std::vector<Finding> CudaLaunch::run(llvm::StringRef kernel,
                                     const LaunchShape &shape, uint64_t seed) {
  std::vector<llvm::ArrayRef<char>> bytes(parameters.begin(), parameters.end());
  LaunchOptions options;
  options.seed = seed;
  llvm::Expected<LaunchResult> result =
      launch(load(file.str()), kernel, shape, bytes, memory, options);
  if (result)
    return std::move(result->findings);
  ADD_FAILURE() << llvm::toString(result.takeError());
  return {};
}

void CudaLaunch::runClean(llvm::StringRef kernel, const LaunchShape &shape,
                          uint64_t seed) {
  for (const Finding &finding : run(kernel, shape, seed))
    ADD_FAILURE() << "seed " << seed << ": " << finding.text();
}

std::vector<float> mlir::deltanet::ptx::randomFloats(size_t count,
                                                     uint64_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> range(-1, 1);
  std::vector<float> values(count);
  for (float &value : values)
    value = range(random);
  return values;
}
