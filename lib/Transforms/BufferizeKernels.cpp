//===- BufferizeKernels.cpp - Kernels on tensors to kernels on memory -----===//
//
// Part of the Delta-Net project.
//
// One-shot bufferization does the work. This pass says which arguments may be
// written and how they lie in memory, drops the results, and then proves that
// nothing was copied: a kernel that needs a copy is refused where it asked for
// it, instead of being slow.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "deltanet/Transforms/Simplification.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_BUFFERIZEKERNELS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// A declaration has nothing to bufferize.
bool isKernel(func::FuncOp function) {
  return function->hasAttr(DeltaNetDialect::kKernelAttr) &&
         !function.isExternal();
}

/// Memory of a kernel argument: unit stride inside a row; all other strides are
/// the caller's, but for the rows of one state matrix, which are contiguous.
MemRefType argumentType(RankedTensorType tensor) {
  MLIRContext *context = tensor.getContext();
  int64_t rank = tensor.getRank();
  if (rank < 2)
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  SmallVector<int64_t> strides(rank, ShapedType::kDynamic);
  strides[rank - 1] = 1;
  if (rank == 4)
    strides[2] = tensor.getDimSize(3);
  return MemRefType::get(tensor.getShape(), tensor.getElementType(),
                         StridedLayoutAttr::get(context, 0, strides));
}

bool isDestination(func::FuncOp function, unsigned argument) {
  auto role =
      function.getArgAttrOfType<RoleAttr>(argument, DeltaNetDialect::kRoleAttr);
  return role &&
         (role.getValue() == Role::O || role.getValue() == Role::StateOut);
}

/// Tells the analysis which arguments may be written.
void markDestinations(func::FuncOp function) {
  Builder builder(function.getContext());
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (isa<RankedTensorType>(argument.getType()))
      function.setArgAttr(
          number, bufferization::BufferizationDialect::kWritableAttrName,
          builder.getBoolAttr(isDestination(function, number)));
  }
}

bufferization::OneShotBufferizationOptions
bufferizationOptions(bool allowCopies) {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  if (allowCopies)
    options.memCpyFn = [](OpBuilder &builder, Location loc, Value source,
                          Value target) {
      linalg::CopyOp::create(builder, loc, source, target);
      return success();
    };
  options.functionArgTypeConverterFn =
      [](bufferization::TensorLikeType type, Attribute, func::FuncOp,
         const bufferization::BufferizationOptions &) {
        return cast<bufferization::BufferLikeType>(
            argumentType(cast<RankedTensorType>(type)));
      };
  return options;
}

/// Every result must be the destination of the same position, or is copied
/// there if that is allowed; it is dropped.
LogicalResult dropResults(func::FuncOp function, bool allowCopies) {
  SmallVector<BlockArgument> destinations;
  for (BlockArgument argument : function.getArguments())
    if (isDestination(function, argument.getArgNumber()))
      destinations.push_back(argument);
  auto exit = cast<func::ReturnOp>(function.getBody().back().getTerminator());
  if (exit.getNumOperands() != destinations.size())
    return exit.emitOpError("expected one result for each of the ")
           << destinations.size() << " destinations, got "
           << exit.getNumOperands();
  for (auto [index, value] : llvm::enumerate(exit.getOperands())) {
    Value source = value;
    while (auto cast = source.getDefiningOp<memref::CastOp>())
      source = cast.getSource();
    if (source != destinations[index] && allowCopies) {
      OpBuilder builder(exit);
      linalg::CopyOp::create(builder, exit.getLoc(), value,
                             destinations[index]);
    } else if (source != destinations[index]) {
      InFlightDiagnostic error = exit.emitOpError("expected result ")
                                 << index << " to be argument "
                                 << destinations[index].getArgNumber()
                                 << " updated in place, got another buffer";
      if (Operation *origin = source.getDefiningOp())
        error.attachNote(origin->getLoc()) << "the buffer is made here";
      return error;
    }
  }
  exit->setOperands({});
  function.setType(FunctionType::get(
      function.getContext(), function.getFunctionType().getInputs(), {}));
  function.removeResAttrsAttr();
  return success();
}

InFlightDiagnostic refuseCopy(Operation *copy, Value source, Value target) {
  InFlightDiagnostic error =
      copy->emitError("expected every tensor to be updated in place, got a "
                      "copy of ")
      << source.getType() << " to " << target.getType();
  if (Operation *origin = source.getDefiningOp())
    error.attachNote(origin->getLoc()) << "the copied tensor is made here";
  return error;
}

/// What stage `buffers` promises: no copy, no tensor, and inside a parallel
/// loop only allocations whose size is known.
LogicalResult verifyBuffers(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      return refuseCopy(op, copy.getSource(), copy.getTarget());
    if (auto alloc = dyn_cast<memref::AllocOp>(op);
        alloc && !alloc.getType().hasStaticShape() &&
        op->getParentOfType<scf::ForallOp>())
      return op->emitError("expected scratch of a static size in a parallel "
                           "loop, got ")
             << alloc.getType();
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    if (llvm::any_of(op->getOperandTypes(), isTensor) ||
        llvm::any_of(op->getResultTypes(), isTensor))
      return op->emitOpError("expected no tensor after bufferization");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct BufferizeKernels
    : deltanet::impl::BufferizeKernelsBase<BufferizeKernels> {
  using BufferizeKernelsBase::BufferizeKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto kernels =
        llvm::filter_to_vector(module.getOps<func::FuncOp>(), isKernel);
    if (kernels.empty())
      return markAllAnalysesPreserved();
    IRRewriter rewriter(&getContext());
    for (func::FuncOp kernel : kernels) {
      markDestinations(kernel);
      if (failed(bufferization::eliminateEmptyTensors(rewriter, kernel)))
        return signalPassFailure();
    }
    bufferization::BufferizationState state;
    if (failed(bufferization::runOneShotModuleBufferize(
            module, bufferizationOptions(allowCopies), state)))
      return signalPassFailure();
    bufferization::removeBufferizationAttributesInModule(module);
    for (func::FuncOp kernel : kernels) {
      // Subset insertions leave copies of a buffer to itself; they fold once
      // equal views are one.
      simplify(kernel);
      simplify(kernel);
      if (failed(dropResults(kernel, allowCopies)))
        return signalPassFailure();
      if (!allowCopies && failed(verifyBuffers(kernel)))
        return signalPassFailure();
    }
  }
};

} // namespace
