//===- DistributeToThreads.cpp - Shared work of the threads of a block ----===//
//
// Part of the Delta-Net project.
//
// Every thread of a block runs the code of its work items. What is no fragment
// is shared out: an operation of linalg by its parallel elements, neighbours to
// neighbouring threads; a single number is stored by the first thread.
//
//===----------------------------------------------------------------------===//

#include "SharedElements.h"
#include "StageFunctions.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_DISTRIBUTETOTHREADS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// What is to be shared out, found before anything is changed.
struct BlockCode {
  SmallVector<memref::StoreOp> stores;
  SmallVector<SharedElements> shared;
  int64_t threads = 0;
};

class Distributor {
public:
  Distributor(func::FuncOp function, BlockCode &code, IRRewriter &rewriter)
      : function(function), code(code), rewriter(rewriter) {}

  void run() {
    rewriter.setInsertionPointToStart(&function.getBody().front());
    Location loc = function.getLoc();
    thread = arith::IndexCastUIOp::create(
        rewriter, loc, rewriter.getIndexType(),
        NVVM::ThreadIdXOp::create(rewriter, loc, rewriter.getI32Type()));
    for (memref::StoreOp store : code.stores)
      moveToFirstThread(store);
    for (SharedElements &elements : code.shared) {
      // Sums of one number.
      if (elements.parallel.empty())
        moveToFirstThread(elements.op);
      elements.distribute(rewriter, thread, code.threads);
    }
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, thread.getLoc(), value);
  }

  void moveToFirstThread(Operation *op) {
    rewriter.setInsertionPoint(op);
    Value isFirst = arith::CmpIOp::create(
        rewriter, op->getLoc(), arith::CmpIPredicate::eq, thread, index(0));
    auto branch = scf::IfOp::create(rewriter, op->getLoc(), isFirst,
                                    /*withElseRegion=*/false);
    rewriter.moveOpBefore(op, branch.thenBlock()->getTerminator());
  }

  func::FuncOp function;
  BlockCode &code;
  IRRewriter &rewriter;
  Value thread;
};

/// Everything else that all threads may do alike, and fragments of as many.
LogicalResult verifyShared(Operation *op, int64_t threads) {
  if (isa<NVVM::ThreadIdXOp>(op))
    return op->emitOpError("expected code of a block, got that of a thread");
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<fragment::TileType>(type);
        tile && fragment::getThreadCount(tile.getLayout()) != threads)
      return op->emitOpError("expected tiles of ")
             << threads << " threads, got " << tile;
  if (!isa<memref::StoreOp, linalg::LinalgOp>(op) &&
      !isa<fragment::FragmentDialect>(op->getDialect()) &&
      hasEffect<MemoryEffects::Write>(op))
    return op->emitOpError("expected a write of memory that threads can share: "
                           "of linalg, a fragment or a single number");
  return success();
}

FailureOr<BlockCode> analyse(func::FuncOp function) {
  BlockCode code;
  auto threads =
      function->getAttrOfType<IntegerAttr>(DeltaNetDialect::kThreadsAttr);
  if (!threads)
    return function.emitError("expected the threads of a block in '")
           << DeltaNetDialect::kThreadsAttr << "', got none";
  code.threads = threads.getInt();
  WalkResult result = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(verifyShared(op, code.threads)))
      return WalkResult::interrupt();
    if (auto store = dyn_cast<memref::StoreOp>(op))
      code.stores.push_back(store);
    // What its body does is for the thread of an element.
    auto work = dyn_cast<linalg::LinalgOp>(op);
    if (!work)
      return WalkResult::advance();
    FailureOr<SharedElements> elements =
        SharedElements::find(work, code.threads);
    if (failed(elements))
      return WalkResult::interrupt();
    code.shared.push_back(*elements);
    return WalkResult::skip();
  });
  if (result.wasInterrupted())
    return failure();
  return code;
}

struct DistributeToThreads
    : deltanet::impl::DistributeToThreadsBase<DistributeToThreads> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    FailureOr<SmallVector<StageFunction>> stages =
        findStageFunctions(getOperation());
    if (failed(stages))
      return signalPassFailure();
    SmallVector<BlockCode> codes;
    for (StageFunction stage : *stages) {
      FailureOr<BlockCode> code = analyse(stage.function);
      if (failed(code))
        return signalPassFailure();
      codes.push_back(std::move(*code));
    }
    for (auto [stage, code] : llvm::zip(*stages, codes))
      Distributor(stage.function, code, rewriter).run();
  }
};

} // namespace
