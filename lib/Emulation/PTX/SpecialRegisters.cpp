//===- SpecialRegisters.cpp - Names of PTX's special registers ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SpecialRegisters.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::deltanet;

bool ptx::isSpecialVector(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"%tid", "%ntid", "%ctaid", "%nctaid"}, true)
      .Cases({"%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"},
             true)
      .Default(false);
}

/// `name` is `prefix` and a number below `count`.
static bool isNumbered(llvm::StringRef name, llvm::StringRef prefix,
                       unsigned count) {
  unsigned number;
  return name.consume_front(prefix) && name.size() < 3 &&
         !name.getAsInteger(10, number) && number < count;
}

bool ptx::isSpecialRegister(llvm::StringRef name) {
  if (isSpecialVector(name) || isNumbered(name, "%pm", 8) ||
      isNumbered(name, "%envreg", 32))
    return true;
  return llvm::StringSwitch<bool>(name)
      .Cases({"%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid"},
             true)
      .Cases({"%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge",
              "%lanemask_gt"},
             true)
      .Cases({"%clock", "%clock_hi", "%clock64", "%globaltimer",
              "%globaltimer_lo", "%globaltimer_hi"},
             true)
      .Cases({"%total_smem_size", "%aggr_smem_size", "%dynamic_smem_size"},
             true)
      .Cases({"%is_explicit_cluster", "%cluster_ctarank", "%cluster_nctarank",
              "%current_graph_exec"},
             true)
      .Default(false);
}
