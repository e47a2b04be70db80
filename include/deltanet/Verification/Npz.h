//===- Npz.h - Named arrays in a zip archive --------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// .npz files: a zip archive of .npy members. Members are stored, never
// compressed; reading refuses any other method, encryption, zip64 sizes and
// archives over several disks with an error that names what it found.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_NPZ_H
#define DELTANET_VERIFICATION_NPZ_H

#include "deltanet/Verification/Npy.h"
#include <map>

namespace mlir::deltanet::verification {

/// Arrays by member name without ".npy"; ordered, so that what is written does
/// not depend on insertion order.
using NpzArchive = std::map<std::string, NpyArray>;

/// Parses archive bytes; `where` starts every error.
llvm::Expected<NpzArchive> parseNpz(llvm::StringRef file,
                                    llvm::StringRef where);

/// The archive's bytes; the same arrays give the same bytes. Fails for 4 GiB
/// and more.
llvm::Expected<std::string> serializeNpz(const NpzArchive &archive);

/// The same from and to a file.
llvm::Expected<NpzArchive> readNpz(llvm::StringRef path);
llvm::Error writeNpz(llvm::StringRef path, const NpzArchive &archive);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_NPZ_H
