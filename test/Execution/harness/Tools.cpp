//===- Tools.cpp - The project's tools on files of a test -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;

/// The path of a file of the tests' folder, without an extension.
static std::string workPath(llvm::StringRef text) {
  std::error_code error = llvm::sys::fs::create_directories(WORK_DIR);
  EXPECT_FALSE(error) << WORK_DIR << ": " << error.message();
  return llvm::formatv("{0}/{1:x-16}", WORK_DIR, llvm::xxh3_64bits(text));
}

std::string execution::writeSource(llvm::StringRef mlir) {
  std::string path = workPath(mlir) + ".mlir";
  // Other tests write the same text under the same name.
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << mlir;
    return llvm::Error::success();
  });
  EXPECT_FALSE(bool(error)) << path << ": " << llvm::toString(std::move(error));
  return path;
}

std::optional<std::string> execution::compileLibrary(llvm::StringRef mlir,
                                                     llvm::StringRef levels) {
  std::string source = writeSource(mlir);
  llvm::sys::fs::file_status compiler;
  EXPECT_FALSE(llvm::sys::fs::status(DELTA_COMPILE, compiler)) << DELTA_COMPILE;
  std::string build = llvm::formatv(
      "{0}.{1}", compiler.getSize(),
      compiler.getLastModificationTime().time_since_epoch().count());
  std::string library = workPath((mlir + levels + build).str()) + ".so";
  if (llvm::sys::fs::exists(library))
    return library;
  // Whoever comes last puts the same bytes in place.
  std::string own =
      llvm::formatv("{0}.{1}.so", library, llvm::sys::Process::getProcessId());
  std::vector<std::string> arguments = {source, "-o", own};
  // Simulated GPUs execute PTX; machine code would take time alone.
  if (levels.starts_with("sm_"))
    arguments.insert(arguments.end(), {"--target=nvptx", "--cuda=none",
                                       ("--sm=" + levels.drop_front(3)).str()});
  else if (!levels.empty())
    arguments.push_back(("--isa=" + levels).str());
  if (!expectSuccess(DELTA_COMPILE, arguments))
    return std::nullopt;
  std::error_code error = llvm::sys::fs::rename(own, library);
  EXPECT_FALSE(error) << library << ": " << error.message();
  return library;
}

execution::ProgramResult
execution::runProgram(llvm::StringRef program,
                      llvm::ArrayRef<std::string> arguments) {
  ProgramResult result;
  result.command = program.str() + " " + llvm::join(arguments, " ");
  llvm::SmallString<128> log;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("deltanet", "log", log)) {
    result.output = error.message();
    return result;
  }
  std::vector<llvm::StringRef> line = {program};
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::string message;
  result.status = llvm::sys::ExecuteAndWait(
      program, line, /*Env=*/std::nullopt,
      /*Redirects=*/
      {llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (auto text = llvm::MemoryBuffer::getFile(log))
    result.output = (*text)->getBuffer().str();
  result.output += message;
  llvm::sys::fs::remove(log);
  // An error in a large kernel may print all of its IR.
  constexpr size_t longest = 4000;
  if (result.output.size() > longest)
    result.output = result.output.substr(0, longest) + "\n[...]\n";
  return result;
}

bool execution::expectSuccess(llvm::StringRef program,
                              llvm::ArrayRef<std::string> arguments) {
  ProgramResult result = runProgram(program, arguments);
  EXPECT_EQ(result.status, 0) << "to repeat:\n  " << result.command << "\n"
                              << result.output;
  return result.status == 0;
}

std::string execution::compileError(llvm::StringRef mlir) {
  std::string source = writeSource(mlir);
  ProgramResult result =
      runProgram(DELTA_COMPILE, {source, "-o", source + ".so"});
  EXPECT_EQ(result.status, 1) << "to repeat:\n  " << result.command << "\n"
                              << result.output;
  return result.output;
}
