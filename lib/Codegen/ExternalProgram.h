//===- ExternalProgram.h - Linkers and assemblers of the system -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CODEGEN_EXTERNALPROGRAM_H
#define DELTANET_LIB_CODEGEN_EXTERNALPROGRAM_H

#include "deltanet/Target/Target.h"

namespace mlir::deltanet {

/// A file that is gone with this object.
class TemporaryFile {
public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile &) = delete;
  ~TemporaryFile();

  /// Makes the file, with a name that ends in `suffix`, and writes `contents`.
  LogicalResult create(StringRef suffix, StringRef contents,
                       EmitErrorFn emitError);
  StringRef path() const { return name; }
  /// Appends what is in the file now.
  LogicalResult read(SmallVectorImpl<char> &out, EmitErrorFn emitError) const;

private:
  SmallString<128> name;
};

/// Runs a program by its path to its end and collects what it prints. Error:
/// `purpose` ("to link the shared library"), its status and what it said.
LogicalResult runProgram(StringRef program, ArrayRef<StringRef> arguments,
                         StringRef purpose, std::string &printed,
                         EmitErrorFn emitError);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_CODEGEN_EXTERNALPROGRAM_H
