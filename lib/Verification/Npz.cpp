//===- Npz.cpp - Named arrays in a zip archive ----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Npz.h"
#include "ZipStored.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<NpzArchive> verification::parseNpz(llvm::StringRef file,
                                                  llvm::StringRef where) {
  llvm::Expected<std::vector<ZipMember>> members = readZip(file, where);
  if (!members)
    return members.takeError();
  NpzArchive archive;
  for (const ZipMember &member : *members) {
    std::string at = (where + ": member '" + member.name + "'").str();
    llvm::StringRef name = member.name;
    if (!name.consume_back(".npy"))
      return llvm::createStringError(at + ": expected a name ending in .npy");
    llvm::Expected<NpyArray> array = parseNpy(member.bytes, at);
    if (!array)
      return array.takeError();
    archive.emplace(name.str(), std::move(*array));
  }
  return archive;
}

llvm::Expected<std::string>
verification::serializeNpz(const NpzArchive &archive) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto &[name, array] : archive)
    files.emplace_back(name + ".npy", serializeNpy(array));
  std::vector<ZipMember> members;
  for (const auto &[name, bytes] : files)
    members.push_back({name, bytes});
  return writeZip(members);
}

llvm::Expected<NpzArchive> verification::readNpz(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  return parseNpz((*buffer)->getBuffer(), path);
}

llvm::Error verification::writeNpz(llvm::StringRef path,
                                   const NpzArchive &archive) {
  llvm::Expected<std::string> bytes = serializeNpz(archive);
  if (!bytes)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(bytes.takeError()));
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << *bytes;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return llvm::createStringError(path + ": " + error.message());
  return llvm::Error::success();
}
