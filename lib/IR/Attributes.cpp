//===- Attributes.cpp - Verification of attributes ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RuleLimits.h"
#include "deltanet/IR/DeltaNet.h"

using namespace mlir;
using namespace mlir::deltanet;

// C14.
LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Arch arch, Isa isa, int64_t vectorBits,
                                 int64_t vectorRegisters, int64_t vectorUnits,
                                 bool fma, int64_t l1Bytes, int64_t l2Bytes,
                                 int64_t streams, MatrixUnit matrix) {
  if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512)
    return emitError() << "expected vector_bits of 128, 256 or 512, got "
                       << vectorBits;
  if (vectorRegisters < 8 || vectorRegisters > 64)
    return emitError() << "expected 8 to 64 vector_registers, got "
                       << vectorRegisters;
  if (vectorUnits != 1 && vectorUnits != 2)
    return emitError() << "expected 1 or 2 vector_units, got " << vectorUnits;
  if (l1Bytes < 4096 || l2Bytes < l1Bytes)
    return emitError() << "expected l1_bytes of at least 4096 and l2_bytes of "
                          "at least l1_bytes, got "
                       << l1Bytes << " and " << l2Bytes;
  if (streams != 1 && streams != 2 && streams != 4)
    return emitError() << "expected 1, 2 or 4 streams, got " << streams;
  if (arch != Arch::X86_64 && isa != Isa::Generic)
    return emitError() << "expected isa generic on " << stringifyArch(arch)
                       << ", got " << stringifyIsa(isa);
  bool hasMatrix = matrix == MatrixUnit::None ||
                   (matrix == MatrixUnit::Amx && isa == Isa::Amx);
  if (!hasMatrix)
    return emitError() << "expected a matrix that isa " << stringifyIsa(isa)
                       << " has, got " << stringifyMatrixUnit(matrix);
  return success();
}

// C29.
LogicalResult
GpuTargetAttr::verify(function_ref<InFlightDiagnostic()> emitError, Chip chip,
                      int64_t multiprocessors, int64_t threads,
                      int64_t sharedBytes, int64_t sharedBytesInAll,
                      TensorCore tensorCore, AsyncCopy asyncCopy) {
  if (multiprocessors < 1)
    return emitError() << "expected at least 1 of multiprocessors, got "
                       << multiprocessors;
  if (threads != 1024 && threads != 1536 && threads != 2048)
    return emitError() << "expected 1024, 1536 or 2048 threads, got "
                       << threads;
  constexpr int64_t kLeastShared = 49152, kOfSystem = 1024;
  if (sharedBytes < kLeastShared || sharedBytesInAll < kOfSystem ||
      sharedBytesInAll - kOfSystem < sharedBytes)
    return emitError() << "expected shared_bytes of at least " << kLeastShared
                       << " and shared_bytes_in_all of at least " << kOfSystem
                       << " more, got " << sharedBytes << " and "
                       << sharedBytesInAll;
  bool hasTensorCore =
      tensorCore == TensorCore::Mma ||
      (tensorCore == TensorCore::Wgmma && chip == Chip::Sm90a) ||
      (tensorCore == TensorCore::Tcgen05 && chip == Chip::Sm100a);
  if (!hasTensorCore)
    return emitError() << "expected a tensor_core that " << stringifyChip(chip)
                       << " has, got " << stringifyTensorCore(tensorCore);
  if (asyncCopy == AsyncCopy::Tma && chip < Chip::Sm90a)
    return emitError() << "expected async_copy cp_async on "
                       << stringifyChip(chip) << ", got tma";
  return success();
}

/// The fields that only the other algorithm has are at their defaults: what is
/// given has a meaning.
static LogicalResult
verifyOtherFields(function_ref<InFlightDiagnostic()> emitError,
                  Algorithm algorithm, int64_t tokens, int64_t rows,
                  int64_t block, Residency state, int64_t prefetch,
                  int64_t chunk, Staging staging, int64_t registerRows,
                  MatrixUnit matrix) {
  bool chunked = algorithm == Algorithm::Chunked;
  for (auto [name, ofChunked, isDefault] :
       {std::tuple{"tokens", false, tokens == 1},
        {"rows", false, rows == 1},
        {"block", false, block == 64},
        {"state", false, state == Residency::Scratch},
        {"prefetch", false, prefetch == 0},
        {"chunk", true, chunk == 64},
        {"staging", true, staging == Staging::OnePass},
        {"register_rows", true, registerRows == 4},
        {"matrix", true, matrix == MatrixUnit::None}})
    if (ofChunked != chunked && !isDefault)
      return emitError() << "expected no " << name << " in a "
                         << stringifyAlgorithm(algorithm)
                         << " schedule, got one";
  return success();
}

// C15.
LogicalResult ScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, Algorithm algorithm,
    int64_t minTokens, int64_t maxTokens, int64_t valueSlice, int64_t columns,
    int64_t tokens, int64_t rows, int64_t block, Residency state,
    int64_t prefetch, int64_t chunk, Staging staging, int64_t registerRows,
    MatrixUnit matrix, int64_t warps, int64_t intraWarps, int64_t stages) {
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
  if (failed(verifyOtherFields(emitError, algorithm, tokens, rows, block, state,
                               prefetch, chunk, staging, registerRows, matrix)))
    return failure();
  // Tiles are 16 rows of 32 products.
  if (matrix != MatrixUnit::None && chunk < 32)
    return emitError()
           << "expected a chunk of at least 32 tokens with matrix = "
           << stringifyMatrixUnit(matrix) << ", got " << chunk;
  if (matrix == MatrixUnit::Amx && columns != 16 && columns != 32)
    return emitError() << "expected 16 or 32 columns with matrix = amx, got "
                       << columns;
  bool inRegisters = state == Residency::Registers;
  bool onGpu = inRegisters || matrix == MatrixUnit::Mma;
  const int64_t least = onGpu ? 1 : 0, most = onGpu ? 16 : 0;
  if (warps < least || warps > most)
    return emitError() << "expected " << least << " to " << most
                       << " warps in a " << stringifyAlgorithm(algorithm)
                       << " schedule with state = " << stringifyResidency(state)
                       << " and matrix = " << stringifyMatrixUnit(matrix)
                       << ", got " << warps;
  const int64_t mostIntra = matrix == MatrixUnit::Mma ? 16 : 0;
  if (intraWarps < 0 || intraWarps > mostIntra)
    return emitError() << "expected 0 to " << mostIntra
                       << " intra_warps with matrix = "
                       << stringifyMatrixUnit(matrix) << ", got " << intraWarps;
  const int64_t mostStages = matrix == MatrixUnit::Mma ? 2 : 1;
  if (stages < 1 || stages > mostStages)
    return emitError() << "expected 1 to " << mostStages
                       << " stages with matrix = "
                       << stringifyMatrixUnit(matrix) << ", got " << stages;
  // A warp has 16 rows of V, or several times as many.
  if (matrix == MatrixUnit::Mma &&
      (staging != Staging::TwoStage || chunk > 64 || valueSlice % (16 * warps)))
    return emitError() << "expected staging = two_stage, a chunk of 32 or 64 "
                          "and a value_slice as a multiple of 16 * warps ("
                       << 16 * warps << ") with matrix = mma, got "
                       << stringifyStaging(staging) << ", " << chunk << " and "
                       << valueSlice;
  if (inRegisters && (tokens != 1 || rows != 1 || valueSlice == 0))
    return emitError()
           << "expected tokens = 1, rows = 1 and a value_slice with "
              "state = registers, got "
           << tokens << ", " << rows << " and " << valueSlice;
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
  if (rows > 4)
    return emitError() << "expected 1, 2 or 4 rows a turn with state = memory, "
                          "got "
                       << rows;
  return success();
}

// C24.
LogicalResult KernelAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Rule rule, HeadMap headMap,
                                 StateLayout stateLayout, int64_t h, int64_t hv,
                                 int64_t k, int64_t v, Type io, FloatAttr scale,
                                 FloatAttr l2normEps, Type cuSeqlens,
                                 int64_t tokens, ArrayAttr schedules) {
  if (!isHeadCount(h) || !isHeadCount(hv) || hv % h)
    return emitError() << "expected h and hv from 1 to " << kMaxHeads
                       << ", hv as a multiple of h, got " << h << " and " << hv;
  if (!isChannelCount(k) || !isChannelCount(v))
    return emitError() << "expected k and v as multiples of 16 from 16 to 256, "
                          "got "
                       << k << " and " << v;
  if (!isIoType(io))
    return emitError() << "expected io of bf16, f16 or f32, got " << io;
  if (!scale.getType().isF32() || !scale.getValue().isFinite())
    return emitError() << "expected a finite scale of f32, got " << scale;
  if (l2normEps &&
      (!l2normEps.getType().isF32() || !isEps(l2normEps.getValue())))
    return emitError() << "expected a finite l2norm_eps >= 0 of f32, got "
                       << l2normEps;
  if (cuSeqlens && !cuSeqlens.isSignlessInteger(32) &&
      !cuSeqlens.isSignlessInteger(64))
    return emitError() << "expected cu_seqlens of i32 or i64, got "
                       << cuSeqlens;
  if (tokens != -1 && !isTokenCount(tokens))
    return emitError() << "expected tokens from 1 to " << kMaxTokens
                       << ", or -1, got " << tokens;
  if (schedules && (schedules.empty() ||
                    !llvm::all_of(schedules, llvm::IsaPred<ScheduleAttr>)))
    return emitError() << "expected schedules as an array of "
                          "#deltanet.schedule, got "
                       << schedules;
  return success();
}
