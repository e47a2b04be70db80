//===- RepeatedOptions.cpp - Options given more than once -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RepeatedOptions.h"
#include "llvm/ADT/STLExtras.h"

std::string mlir::deltanet::findRepeated(llvm::cl::OptionCategory &category) {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (option->getNumOccurrences() > 1 &&
        llvm::is_contained(option->Categories, &category))
      return ((name.size() > 1 ? "--" : "-") + name +
              ": expected it once, got " +
              std::to_string(option->getNumOccurrences()) + " of it")
          .str();
  return {};
}
