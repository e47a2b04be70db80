//===- LowerFragments.cpp - From tiles to the registers of a thread -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_LOWERFRAGMENTS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

bool isTile(Type type) { return isa<TileType>(type); }

/// What tiles may pass through.
bool carriesTiles(Operation *op) {
  return isa<FragmentDialect>(op->getDialect()) ||
         isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp,
             scf::YieldOp, arith::SelectOp>(op);
}

LogicalResult verifyUses(Operation *op) {
  bool hasTiles = llvm::any_of(op->getOperandTypes(), isTile) ||
                  llvm::any_of(op->getResultTypes(), isTile);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      hasTiles |= llvm::any_of(block.getArgumentTypes(), isTile);
  if (hasTiles && !carriesTiles(op))
    return op->emitOpError("expected tiles in fragment operations, scf.for, "
                           "scf.if, scf.while and arith.select alone");
  for (Type type : op->getOperandTypes())
    if (isa<LoadOp, StoreOp>(op) && isa<TensorType>(type))
      return op->emitOpError("expected memory, got ") << type;
  return success();
}

/// The threads of a block, the same for all tiles of a function; 0 without any.
FailureOr<int64_t> findThreads(func::FuncOp function) {
  int64_t threads = 0;
  if (auto required = function->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName());
      required && !required.empty())
    threads = required[0];
  bool hasTiles = false;
  WalkResult walked = function.walk([&](Operation *op) -> WalkResult {
    if (failed(verifyUses(op)))
      return failure();
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<TileType>(type);
      if (!tile)
        continue;
      hasTiles = true;
      int64_t own = getThreadCount(tile.getLayout());
      if (threads == 0)
        threads = own;
      if (own != threads)
        return op->emitOpError("expected a layout for the ")
               << threads << " threads of the block, got " << own << " of "
               << tile;
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  return hasTiles ? threads : 0;
}

struct LowerFragments : deltanet::impl::LowerFragmentsBase<LowerFragments> {
  using LowerFragmentsBase::LowerFragmentsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return markAllAnalysesPreserved();
    FailureOr<int64_t> threads = findThreads(function);
    if (failed(threads))
      return signalPassFailure();
    if (*threads == 0)
      return markAllAnalysesPreserved();

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](TileType tile, SmallVectorImpl<Type> &types) -> LogicalResult {
          types.append(tile.getElementsPerThread(), tile.getElementType());
          return success();
        });
    ThreadPlace place(function, *threads);
    RewritePatternSet patterns(&getContext());
    populateFragmentLoadPatterns(converter, patterns, place);
    populateFragmentStorePatterns(converter, patterns, place);
    populateFragmentElementPatterns(converter, patterns, place);
    populateFragmentSumPatterns(converter, patterns, place);
    ConversionTarget target(getContext());
    target.addIllegalDialect<FragmentDialect>();
    target.addDynamicallyLegalOp<arith::SelectOp>(
        [](arith::SelectOp op) { return !isTile(op.getType()); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(function, target, std::move(patterns),
                                      config)))
      signalPassFailure();
  }
};

} // namespace
