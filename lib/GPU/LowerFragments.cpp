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
    if (isa<FragmentDialect>(op->getDialect()) && isa<TensorType>(type))
      return op->emitOpError("expected memory, got ") << type;
  return success();
}

/// What is swizzled or copied to is in shared memory, what is copied there in
/// global memory.
LogicalResult verifySpaces(Operation *op) {
  auto expect = [&](Value memory, int64_t space) -> LogicalResult {
    auto type = cast<BaseMemRefType>(memory.getType());
    if (isInSpace(type, space))
      return success();
    return op->emitOpError("expected memory in space ")
           << space << ", got " << type;
  };
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return success(succeeded(expect(copy.getSource(), kGlobalSpace)) &&
                   succeeded(expect(copy.getDest(), kSharedSpace)));
  if (auto product = dyn_cast<MmaOp>(op))
    return expect(product.getRight(), kSharedSpace);
  if (auto load = dyn_cast<LoadOp>(op); load && load.getSwizzled())
    return expect(load.getSource(), kSharedSpace);
  if (auto store = dyn_cast<StoreOp>(op); store && store.getSwizzled())
    return expect(store.getDest(), kSharedSpace);
  return success();
}

/// The threads that a function is for, all along x, if it says so.
FailureOr<std::optional<int64_t>> getRequiredThreads(func::FuncOp function) {
  auto required = function->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getReqntidAttrName());
  if (!required)
    return std::optional<int64_t>();
  ArrayRef<int32_t> sizes = required;
  if (sizes.empty() ||
      llvm::any_of(sizes.drop_front(), [](int32_t size) { return size != 1; }))
    return function.emitOpError("expected threads along x alone, got ")
           << required;
  return std::optional<int64_t>(sizes.front());
}

/// The threads of a block, the same for all tiles of a function; none if there
/// is nothing to lower.
FailureOr<std::optional<int64_t>> findThreads(func::FuncOp function) {
  FailureOr<std::optional<int64_t>> threads = getRequiredThreads(function);
  if (failed(threads))
    return failure();
  Operation *first = nullptr;
  WalkResult walked = function.walk([&](Operation *op) -> WalkResult {
    if (failed(verifyUses(op)) || failed(verifySpaces(op)))
      return failure();
    if (!first && isa<FragmentDialect>(op->getDialect()))
      first = op;
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<TileType>(type);
      if (!tile)
        continue;
      int64_t own = getThreadCount(tile.getLayout());
      if (threads->value_or(own) != own)
        return op->emitOpError("expected a layout for the ")
               << **threads << " threads of the block, got " << own << " of "
               << tile;
      threads = std::optional<int64_t>(own);
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  if (!first)
    return std::optional<int64_t>();
  if (!*threads)
    return first->emitOpError("expected tiles or '")
           << NVVM::NVVMDialect::getReqntidAttrName()
           << "', to know the threads of the block, got neither";
  return threads;
}

struct LowerFragments : deltanet::impl::LowerFragmentsBase<LowerFragments> {
  using LowerFragmentsBase::LowerFragmentsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return markAllAnalysesPreserved();
    FailureOr<std::optional<int64_t>> threads = findThreads(function);
    if (failed(threads) || failed(verifySwizzledAccesses(function)))
      return signalPassFailure();
    if (!*threads)
      return markAllAnalysesPreserved();

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](TileType tile, SmallVectorImpl<Type> &types) -> LogicalResult {
          types.append(tile.getElementsPerThread(), tile.getElementType());
          return success();
        });
    ThreadPlace place(function, **threads);
    RewritePatternSet patterns(&getContext());
    for (auto populate :
         {populateFragmentLoadPatterns, populateFragmentStorePatterns,
          populateFragmentCopyPatterns, populateFragmentElementPatterns,
          populateFragmentReductionPatterns, populateFragmentProductPatterns})
      populate(converter, patterns, place);
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
