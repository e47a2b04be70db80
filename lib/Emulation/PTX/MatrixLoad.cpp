//===- MatrixLoad.cpp - Matrices between shared memory and fragments ------===//
//
// Part of the Delta-Net project.
//
// Matrices of 8x8 elements of 16 bits. Lane 8 m + r has the address of row r of
// matrix m. Register m of lane l has the elements 2 (l % 4) and the one after
// it of row l / 4 of matrix m, or of its column l / 4 if it is transposed.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "MemoryAccess.h"

using namespace mlir::deltanet::ptx;

namespace {
constexpr unsigned kRows = 8, kRowBytes = 16, kElementBytes = 2;

/// Where element `half` of register `matrix` of a lane lies.
char *elementOf(const Lanes<char *> &rows, unsigned matrix, unsigned lane,
                unsigned half, bool isTransposed) {
  unsigned row = lane / 4, column = lane % 4 * 2 + half;
  if (isTransposed)
    std::swap(row, column);
  return rows[matrix * kRows + row] + column * kElementBytes;
}

/// The rows that lanes name; Next, or what Execute returns.
Step resolveRows(Warp &warp, const Instruction &instruction, LaneMask mask,
                 AccessKind kind, Lanes<char *> &rows) {
  if (!warp.isConverged(mask, "a matrix access"))
    return warp.whileApart;
  LaneMask addressed = kAllLanes >> (kLanes - kRows * instruction.elements);
  if (mask != kAllLanes)
    return warp.fault(FindingKind::Divergence, __builtin_ctz(mask),
                      "expected a warp of 32 threads, got " +
                          llvm::Twine(llvm::popcount(mask)));
  bool isResolved =
      resolve(warp,
              {instruction.space, kind, kRowBytes, addressed,
               addressesOf(warp, instruction.sources[0], instruction.offset)},
              rows);
  return isResolved ? Step::Next : Step::Faulted;
}

template <bool isTransposed>
Step load(Warp &warp, const Instruction &instruction, LaneMask mask) {
  Lanes<char *> rows;
  Step step = resolveRows(warp, instruction, mask, AccessKind::Read, rows);
  if (step != Step::Next)
    return step;
  for (unsigned matrix = 0; matrix < instruction.elements; ++matrix) {
    Lanes<uint32_t> &values = warp.bits32(instruction.results[matrix]);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint16_t halves[2];
      for (unsigned half = 0; half < 2; ++half)
        std::memcpy(&halves[half],
                    elementOf(rows, matrix, lane, half, isTransposed),
                    kElementBytes);
      values[lane] = halves[0] | uint32_t(halves[1]) << 16;
    }
  }
  return Step::Next;
}

template <bool isTransposed>
Step store(Warp &warp, const Instruction &instruction, LaneMask mask) {
  Lanes<char *> rows;
  Step step = resolveRows(warp, instruction, mask, AccessKind::Write, rows);
  if (step != Step::Next)
    return step;
  for (unsigned matrix = 0; matrix < instruction.elements; ++matrix) {
    const Lanes<uint32_t> &values =
        warp.bits32(instruction.sources[1 + matrix]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned half = 0; half < 2; ++half) {
        uint16_t element = values[lane] >> 16 * half;
        std::memcpy(elementOf(rows, matrix, lane, half, isTransposed), &element,
                    kElementBytes);
      }
  }
  return Step::Next;
}
} // namespace

void mlir::deltanet::ptx::decodeMatrixLoad(Decoder &decoder) {
  Instruction &own = *decoder.instruction;
  for (llvm::StringRef word : {"sync", "aligned", "m8n8"})
    if (!decoder.take(word))
      return decoder.failUnknown();
  constexpr llvm::StringRef kCounts[] = {"x1", "x2", "x4"};
  constexpr unsigned kNone = std::size(kCounts);
  unsigned count = decoder.takeOneOf(kCounts, kNone);
  if (count == kNone)
    return decoder.failUnknown();
  own.elements = 1 << count;
  own.elementBytes = kRowBytes;
  bool isTransposed = decoder.take("trans");
  if (decoder.take("shared") || decoder.take("shared::cta"))
    own.space = Space::Shared;
  if (decoder.takeType() != Type::B16)
    return decoder.failUnknown();
  unsigned registers;
  if (decoder.is("ldmatrix")) {
    registers = decoder.addResults(Type::B32);
    decoder.addAddress(own.offset);
    decoder.setExecute(isTransposed ? load<true> : load<false>);
  } else {
    decoder.addAddress(own.offset);
    registers = decoder.addSources(Type::B32);
    decoder.setExecute(isTransposed ? store<true> : store<false>);
  }
  if (registers != own.elements)
    decoder.fail("expected " + llvm::Twine(unsigned(own.elements)) +
                 " registers, got " + llvm::Twine(registers));
}
