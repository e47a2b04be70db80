//===- Schedules.h - Which schedule serves which length ---------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// A kernel's descriptor lists its schedules as text, one a line: the algorithm,
// then fields, of which min_tokens and max_tokens say which sequences it
// serves.
//
//   recurrent max_tokens=31 tokens=2 columns=16
//   chunked min_tokens=32 chunk=64
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_SCHEDULES_H
#define DELTANET_VERIFICATION_SCHEDULES_H

#include "deltanet/Verification/Limits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::deltanet::verification {

struct Schedule {
  Algorithm algorithm = Algorithm::Recurrent;
  int64_t minTokens = 0, maxTokens = INT64_MAX; ///< lengths served, inclusive
  std::string text;                             ///< the whole line
};

/// Fails at a line that does not begin with the name of an algorithm, and at
/// min_tokens or max_tokens without a number.
llvm::Expected<std::vector<Schedule>> parseSchedules(llvm::StringRef text);

/// The schedule that serves sequences of `tokens` tokens, or null.
const Schedule *scheduleFor(llvm::ArrayRef<Schedule> schedules, int64_t tokens);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_SCHEDULES_H
