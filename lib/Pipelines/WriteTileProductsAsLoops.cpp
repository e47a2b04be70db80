//===- WriteTileProductsAsLoops.cpp - Products of tiles as loops ----------===//
//
// Part of the Delta-Net project.
//
// Each step from a read to a product gets memory of its own, which it fills
// where it stands: what is written to the source later on changes no tile.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/TileReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_WRITETILEPRODUCTSASLOOPS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class LoopWriter {
public:
  explicit LoopWriter(func::FuncOp function)
      : function(function), b(function.getLoc(), function.getContext()) {}

  void write(vector::ContractionOp product) {
    Value left = inMemory(product.getLhs());
    Value right = inMemory(product.getRhs());
    at(product);
    Value sums = allocate(product.getAcc().getType());
    store(product.getAcc(), sums);
    SmallVector<utils::IteratorType> loops;
    for (vector::IteratorType kind : product.getIteratorTypesArray())
      loops.push_back(kind == vector::IteratorType::parallel
                          ? utils::IteratorType::parallel
                          : utils::IteratorType::reduction);
    linalg::GenericOp::create(
        b, ValueRange{left, right}, sums, product.getIndexingMapsArray(), loops,
        [](OpBuilder &nested, Location loc, ValueRange x) {
          Value term = arith::MulFOp::create(nested, loc, x[0], x[1]);
          Value sum = arith::AddFOp::create(nested, loc, x[2], term);
          linalg::YieldOp::create(nested, loc, sum);
        });
    product.getResult().replaceAllUsesWith(
        load(sums, cast<VectorType>(product.getResultType())));
    product.erase();
  }

private:
  /// The elements of an operand, or of what it is made of.
  Value inMemory(Value vector) {
    if (Value memory = written.lookup(vector))
      return memory;
    Operation *op = vector.getDefiningOp();
    Value source =
        isa<vector::TransferReadOp>(op) ? Value() : inMemory(op->getOperand(0));
    at(op);
    b.setInsertionPointAfter(op);
    Value memory;
    if (isa<vector::ShapeCastOp>(op)) {
      auto type = cast<MemRefType>(typeInMemory(vector.getType()));
      auto [strides, offset] = type.getStridesAndOffset();
      memory = memref::ReinterpretCastOp::create(b, type, source, offset,
                                                 type.getShape(), strides);
    } else {
      memory = allocate(vector.getType());
      if (auto read = dyn_cast<vector::TransferReadOp>(op))
        copy(read, memory);
      else if (auto transposed = dyn_cast<vector::TransposeOp>(op))
        linalg::TransposeOp::create(b, source, memory,
                                    transposed.getPermutation());
      else
        extend(source, memory);
    }
    written[vector] = memory;
    return memory;
  }

  /// What a read takes, without a vector.
  void copy(vector::TransferReadOp read, Value memory) {
    auto base = cast<MemRefType>(read.getBase().getType());
    ArrayRef<int64_t> shape = read.getVectorType().getShape();
    SmallVector<OpFoldResult> sizes(base.getRank() - shape.size(),
                                    b.getIndexAttr(1));
    for (int64_t size : shape)
      sizes.push_back(b.getIndexAttr(size));
    SmallVector<OpFoldResult> offsets =
        getAsOpFoldResult(SmallVector<Value>(read.getIndices()));
    SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
    MemRefType type = memref::SubViewOp::inferRankReducedResultType(
        shape, base, offsets, sizes, strides);
    Value part = memref::SubViewOp::create(b, type, read.getBase(), offsets,
                                           sizes, strides);
    linalg::CopyOp::create(b, part, memory);
  }

  void extend(Value source, Value memory) {
    int64_t rank = cast<MemRefType>(memory.getType()).getRank();
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    linalg::GenericOp::create(
        b, source, memory, maps, loops,
        [](OpBuilder &nested, Location loc, ValueRange x) {
          Value wide = arith::ExtFOp::create(nested, loc, x[1].getType(), x[0]);
          linalg::YieldOp::create(nested, loc, wide);
        });
  }

  static MemRefType typeInMemory(Type vector) {
    auto type = cast<VectorType>(vector);
    return MemRefType::get(type.getShape(), type.getElementType());
  }

  /// Once a call, however often the place is passed.
  Value allocate(Type vector) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.getBody().front());
    return memref::AllocaOp::create(b, typeInMemory(vector));
  }

  SmallVector<Value> origin(Value memory) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    return SmallVector<Value>(cast<MemRefType>(memory.getType()).getRank(),
                              zero);
  }
  void store(Value vector, Value memory) {
    SmallVector<Value> zeros = origin(memory);
    vector::TransferWriteOp::create(b, vector, memory, zeros,
                                    SmallVector<bool>(zeros.size(), true));
  }
  Value load(Value memory, VectorType type) {
    SmallVector<Value> zeros = origin(memory);
    return vector::TransferReadOp::create(
        b, type, memory, zeros, /*padding=*/std::nullopt,
        SmallVector<bool>(zeros.size(), true));
  }

  void at(Operation *op) {
    b.setInsertionPoint(op);
    b.setLoc(op->getLoc());
  }

  func::FuncOp function;
  ImplicitLocOpBuilder b;
  DenseMap<Value, Value> written;
};

struct WriteTileProductsAsLoops
    : deltanet::impl::WriteTileProductsAsLoopsBase<WriteTileProductsAsLoops> {
  void runOnOperation() override {
    LoopWriter writer(getOperation());
    for (const TileRun &run : findTileRuns(getOperation()))
      for (vector::ContractionOp product : run)
        writer.write(product);
  }
};

} // namespace
