//===- ExpandNarrowFloats.cpp - bf16 and f16 as 16-bit integers -----------===//
//
// Part of the Delta-Net project.
//
// LLVM makes calls, or code for one element at a time, of 16-bit float types
// that a machine has no instructions for. So they leave the IR: first every
// conversion is written in terms of the bits, then the types of all values that
// only move become i16. A conversion that the machine has keeps its float type
// between two bitcasts.
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"
#include "deltanet/Target/Target.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDNARROWFLOATS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

namespace {

bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isBF16() || element.isF16();
}

bool touchesNarrow(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isNarrow) ||
         llvm::any_of(op->getResultTypes(), isNarrow);
}

/// Operations that carry values without looking at them, or multiply them as
/// they are.
bool isMove(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<memref::MemRefDialect, scf::SCFDialect, func::FuncDialect,
                      amx::AMXDialect>(dialect))
    return true;
  return isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp, ub::PoisonOp,
             vector::LoadOp, vector::StoreOp, vector::TransferReadOp,
             vector::TransferWriteOp, vector::MaskedLoadOp,
             vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp,
             vector::BroadcastOp, vector::InterleaveOp, vector::DeinterleaveOp,
             vector::ExtractOp, vector::InsertOp, vector::FromElementsOp,
             vector::ToElementsOp, vector::ShuffleOp,
             vector::InsertStridedSliceOp, vector::ExtractStridedSliceOp,
             vector::ShapeCastOp, vector::BitCastOp, vector::TransposeOp>(op);
}

struct Conversions {
  SmallVector<arith::ExtFOp> widen;
  SmallVector<arith::TruncFOp> narrow;
  /// Products of narrow operands, which are widened first.
  SmallVector<vector::ContractionOp> products;
};

bool roundsToNearest(arith::TruncFOp op) {
  return !op.getRoundingmode() ||
         *op.getRoundingmode() == arith::RoundingMode::to_nearest_even;
}

FailureOr<Conversions> analyse(Operation *root) {
  Conversions found;
  WalkResult result = root->walk([&](Operation *op) -> WalkResult {
    if (!touchesNarrow(op) || isMove(op))
      return WalkResult::advance();
    auto isF32 = [](Type type) { return getElementTypeOrSelf(type).isF32(); };
    if (auto widen = dyn_cast<arith::ExtFOp>(op);
        widen && isF32(widen.getType())) {
      found.widen.push_back(widen);
    } else if (auto narrow = dyn_cast<arith::TruncFOp>(op);
               narrow && isF32(narrow.getIn().getType())) {
      if (!roundsToNearest(narrow))
        return narrow.emitOpError("expected narrow floats to be rounded to the "
                                  "nearest, ties to even, got ")
               << arith::stringifyRoundingMode(*narrow.getRoundingmode());
      found.narrow.push_back(narrow);
    } else if (auto product = dyn_cast<vector::ContractionOp>(op);
               product && isF32(product.getAccType())) {
      found.products.push_back(product);
    } else {
      return op->emitOpError("expected narrow floats only to be moved, or "
                             "converted from and to f32, got this operation");
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return found;
}

/// Conversions that the machine has instructions for.
struct NativeConversions {
  bool f16 = false;         ///< from and to f32
  bool bf16FromF32 = false; ///< the other way is a shift everywhere
};

NativeConversions getNativeConversions(TargetAttr target) {
  // F16C on x86; any AArch64 processor.
  return {target.getArch() == Arch::AArch64 || target.getIsa() >= Isa::Avx2,
          target.getIsa() >= Isa::Avx512Bf16};
}

class Expansion {
public:
  Expansion(MLIRContext *context, NativeConversions has)
      : builder(context), has(has) {}

  void expand(Conversions &found) {
    for (vector::ContractionOp product : found.products)
      for (OpOperand *operand :
           {&product.getLhsMutable(), &product.getRhsMutable()})
        if (isNarrow(operand->get().getType())) {
          builder.setInsertionPoint(product);
          found.widen.push_back(arith::ExtFOp::create(
              builder, product.getLoc(),
              withElement(operand->get().getType(), builder.getF32Type()),
              operand->get()));
          operand->set(found.widen.back());
        }
    for (arith::ExtFOp op : found.widen) {
      builder.setInsertionPoint(op);
      op.replaceAllUsesWith(widen(op.getLoc(), op.getIn()));
      op.erase();
    }
    for (arith::TruncFOp op : found.narrow) {
      builder.setInsertionPoint(op);
      op.replaceAllUsesWith(narrow(op.getLoc(), op.getIn(), op.getType()));
      op.erase();
    }
  }

private:
  static Type withElement(Type type, Type element) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? Type(vector.clone(element)) : element;
  }
  Value bitcast(Location loc, Type element, Value value) {
    return arith::BitcastOp::create(
        builder, loc, withElement(value.getType(), element), value);
  }

  Value widen(Location loc, Value value) {
    Type i16 = builder.getI16Type();
    // Between two moves of i16 this does nothing.
    Value bits = bitcast(loc, i16, value);
    Type element = getElementTypeOrSelf(value.getType());
    if (element.isBF16())
      return widenBF16(builder, loc, bits);
    if (!has.f16)
      return widenF16(builder, loc, bits);
    Value half = bitcast(loc, element, bits);
    native.insert(half.getDefiningOp());
    return arith::ExtFOp::create(
        builder, loc, withElement(value.getType(), builder.getF32Type()), half);
  }

  /// What one instruction rounds of two registers.
  static bool isRegisterPair(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getShape() == ArrayRef<int64_t>{32};
  }
  Value narrowPair(Location loc, Value value, Type type) {
    SmallVector<Value> halves;
    for (int64_t begin : {0, 16})
      halves.push_back(vector::ExtractStridedSliceOp::create(
          builder, loc, value, begin, 16, 1));
    auto call = LLVM::CallIntrinsicOp::create(
        builder, loc, type,
        builder.getStringAttr("llvm.x86.avx512bf16.cvtne2ps2bf16.512"),
        ValueRange{halves[1], halves[0]});
    native.insert(call);
    return call.getResult(0);
  }

  Value narrow(Location loc, Value value, Type type) {
    Type element = getElementTypeOrSelf(type);
    Value bits;
    if (element.isBF16() && has.bf16FromF32 && isRegisterPair(type)) {
      bits = bitcast(loc, builder.getI16Type(), narrowPair(loc, value, type));
    } else if (element.isBF16() ? has.bf16FromF32 : has.f16) {
      Value half = arith::TruncFOp::create(builder, loc, type, value);
      native.insert(half.getDefiningOp());
      bits = bitcast(loc, builder.getI16Type(), half);
    } else if (element.isBF16()) {
      bits = narrowToBF16(builder, loc, value);
    } else {
      bits = narrowToF16(builder, loc, value);
    }
    return bitcast(loc, element, bits);
  }

  OpBuilder builder;
  NativeConversions has;

public:
  /// Operations whose result stays a 16-bit float.
  DenseSet<Operation *> native;
};

/// Replaces the narrow types of everything below `root` by i16, except where a
/// native conversion wants them.
void replaceTypes(Operation *root, const DenseSet<Operation *> &native) {
  Type i16 = IntegerType::get(root->getContext(), 16);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType type) -> std::optional<Type> {
    return isNarrow(type) ? i16 : Type(type);
  });
  // Tiles are multiplied as what they are.
  replacer.addReplacement([](amx::TileType tile) {
    return std::pair(Type(tile), WalkResult::skip());
  });
  // What the kernel computes does not change.
  replacer.addReplacement([](KernelAttr kernel) {
    return std::pair(Attribute(kernel), WalkResult::skip());
  });

  SmallVector<arith::BitcastOp> bitcasts;
  root->walk([&](Operation *op) {
    if (native.contains(op))
      return;
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && isNarrow(constant.getType())) {
      if (auto real = dyn_cast<FloatAttr>(constant.getValue()))
        constant.setValueAttr(
            IntegerAttr::get(i16, real.getValue().bitcastToAPInt()));
      else
        constant.setValueAttr(
            cast<DenseElementsAttr>(constant.getValue()).bitcast(i16));
    }
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/true);
    if (auto bitcast = dyn_cast<arith::BitcastOp>(op))
      bitcasts.push_back(bitcast);
  });
  for (arith::BitcastOp op : bitcasts)
    if (op.getIn().getType() == op.getType()) {
      op.replaceAllUsesWith(op.getIn());
      op.erase();
    }
}

struct ExpandNarrowFloats
    : deltanet::impl::ExpandNarrowFloatsBase<ExpandNarrowFloats> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<TargetAttr> target = getTarget(module);
    if (failed(target))
      return signalPassFailure();
    FailureOr<Conversions> found = analyse(module);
    if (failed(found))
      return signalPassFailure();
    Expansion expansion(&getContext(), getNativeConversions(*target));
    expansion.expand(*found);
    replaceTypes(module, expansion.native);
  }
};

} // namespace
