//===- ConvertToAmx.cpp - Products of tiles on AMX ------------------------===//
//
// Part of the Delta-Net project.
//
// A product of tiles is a contraction [16,16,2] × [16,16,2] of bf16 into
// [16,16] of f32 (MatrixTiles.h makes them). Its operands become tiles that are
// loaded straight from memory; its sums become tiles, also where loops carry
// them, that are zeroed, loaded and stored. Everything that touches the sums is
// found first, and what tiles cannot do is refused, or stays vectors with all
// that belongs to it, before anything is rewritten; operands are read again
// where registers would not suffice (TileRegisters.h).
//
//===----------------------------------------------------------------------===//

#include "TileRegisters.h"
#include "deltanet/Target/Target.h"
#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/TileReads.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_CONVERTTOAMX
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

namespace {

/// [16,16] or [16,1,16] of f32.
bool isSums(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getElementType().isF32() &&
         (vector.getShape() == ArrayRef<int64_t>{kTileSide, kTileSide} ||
          vector.getShape() == ArrayRef<int64_t>{kTileSide, 1, kTileSide});
}

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()); }

/// The values that become tiles of sums. Zeros stay out: each use gets its own.
class TileWeb {
public:
  LogicalResult add(Value value) {
    if (!isSums(value.getType()))
      return refuse(value);
    if (!isZero(value))
      values.insert(value);
    return success();
  }

  /// Adds what the values come from and go to, until there is nothing new.
  LogicalResult grow() {
    for (; next < values.size(); ++next) {
      Value value = values[next];
      if (failed(visitOrigin(value)))
        return failure();
      for (OpOperand &use : value.getUses())
        if (failed(visitUse(use)))
          return failure();
    }
    return success();
  }

  /// Adds another web.
  void merge(const TileWeb &other) {
    values.insert_range(other.values);
    next = values.size();
  }

  /// Whether tiles can be all of the values: other products and some of memory
  /// ask for vectors.
  bool isOfTiles() const { return ofTiles; }

  bool contains(Value value) const { return values.contains(value); }
  ArrayRef<Value> getValues() const { return values.getArrayRef(); }

private:
  static LogicalResult refuse(Value value) {
    return mlir::emitError(value.getLoc())
           << "expected sums of tiles to be zero, read, carried by loops, "
              "added to or written, got another use of "
           << value.getType();
  }

  LogicalResult visitOrigin(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      return loop ? carry(loop, loop.getTiedLoopResult(argument))
                  : refuse(value);
    }
    Operation *op = value.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return carry(loop, cast<OpResult>(value));
    if (auto cast = dyn_cast<vector::ShapeCastOp>(op))
      return add(cast.getSource());
    if (auto product = dyn_cast<vector::ContractionOp>(op))
      return isTileProduct(product) ? add(product.getAcc()) : keepVectors();
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      return isTileAccess(read) ? success() : keepVectors();
    return refuse(value);
  }

  LogicalResult visitUse(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return carry(loop, loop.getTiedLoopResult(&use));
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
        loop && isa<scf::YieldOp>(op))
      return carry(loop, loop->getResult(use.getOperandNumber()));
    if (auto cast = dyn_cast<vector::ShapeCastOp>(op))
      return add(cast.getResult());
    if (auto product = dyn_cast<vector::ContractionOp>(op))
      return isTileProduct(product) ? add(product.getResult()) : keepVectors();
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      return isTileAccess(write) ? success() : keepVectors();
    return refuse(use.get());
  }

  LogicalResult keepVectors() {
    ofTiles = false;
    return success();
  }

  /// All places of one value that a loop carries.
  LogicalResult carry(scf::ForOp loop, OpResult result) {
    BlockArgument argument = loop.getTiedLoopRegionIterArg(result);
    for (Value value :
         {Value(result), Value(argument), loop.getTiedLoopInit(argument)->get(),
          loop.getTiedLoopYieldedValue(argument)->get()})
      if (failed(add(value)))
        return failure();
    return success();
  }

  llvm::SetVector<Value> values;
  unsigned next = 0;
  bool ofTiles = true;
};

/// What LLVM makes of tiles beyond these limits is right but slow: it keeps
/// them in memory, or configures them again after each call.
LogicalResult checkLimits(vector::ContractionOp product,
                          const TileLiveness &liveness) {
  if (!product->hasOneUse())
    return product.emitOpError("expected one use of sums of tiles, which a "
                               "second one would copy through memory, got ")
           << llvm::range_size(product->getUses());
  unsigned live = liveness.count(product);
  if (live > kTileRegisters)
    return product.emitOpError("expected at most ")
           << kTileRegisters << " tiles to be live beside a product, got "
           << live;
  auto function = product->getParentOfType<func::FuncOp>();
  WalkResult call = function.walk([](CallOpInterface op) {
    op->emitOpError("expected no call beside tiles, which are configured again "
                    "after each");
    return WalkResult::interrupt();
  });
  return failure(call.wasInterrupted());
}

class Conversion {
public:
  explicit Conversion(MLIRContext *context)
      : b(UnknownLoc::get(context), context),
        sums(amx::TileType::get({kTileSide, kTileSide}, b.getF32Type())),
        operand(amx::TileType::get({kTileSide, kTileSums}, b.getBF16Type())) {}

  /// Types first: then every operation can be replaced by itself.
  void run(const TileWeb &web, ArrayRef<vector::ContractionOp> products) {
    llvm::SetVector<Operation *> users;
    for (Value value : web.getValues()) {
      for (Operation *user : value.getUsers())
        users.insert(user);
      if (Operation *op = value.getDefiningOp(); op && !isa<scf::ForOp>(op))
        users.insert(op);
      else
        value.setType(sums);
    }
    for (vector::ContractionOp product : products)
      users.insert(product);
    for (Value value : web.getValues())
      if (auto loop = value.getDefiningOp<scf::ForOp>()) {
        users.insert(loop);
        users.insert(loop.getBody()->getTerminator());
      }
    for (Operation *op : users)
      replaceZeros(op, web);
    for (Operation *op : users)
      convert(op);
    for (Operation *op : dead)
      op->dropAllUses();
    for (Operation *op : dead)
      op->erase();
  }

private:
  /// Each use of a zero as sums becomes a tile of its own.
  void replaceZeros(Operation *op, const TileWeb &web) {
    for (OpOperand &use : op->getOpOperands())
      if (isSums(use.get().getType()) && isZero(use.get()) &&
          isUseOfTile(use, web)) {
        at(op);
        use.set(amx::TileZeroOp::create(b, sums));
      }
  }

  /// A loop may carry vectors as well.
  static bool isUseOfTile(OpOperand &use, const TileWeb &web) {
    Operation *op = use.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return web.contains(loop.getTiedLoopResult(&use));
    if (isa<scf::YieldOp>(op))
      return web.contains(op->getParentOp()->getResult(use.getOperandNumber()));
    return true;
  }

  void convert(Operation *op) {
    at(op);
    if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      replace(op, load(read, sums));
    } else if (auto cast = dyn_cast<vector::ShapeCastOp>(op)) {
      // What is a tile by now has no accessor of its own.
      replace(op, cast->getOperand(0));
    } else if (auto product = dyn_cast<vector::ContractionOp>(op)) {
      Value left = loadOperand(product.getLhs());
      Value right = loadOperand(product.getRhs());
      at(op);
      replace(op,
              amx::TileMulFOp::create(b, sums, left, right, product.getAcc()));
    } else if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
      amx::TileStoreOp::create(b, write.getBase(), write.getIndices(),
                               write->getOperand(0), rowStride(write));
      dead.push_back(op);
    }
  }

  Value loadOperand(Value vector) {
    vector::TransferReadOp read = getTileRead(vector);
    Value &tile = operands[read];
    if (!tile) {
      at(read);
      tile = load(read, operand);
    }
    return tile;
  }

  Value load(vector::TransferReadOp read, amx::TileType type) {
    return amx::TileLoadOp::create(b, type, read.getBase(), read.getIndices(),
                                   rowStride(read));
  }

  /// Elements from a row of the tile to the next.
  Value rowStride(VectorTransferOpInterface transfer) {
    auto memory = cast<MemRefType>(transfer.getBase().getType());
    auto [strides, offset] = memory.getStridesAndOffset();
    // Not the rank of the vector, which may be a tile already.
    unsigned rank = transfer.getPermutationMap().getNumResults();
    return arith::ConstantIndexOp::create(b, strides[memory.getRank() - rank]);
  }

  void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    dead.push_back(op);
  }
  void at(Operation *op) {
    b.setInsertionPoint(op);
    b.setLoc(op->getLoc());
  }

  ImplicitLocOpBuilder b;
  amx::TileType sums, operand;
  DenseMap<Operation *, Value> operands;
  SmallVector<Operation *> dead;
};

struct ConvertToAmx : deltanet::impl::ConvertToAmxBase<ConvertToAmx> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<TargetAttr> target = getTarget(module);
    if (failed(target))
      return signalPassFailure();
    if (target->getMatrix() != MatrixUnit::Amx)
      return markAllAnalysesPreserved();
    TileWeb web;
    SmallVector<vector::ContractionOp> products;
    SmallVector<TileRun> runs;
    for (const TileRun &run : findTileRuns(module)) {
      TileRun &converted = runs.emplace_back();
      for (vector::ContractionOp product : run) {
        if (failed(addTo(web, product)))
          return signalPassFailure();
        if (web.contains(product.getResult()))
          converted.push_back(product);
      }
      products.append(converted);
    }
    TileLiveness liveness(products, web.getValues());
    for (const TileRun &run : runs)
      repeatReads(run, liveness);
    for (vector::ContractionOp product : products)
      if (failed(checkLimits(product, liveness)))
        return signalPassFailure();
    Conversion(&getContext()).run(web, products);
  }

private:
  /// What belongs to one product, unless it has to stay vectors.
  static LogicalResult addTo(TileWeb &web, vector::ContractionOp product) {
    if (web.contains(product.getResult()))
      return success();
    TileWeb part;
    if (failed(part.add(product.getResult())) || failed(part.grow()))
      return failure();
    if (!part.isOfTiles())
      return success();
    if (!product->getParentOfType<func::FuncOp>())
      return product.emitOpError("expected products of tiles in a func.func, "
                                 "got one outside of any");
    web.merge(part);
    return success();
  }
};

} // namespace
