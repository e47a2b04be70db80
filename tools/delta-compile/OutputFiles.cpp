//===- OutputFiles.cpp - Where delta-compile writes -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "OutputFiles.h"
#include "SameFile.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace delta_compile;
using namespace mlir;
using namespace mlir::deltanet;

std::string delta_compile::dumpPath(StringRef folder, Stage stage,
                                    Processor processor, StringRef level) {
  const StageInfo &info = getStageInfo(stage, processor);
  return llvm::formatv("{0}/{1,0+2}-{2}.{3}.mlir", folder,
                       &info - getStages(processor).begin(), info.name, level);
}

std::string delta_compile::findClash(const Options &options) {
  SmallVector<NamedFile> files = {{"the input", options.input, true},
                                  {"-o", options.output}};
  if (!options.header.empty())
    files.push_back({"--header", options.header});
  if (!options.remarks.empty())
    files.push_back({"--remarks", options.remarks});
  std::string clash = findOverwritten(files);
  if (options.dumpStages.empty())
    return clash;
  // What the folder will hold is only known with the module; what it can hold
  // is known now. The dumps do not clash among each other.
  auto addDumps = [&](Processor processor, ArrayRef<StringRef> levels) {
    for (const StageInfo &info : getStages(processor))
      for (StringRef level : levels) {
        files.push_back(
            {"--dump-stages",
             dumpPath(options.dumpStages, info.stage, processor, level)});
        if (clash.empty())
          clash = findOverwritten(files);
        files.pop_back();
      }
  };
  SmallVector<StringRef> levels;
  for (unsigned isa = 0; isa <= getMaxEnumValForIsa(); ++isa)
    levels.push_back(stringifyIsa(*symbolizeIsa(isa)));
  addDumps(Processor::CPU, levels);
  addDumps(Processor::GPU, getKnownGpuNames());
  return clash;
}

LogicalResult
delta_compile::writeFile(StringRef path,
                         function_ref<void(raw_ostream &)> write) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return fail(message);
  write(file->os());
  file->os().flush();
  if (file->os().has_error()) {
    message = file->os().error().message();
    file->os().clear_error();
    return fail("cannot write '" + path + "': " + message);
  }
  file->keep();
  return success();
}
