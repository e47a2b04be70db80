//===- ZipStored.h - Zip archives without compression -----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_ZIPSTORED_H
#define DELTANET_LIB_VERIFICATION_ZIPSTORED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::deltanet::verification {

/// One member of an archive; both parts point into memory of the caller.
struct ZipMember {
  llvm::StringRef name;
  llvm::StringRef bytes;
};

/// The members of an archive in the order of its directory, checksums verified.
/// `where` starts every error.
llvm::Expected<std::vector<ZipMember>> readZip(llvm::StringRef file,
                                               llvm::StringRef where);

/// An archive of `members`, dated 1 January 1980.
llvm::Expected<std::string> writeZip(llvm::ArrayRef<ZipMember> members);

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_ZIPSTORED_H
