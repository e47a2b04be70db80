//===- CrossCheckedRunner.cpp - The emulator, and the CPU beside ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/CrossCheckedRunner.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<std::unique_ptr<CrossCheckedRunner>>
CrossCheckedRunner::create(const dn_kernel &kernel,
                           const MemoryLayout &layout) {
  std::unique_ptr<CrossCheckedRunner> runner(new CrossCheckedRunner());
  auto emulator = EmulatedRunner::create(kernel, layout);
  if (!emulator)
    return emulator.takeError();
  runner->emulator = std::move(*emulator);
  char message[DN_MESSAGE_BYTES];
  if (dn_isa_check(kernel.isa, message, sizeof(message)) != DN_OK) {
    runner->refusal = message;
    return runner;
  }
  LibraryRunOptions options;
  options.layout = layout;
  auto native = LibraryRunner::create(kernel, options);
  if (!native)
    return native.takeError();
  runner->native = std::move(*native);
  return runner;
}

llvm::Expected<RunResult> CrossCheckedRunner::run(const Problem &problem) {
  llvm::Expected<RunResult> result = emulator->run(problem);
  // What reads or writes out of bounds had better not run.
  if (!result || !result->faults.empty() || !native)
    return result;
  llvm::Expected<RunResult> other = native->run(problem);
  if (!other)
    return other.takeError();
  std::vector<std::string> found = other->faults;
  llvm::append_range(found, differences(traits(), *other, *result));
  for (const std::string &text : found)
    result->faults.push_back("native run: " + text);
  return result;
}

/// Places of two values of a 16-bit type among all of its values, so that
/// neighbours are one apart.
static int place(dn_type type, float value) {
  int bits = type == DN_TYPE_BF16 ? toBF16(value) : toF16(value);
  return bits & 0x8000 ? -(bits & 0x7fff) : bits;
}

/// The elements that differ by more than the unit's order of additions may
/// cause.
static std::optional<std::string> difference(llvm::StringRef name, dn_type type,
                                             bool isMatrixUnit,
                                             llvm::ArrayRef<float> native,
                                             llvm::ArrayRef<float> emulated) {
  double sum = 0;
  for (float x : emulated)
    sum += double(x) * x;
  double allowed =
      emulated.empty() ? 0 : 1e-6 * std::sqrt(sum / double(emulated.size()));
  auto agree = [&](float x, float y) {
    if (std::memcmp(&x, &y, sizeof(x)) == 0)
      return true;
    if (!isMatrixUnit || std::isnan(x) || std::isnan(y))
      return false;
    return type == DN_TYPE_F32 ? std::fabs(double(x) - y) <= allowed
                               : std::abs(place(type, x) - place(type, y)) <= 1;
  };
  size_t count = 0, first = 0;
  for (size_t i = 0; i < emulated.size(); ++i)
    if (!agree(native[i], emulated[i]) && count++ == 0)
      first = i;
  if (count == 0)
    return std::nullopt;
  return llvm::formatv("{0}: {1} of {2} elements differ from the emulator's, "
                       "first element {3}: {4:e8} instead of {5:e8}",
                       name, count, emulated.size(), first, native[first],
                       emulated[first])
      .str();
}

std::vector<std::string> verification::differences(const RunnerTraits &traits,
                                                   const RunResult &native,
                                                   const RunResult &emulated) {
  bool isMatrixUnit =
      llvm::any_of(traits.schedules, [](const Schedule &schedule) {
        return schedule.algorithm == Algorithm::ChunkedMatrix;
      });
  std::vector<std::string> found;
  auto add = [&](std::optional<std::string> text) {
    if (text)
      found.push_back(std::move(*text));
  };
  add(difference("o", traits.facts.ioType, isMatrixUnit, native.o, emulated.o));
  add(difference("state_out", DN_TYPE_F32, isMatrixUnit, native.finalState,
                 emulated.finalState));
  return found;
}
