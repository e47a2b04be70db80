//===- StateLayout.cpp - States between KV and VK order -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/StateLayout.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

std::vector<float> verification::transposeStates(llvm::ArrayRef<float> states,
                                                 int64_t rows,
                                                 int64_t columns) {
  std::vector<float> out(states.size());
  int64_t size = rows * columns;
  for (int64_t at = 0; at < int64_t(states.size()); at += size)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        out[at + j * rows + i] = states[at + i * columns + j];
  return out;
}
