//===- EmitLibrary.cpp - Objects to static and shared libraries -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/EmitLibrary.h"
#include "ExternalProgram.h"
#include "llvm/Object/ArchiveWriter.h"
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

  TemporaryFile input;
  if (failed(input.create("o", object.getBuffer(), emitError)))
    return failure();

  // Bound to itself, without anything that differs from run to run.
  std::string soname = llvm::sys::path::filename(path).str();
  SmallVector<StringRef> arguments = {"-shared"};
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
  arguments.append({"-o", path, input.path()});

  std::string printed;
  return runProgram(linker->program, arguments, "to link the shared library",
                    printed, emitError);
}
