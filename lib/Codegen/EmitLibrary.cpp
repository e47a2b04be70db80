//===- EmitLibrary.cpp - Objects to static and shared libraries -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/EmitLibrary.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::deltanet;

LogicalResult mlir::deltanet::emitArchive(llvm::MemoryBufferRef object,
                                          StringRef member,
                                          SmallVectorImpl<char> &out,
                                          EmitErrorFn emitError) {
  llvm::NewArchiveMember file(
      llvm::MemoryBufferRef(object.getBuffer(), member));
  llvm::raw_svector_ostream os(out);
  llvm::Error error = llvm::writeArchiveToStream(
      os, file, llvm::SymtabWritingMode::NormalSymtab,
      llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
  if (error)
    return emitError() << "static library: "
                       << llvm::toString(std::move(error));
  return success();
}

namespace {

/// How a linker is called.
struct Linker {
  std::string program;
  bool driver = false; ///< a compiler: linker flags need -Wl,
};

/// lld serves every architecture; the others are found by their prefix, or
/// without one on a host of the architecture.
FailureOr<Linker> findLinker(Arch arch, EmitErrorFn emitError) {
  StringRef name = stringifyArch(arch);
  bool native =
      llvm::Triple(llvm::sys::getProcessTriple()).getArchName() == name;
  SmallVector<std::pair<std::string, bool>> candidates = {{"ld.lld", false}};
  for (auto [program, driver] :
       {std::pair{"ld", false}, {"gcc", true}, {"cc", true}}) {
    candidates.push_back({(name + "-linux-gnu-" + program).str(), driver});
    if (native)
      candidates.push_back({program, driver});
  }
  for (auto &[program, driver] : candidates)
    if (auto found = llvm::sys::findProgramByName(program))
      return Linker{*found, driver};
  return emitError() << "expected a linker for " << name << " in PATH, one of "
                     << llvm::join(llvm::make_first_range(candidates), ", ")
                     << ", got none";
}

} // namespace

LogicalResult mlir::deltanet::linkSharedLibrary(llvm::MemoryBufferRef object,
                                                Arch arch, StringRef path,
                                                EmitErrorFn emitError) {
  FailureOr<Linker> linker = findLinker(arch, emitError);
  if (failed(linker))
    return failure();

  SmallString<128> input, log;
  if (llvm::sys::fs::createTemporaryFile("deltanet", "o", input) ||
      llvm::sys::fs::createTemporaryFile("deltanet", "log", log))
    return emitError() << "expected to write temporary files";
  llvm::scope_exit cleanup([&] {
    llvm::sys::fs::remove(input);
    llvm::sys::fs::remove(log);
  });
  {
    std::error_code error;
    llvm::raw_fd_ostream(input, error) << object.getBuffer();
    if (error)
      return emitError() << "expected to write '" << input << "', got "
                         << error.message();
  }

  // Bound to itself, without anything that differs from run to run.
  std::string soname = llvm::sys::path::filename(path).str();
  SmallVector<StringRef> arguments = {linker->program, "-shared"};
  SmallVector<std::string> driverFlags;
  SmallVector<StringRef> flags = {
      "-soname", soname,  "-z", "noexecstack", "-z",         "defs",
      "-z",      "relro", "-z", "now",         "-Bsymbolic", "--build-id=none"};
  if (linker->driver) {
    driverFlags.push_back("-nostdlib");
    for (StringRef flag : flags)
      driverFlags.push_back(("-Wl," + flag).str());
    arguments.append(driverFlags.begin(), driverFlags.end());
  } else {
    arguments.append(flags);
  }
  arguments.append({"-o", path, input});

  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      linker->program, arguments, std::nullopt, redirects, 0, 0, &message);
  if (status == 0)
    return success();
  if (auto said = llvm::MemoryBuffer::getFile(log))
    message += (*said)->getBuffer().trim();
  return emitError() << "expected " << linker->program
                     << " to link the shared library, got status " << status
                     << ": " << message;
}
