//===- Attributes.cpp - Verification of targets and schedules -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/DeltaNet.h"

using namespace mlir;
using namespace mlir::deltanet;

// C14.
LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Arch arch, Isa isa, int64_t vectorBits,
                                 int64_t vectorRegisters, bool fma,
                                 int64_t l1Bytes, int64_t l2Bytes,
                                 MatrixUnit matrix) {
  if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512)
    return emitError() << "expected vector_bits of 128, 256 or 512, got "
                       << vectorBits;
  if (vectorRegisters < 8 || vectorRegisters > 64)
    return emitError() << "expected 8 to 64 vector_registers, got "
                       << vectorRegisters;
  if (l1Bytes < 4096 || l2Bytes < l1Bytes)
    return emitError() << "expected l1_bytes of at least 4096 and l2_bytes of "
                          "at least l1_bytes, got "
                       << l1Bytes << " and " << l2Bytes;
  if (arch != Arch::X86_64 && isa != Isa::Generic)
    return emitError() << "expected isa generic on " << stringifyArch(arch)
                       << ", got " << stringifyIsa(isa);
  return success();
}

// C15.
LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Algorithm algorithm, int64_t minTokens,
                                   int64_t maxTokens, int64_t valueSlice,
                                   int64_t columns, int64_t tokens,
                                   int64_t rows, int64_t block, Residency state,
                                   int64_t prefetch, int64_t chunk,
                                   Staging staging, int64_t registerRows) {
  if (minTokens < 0 || maxTokens < minTokens)
    return emitError() << "expected 0 <= min_tokens <= max_tokens, got "
                       << minTokens << " and " << maxTokens;
  if (columns < 8 || columns > 64 || columns % 8)
    return emitError() << "expected columns as a multiple of 8 up to 64, got "
                       << columns;
  if (valueSlice < 0 || valueSlice % columns)
    return emitError() << "expected value_slice as a multiple of columns ("
                       << columns << "), got " << valueSlice;
  if (tokens < 1 || tokens > 8)
    return emitError() << "expected 1 to 8 tokens a pass, got " << tokens;
  if (rows != 1 && rows != 2 && rows != 4 && rows != 8)
    return emitError() << "expected 1, 2, 4 or 8 rows a turn, got " << rows;
  if (block < tokens || block > 256 || block % tokens)
    return emitError() << "expected block as a multiple of tokens (" << tokens
                       << ") up to 256, got " << block;
  if (prefetch < 0 || prefetch > (1 << 20))
    return emitError() << "expected prefetch from 0 to 1048576 bytes, got "
                       << prefetch;
  if (chunk != 16 && chunk != 32 && chunk != 64 && chunk != 128)
    return emitError() << "expected a chunk of 16, 32, 64 or 128 tokens, got "
                       << chunk;
  if (registerRows < 1 || registerRows > 16)
    return emitError() << "expected 1 to 16 register_rows, got "
                       << registerRows;
  if (algorithm != Algorithm::Recurrent || state != Residency::Memory)
    return success();
  // One token is all that is known where the state is read before its update.
  if (tokens != 1)
    return emitError() << "expected one token a pass with state = memory, got "
                       << tokens;
  if (maxTokens > 1)
    return emitError() << "expected max_tokens of at most 1 with state = "
                          "memory, got "
                       << maxTokens;
  return success();
}
