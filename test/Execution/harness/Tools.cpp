//===- Tools.cpp - The project's tools on files of a test -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::deltanet;

std::string execution::writeSource(llvm::StringRef mlir) {
  static std::map<std::string, int> written;
  const testing::TestInfo *test =
      testing::UnitTest::GetInstance()->current_test_info();
  std::string name =
      llvm::formatv("{0}.{1}", test->test_suite_name(), test->name());
  for (char &c : name)
    if (c == '/')
      c = '.';
  std::error_code error = llvm::sys::fs::create_directories(WORK_DIR);
  std::string path =
      llvm::formatv("{0}/{1}.{2}.mlir", WORK_DIR, name, written[name]++);
  if (!error) {
    llvm::raw_fd_ostream os(path, error);
    os << mlir;
  }
  EXPECT_FALSE(error) << path << ": " << error.message();
  return path;
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
