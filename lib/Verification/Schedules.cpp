//===- Schedules.cpp - Which schedule serves which length -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Schedules.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<std::vector<Schedule>>
verification::parseSchedules(llvm::StringRef text) {
  std::vector<Schedule> schedules;
  llvm::SmallVector<llvm::StringRef> lines, words;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    words.clear();
    line.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    auto fail = [&](const llvm::Twine &expected) {
      return llvm::createStringError("schedules: expected " + expected +
                                     ", got '" + line + "'");
    };
    std::optional<Algorithm> algorithm;
    if (!words.empty())
      algorithm = parseAlgorithm(words.front());
    if (!algorithm)
      return fail("a line that begins with an algorithm");
    Schedule schedule;
    schedule.algorithm = *algorithm;
    schedule.text = line.trim().str();
    for (llvm::StringRef word : llvm::drop_begin(words)) {
      auto [key, value] = word.split('=');
      int64_t *field = key == "min_tokens"   ? &schedule.minTokens
                       : key == "max_tokens" ? &schedule.maxTokens
                                             : nullptr;
      if (field && value.getAsInteger(10, *field))
        return fail("a number after '" + key + "='");
    }
    schedules.push_back(std::move(schedule));
  }
  return schedules;
}

const Schedule *verification::scheduleFor(llvm::ArrayRef<Schedule> schedules,
                                          int64_t tokens) {
  for (const Schedule &schedule : schedules)
    if (schedule.minTokens <= tokens && tokens <= schedule.maxTokens)
      return &schedule;
  return nullptr;
}
