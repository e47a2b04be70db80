//===- LowerFragmentCopies.cpp - A thread's part of copies and barriers ---===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
#include "SharedPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

/// Pieces of 16 bytes, dealt out to the threads of the block.
class CopyOfThread {
public:
  CopyOfThread(CopyAsyncOp op, ThreadPlace &place, OpBuilder &builder)
      : b(op.getLoc(), builder), op(op), place(place),
        source(cast<MemRefType>(op.getSource().getType())),
        dest(cast<MemRefType>(op.getDest().getType())),
        elementBytes(dest.getElementType().getIntOrFloatBitWidth() / 8),
        pieceElements(kMaxAccessBytes / elementBytes),
        rowPieces(dest.getShape().back() / pieceElements),
        pieces(dest.getNumElements() / pieceElements) {}

  void emit() {
    int64_t threads = place.getThreads();
    for (int64_t first = 0; first < pieces; first += threads) {
      OpBuilder::InsertionGuard guard(b);
      if (first + threads > pieces)
        b.setInsertionPoint(
            makeIf(isBelow(place.getIndex(place.getThread()), pieces - first)));
      copy(locate(first));
    }
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value isBelow(Value index, int64_t end) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                 constant(end));
  }
  Operation *makeIf(Value condition) {
    return scf::IfOp::create(b, condition, /*withElseRegion=*/false)
        .thenYield();
  }

  /// Where the thread's piece begins: as many rows below a row and column.
  struct Piece {
    Value row, column;
    int64_t below = 0;
  };

  Value add(Value value, int64_t by) {
    return b.createOrFold<arith::AddIOp>(value, constant(by));
  }

  /// The thread's piece among those from `first` on.
  Piece locate(int64_t first) {
    int64_t threads = place.getThreads();
    Value number = place.getIndex(place.getThread());
    Piece piece;
    if (rowPieces % threads == 0) {
      // All threads are in one row.
      piece.row = constant(0);
      piece.column = add(number, first % rowPieces);
      piece.below = first / rowPieces;
    } else if (threads % rowPieces == 0) {
      piece.row =
          place.getIndex(place.getDigit(rowPieces, threads / rowPieces));
      piece.column = place.getIndex(place.getDigit(1, rowPieces));
      piece.below = first / rowPieces;
    } else {
      number = add(number, first);
      piece.row = b.createOrFold<arith::DivUIOp>(number, constant(rowPieces));
      piece.column =
          b.createOrFold<arith::RemUIOp>(number, constant(rowPieces));
    }
    // Swizzled memory repeats itself after so many rows.
    int64_t rest = piece.below % kMaxSwizzleWidth;
    piece.row = add(piece.row, rest);
    piece.below -= rest;
    piece.column =
        b.createOrFold<arith::MulIOp>(piece.column, constant(pieceElements));
    return piece;
  }

  SmallVector<Value> indices(Value row, Value column) {
    return dest.getRank() == 1 ? SmallVector<Value>{column}
                               : SmallVector<Value>{row, column};
  }

  /// Whether the source has an element, where that is not certain.
  Value isInSource(Value row, Value column) {
    if (!source.isDynamicDim(0))
      return {};
    Value size = memref::DimOp::create(b, op.getSource(), 0);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                 dest.getRank() == 1 ? column : row, size);
  }

  void copy(const Piece &piece) {
    // The least that `cp.async` copies is 4 bytes.
    int64_t alignment = op.getKnownAlignment();
    if (alignment < 4 || !source.isLastDimUnitStride())
      return copyByElements(piece);
    for (int64_t byte = 0; byte < kMaxAccessBytes; byte += alignment)
      copyBytes(alignment, piece, byte / elementBytes);
  }

  Value getAddressOf(Value memory, bool isSwizzled, const Piece &piece,
                     int64_t element) {
    if (dest.getRank() == 1)
      return getAddress(b, b.getLoc(), memory, add(piece.column, element));
    return getAddressAtOffset(b, b.getLoc(), memory, isSwizzled,
                              {piece.row, piece.column},
                              {piece.below, element});
  }

  void copyBytes(int64_t bytes, const Piece &piece, int64_t element) {
    Value source = getAddressOf(op.getSource(), /*isSwizzled=*/false, piece,
                                element),
          dest = getAddressOf(op.getDest(), op.getSwizzled(), piece, element);
    // What is not copied of so many bytes becomes zero.
    Value size;
    if (Value isThere =
            isInSource(add(piece.row, piece.below), add(piece.column, element)))
      size = arith::SelectOp::create(b, isThere,
                                     arith::ConstantIntOp::create(b, bytes, 32),
                                     arith::ConstantIntOp::create(b, 0, 32));
    // Only copies of 16 bytes pass by the first cache.
    auto cache = bytes == kMaxAccessBytes ? NVVM::LoadCacheModifierKind::CG
                                          : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(
        b, dest, source, b.getI32IntegerAttr(bytes),
        NVVM::LoadCacheModifierKindAttr::get(b.getContext(), cache), size);
  }

  void copyByElements(const Piece &piece) {
    Value row = add(piece.row, piece.below), to = piece.column;
    if (op.getSwizzled())
      to = swizzleColumn(b, b.getLoc(), op.getDest(), row, to);
    SmallVector<Value> elements;
    for (int64_t index : llvm::seq(pieceElements))
      elements.push_back(loadElement(row, add(piece.column, index)));
    Value vector = vector::FromElementsOp::create(
        b, VectorType::get(pieceElements, dest.getElementType()), elements);
    vector::StoreOp::create(b, vector, op.getDest(), indices(row, to),
                            /*nontemporal=*/false,
                            llvm::Align(kMaxAccessBytes));
  }

  Value loadElement(Value row, Value column) {
    auto load = [&](OpBuilder &builder) -> Value {
      return memref::LoadOp::create(builder, b.getLoc(), op.getSource(),
                                    indices(row, column));
    };
    Value isThere = isInSource(row, column);
    if (!isThere)
      return load(b);
    return scf::IfOp::create(
               b, isThere,
               [&](OpBuilder &nested, Location loc) {
                 scf::YieldOp::create(nested, loc, load(nested));
               },
               [&](OpBuilder &nested, Location loc) {
                 Value zero = arith::ConstantOp::create(
                     nested, loc, nested.getZeroAttr(dest.getElementType()));
                 scf::YieldOp::create(nested, loc, zero);
               })
        .getResult(0);
  }

  ImplicitLocOpBuilder b;
  CopyAsyncOp op;
  ThreadPlace &place;
  MemRefType source, dest;
  int64_t elementBytes, pieceElements, rowPieces, pieces;
};

struct LowerCopyAsync : ThreadPattern<CopyAsyncOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(CopyAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CopyOfThread(op, place, rewriter).emit();
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerCommit : ThreadPattern<CommitOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(CommitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct LowerWait : ThreadPattern<WaitOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(WaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(
        op, rewriter.getI32IntegerAttr(op.getGroups()));
    return success();
  }
};

struct LowerBarrier : ThreadPattern<BarrierOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::BarrierOp>(op);
    return success();
  }
};

} // namespace

void mlir::deltanet::populateFragmentCopyPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    ThreadPlace &place) {
  patterns.add<LowerCopyAsync, LowerCommit, LowerWait, LowerBarrier>(
      converter, patterns.getContext(), place);
}
