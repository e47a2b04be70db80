//===- ExternalProgram.cpp - Linkers and assemblers of the system ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ExternalProgram.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::deltanet;

TemporaryFile::~TemporaryFile() {
  if (!name.empty())
    llvm::sys::fs::remove(name);
}

LogicalResult TemporaryFile::create(StringRef suffix, StringRef contents,
                                    EmitErrorFn emitError) {
  int descriptor;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "deltanet", suffix, descriptor, name))
    return emitError() << "expected to write a temporary file, got "
                       << code.message();
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << contents;
  os.close();
  std::error_code code = os.error();
  os.clear_error();
  if (code)
    return emitError() << "expected to write '" << name << "', got "
                       << code.message();
  return success();
}

LogicalResult TemporaryFile::read(SmallVectorImpl<char> &out,
                                  EmitErrorFn emitError) const {
  auto buffer = llvm::MemoryBuffer::getFile(name);
  if (!buffer)
    return emitError() << "expected to read '" << name << "', got "
                       << buffer.getError().message();
  llvm::append_range(out, (*buffer)->getBuffer());
  return success();
}

LogicalResult mlir::deltanet::runProgram(StringRef program,
                                         ArrayRef<StringRef> arguments,
                                         StringRef purpose,
                                         std::string &printed,
                                         EmitErrorFn emitError) {
  TemporaryFile log;
  if (failed(log.create("log", "", emitError)))
    return failure();
  SmallVector<StringRef> line = {program};
  llvm::append_range(line, arguments);
  std::optional<StringRef> redirects[] = {StringRef(""), log.path(),
                                          log.path()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(program, line, std::nullopt, redirects,
                                         0, 0, &message);
  SmallVector<char> said;
  if (failed(log.read(said, emitError)))
    return failure();
  printed.assign(said.begin(), said.end());
  if (status == 0)
    return success();
  return emitError() << "expected " << program << " " << purpose
                     << ", got status " << status << ": " << message
                     << StringRef(printed).trim();
}
