//===- FloatEnvironment.cpp - Flush-to-zero while a kernel runs -----------===//
//
// Part of the Delta-Net project.
//
// The whole register is replaced, not only the flush bits: the bits of a result
// must not depend on a rounding mode that the caller has set.
//
//===----------------------------------------------------------------------===//

#include "FloatEnvironment.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::deltanet;

/// MXCSR: its default (all exceptions masked, round to nearest) with FTZ (bit
/// 15) and DAZ (bit 6).
static constexpr int64_t kMxcsr = 0x1f80 | 1 << 15 | 1 << 6;
/// FPCR: its default (no traps, round to nearest) with FZ.
static constexpr int64_t kFpcr = 1 << 24;

static Value constant(OpBuilder &builder, Location loc, Type type,
                      int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, value));
}

static void intrinsic(OpBuilder &builder, Location loc, StringRef name,
                      Value operand) {
  LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr(name),
                                operand);
}

/// Loads MXCSR with a value, through memory as the instruction wants.
static void setMxcsr(OpBuilder &builder, Location loc, Value value) {
  Type i32 = builder.getI32Type();
  Value slot = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), i32,
      constant(builder, loc, i32, 1));
  LLVM::StoreOp::create(builder, loc, value, slot);
  intrinsic(builder, loc, "llvm.x86.sse.ldmxcsr", slot);
}

Value cpu::enterFloatEnvironment(OpBuilder &builder, Location loc, Arch arch) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  if (arch == Arch::AArch64) {
    Value saved =
        LLVM::CallIntrinsicOp::create(
            builder, loc, i64, builder.getStringAttr("llvm.aarch64.get.fpcr"),
            ValueRange())
            .getResult(0);
    intrinsic(builder, loc, "llvm.aarch64.set.fpcr",
              constant(builder, loc, i64, kFpcr));
    return saved;
  }
  Value slot = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), i32,
      constant(builder, loc, i32, 1));
  intrinsic(builder, loc, "llvm.x86.sse.stmxcsr", slot);
  Value saved = LLVM::LoadOp::create(builder, loc, i32, slot);
  setMxcsr(builder, loc, constant(builder, loc, i32, kMxcsr));
  return saved;
}

void cpu::restoreFloatEnvironment(OpBuilder &builder, Location loc, Arch arch,
                                  Value saved) {
  if (arch == Arch::AArch64)
    intrinsic(builder, loc, "llvm.aarch64.set.fpcr", saved);
  else
    setMxcsr(builder, loc, saved);
}
