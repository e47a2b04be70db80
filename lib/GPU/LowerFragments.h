//===- LowerFragments.h - From tiles to the registers of a thread ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_LOWERFRAGMENTS_H
#define DELTANET_LIB_GPU_LOWERFRAGMENTS_H

#include "ThreadPlace.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::deltanet {

/// A pattern that makes the code of one thread. A tile is the elements that the
/// thread holds, row by row.
template <typename OpTy>
class ThreadPattern : public OpConversionPattern<OpTy> {
public:
  ThreadPattern(const TypeConverter &converter, MLIRContext *context,
                ThreadPlace &place)
      : OpConversionPattern<OpTy>(converter, context), place(place) {}

protected:
  ThreadPlace &place;
};

/// All that access memory in shared memory agree whether it is swizzled.
LogicalResult verifySwizzledAccesses(func::FuncOp function);

void populateFragmentLoadPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  ThreadPlace &place);
void populateFragmentStorePatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   ThreadPlace &place);
void populateFragmentCopyPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  ThreadPlace &place);
void populateFragmentElementPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns,
                                     ThreadPlace &place);
void populateFragmentReductionPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns,
                                       ThreadPlace &place);
void populateFragmentProductPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns,
                                     ThreadPlace &place);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_LOWERFRAGMENTS_H
