//===- GeneratedFunction.h - Run what the target step makes ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_CPU_GENERATEDFUNCTION_H
#define DELTANET_UNITTESTS_CPU_GENERATEDFUNCTION_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>

/// A function `@f(%in: memref<?xIN>, %out: memref<?xOUT>)` that does `body` to
/// a vector or scalar %x at each position and stores its %y, taken through the
/// target step of one level and compiled to code of that level only.
class GeneratedFunction {
public:
  /// `lanes` 0 stands for scalars; `in` and `out` are element types.
  GeneratedFunction(llvm::StringRef target, llvm::StringRef in,
                    llvm::StringRef out, int lanes, llvm::StringRef body);

  /// Whether this machine can run the level.
  static bool runs(llvm::StringRef target);

  /// Reads and writes `count` elements, a multiple of the lanes, with
  /// subnormals flushed to zero as in kernels.
  void run(const void *in, void *out, int64_t count);

private:
  void build(llvm::StringRef target, llvm::StringRef text);

  mlir::MLIRContext context;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*function)(const void *, const void *, int64_t, int64_t, int64_t,
                   void *, void *, int64_t, int64_t, int64_t) = nullptr;
};

#endif // DELTANET_UNITTESTS_CPU_GENERATEDFUNCTION_H
