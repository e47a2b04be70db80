//===- DistributeToThreads.cpp - Shared work of the threads of a block ----===//
//
// Part of the Delta-Net project.
//
// Every thread of a block runs the code of its work items. What is no fragment
// is shared out: an operation of linalg by its parallel elements, neighbours to
// neighbouring threads; a single number is stored by the first thread.
//
//===----------------------------------------------------------------------===//

#include "StageFunctions.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

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
  SmallVector<linalg::LinalgOp> shared;
  int64_t threads = 0;
};

class Distributor {
public:
  Distributor(func::FuncOp function, const BlockCode &code,
              IRRewriter &rewriter)
      : function(function), code(code), rewriter(rewriter) {}

  LogicalResult run() {
    rewriter.setInsertionPointToStart(&function.getBody().front());
    Location loc = function.getLoc();
    thread = arith::IndexCastUIOp::create(
        rewriter, loc, rewriter.getIndexType(),
        NVVM::ThreadIdXOp::create(rewriter, loc, rewriter.getI32Type()));
    for (memref::StoreOp store : code.stores)
      moveToFirstThread(store);
    for (linalg::LinalgOp op : code.shared)
      if (failed(share(op)))
        return failure();
    return success();
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

  LogicalResult share(linalg::LinalgOp op) {
    rewriter.setInsertionPoint(op);
    if (op.getNumParallelLoops() == 0)
      return computeOnce(op);
    FailureOr<linalg::GenericOp> generic = withParallelLoopsFirst(op);
    if (failed(generic))
      return op->emitOpError("expected an operation that can be written as "
                             "loops");
    FailureOr<linalg::LinalgLoops> loops =
        linalg::linalgOpToParallelLoops(rewriter, *generic);
    auto parallel = succeeded(loops) && !loops->empty()
                        ? dyn_cast<scf::ParallelOp>(loops->front())
                        : scf::ParallelOp();
    if (!parallel)
      return (*generic)->emitOpError("expected parallel elements to share");
    rewriter.eraseOp(*generic);
    shareLoop(parallel);
    return success();
  }

  /// Sums of one number.
  LogicalResult computeOnce(linalg::LinalgOp op) {
    moveToFirstThread(op);
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op->emitOpError("expected an operation that can be written as "
                             "loops");
    rewriter.eraseOp(op);
    return success();
  }

  FailureOr<linalg::GenericOp> withParallelLoopsFirst(linalg::LinalgOp op) {
    FailureOr<linalg::GenericOp> generic = failure();
    if (auto already = dyn_cast<linalg::GenericOp>(*op))
      generic = already;
    else
      generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return failure();
    SmallVector<unsigned> order, reductions;
    for (auto [number, iterator] :
         llvm::enumerate(generic->getIteratorTypesArray()))
      (iterator == utils::IteratorType::parallel ? order : reductions)
          .push_back(number);
    order.append(reductions);
    if (llvm::is_sorted(order))
      return generic;
    return linalg::interchangeGenericOp(rewriter, *generic, order);
  }

  /// Element i, counted with the last dimension fastest, to thread i mod
  /// threads.
  void shareLoop(scf::ParallelOp parallel) {
    Location loc = parallel.getLoc();
    rewriter.setInsertionPoint(parallel);
    Value count = index(1);
    for (Value size : parallel.getUpperBound())
      count = rewriter.createOrFold<arith::MulIOp>(loc, count, size);
    auto loop =
        scf::ForOp::create(rewriter, loc, thread, count, index(code.threads));
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> places;
    Value rest = loop.getInductionVar();
    for (Value size :
         llvm::reverse(llvm::drop_begin(parallel.getUpperBound()))) {
      places.push_back(arith::RemUIOp::create(rewriter, loc, rest, size));
      rest = arith::DivUIOp::create(rewriter, loc, rest, size);
    }
    places.push_back(rest);
    std::reverse(places.begin(), places.end());
    rewriter.eraseOp(parallel.getBody()->getTerminator());
    rewriter.inlineBlockBefore(parallel.getBody(),
                               loop.getBody()->getTerminator(), places);
    rewriter.eraseOp(parallel);
  }

  func::FuncOp function;
  const BlockCode &code;
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
  if (auto work = dyn_cast<linalg::LinalgOp>(op)) {
    if (!work.hasPureBufferSemantics())
      return op->emitOpError("expected memory to share, got tensors");
    return success();
  }
  if (!isa<memref::StoreOp>(op) &&
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
    code.shared.push_back(work);
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
      if (failed(Distributor(stage.function, code, rewriter).run()))
        return signalPassFailure();
  }
};

} // namespace
