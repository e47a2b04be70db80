//===- InstructionReport.cpp - What a launch executed ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/InstructionReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::deltanet::ptx;

static llvm::StringRef nameOf(Space space) {
  switch (space) {
  case Space::Generic:
    return "generic";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Param:
    return "param";
  case Space::Const:
    return "const";
  }
  return "";
}

InstructionReport &
InstructionReport::operator+=(const InstructionReport &other) {
  instructions += other.instructions;
  for (const auto &[name, count] : other.mix)
    mix[name] += count;
  for (const AccessCounts &added : other.accesses) {
    auto own = llvm::find_if(accesses, [&](const AccessCounts &counts) {
      return counts.line == added.line &&
             counts.instruction == added.instruction;
    });
    if (own == accesses.end()) {
      own = llvm::find_if(accesses, [&](const AccessCounts &counts) {
        return counts.line > added.line;
      });
      accesses.insert(own, added);
      continue;
    }
    own->requests += added.requests;
    own->bytes += added.bytes;
    own->parts += added.parts;
    own->idealParts += added.idealParts;
  }
  return *this;
}

llvm::json::Value InstructionReport::toJson() const {
  llvm::json::Object counts;
  for (const auto &[name, count] : mix)
    counts[name] = count;
  llvm::json::Array places;
  for (const AccessCounts &access : accesses)
    places.push_back(llvm::json::Object{{"line", access.line},
                                        {"instruction", access.instruction},
                                        {"space", nameOf(access.space)},
                                        {"requests", access.requests},
                                        {"bytes", access.bytes},
                                        {"parts", access.parts},
                                        {"idealParts", access.idealParts}});
  return llvm::json::Object{{"instructions", instructions},
                            {"mix", std::move(counts)},
                            {"accesses", std::move(places)}};
}
