//===- OptionChecks.cpp - Command lines that mean nothing -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "RepeatedOptions.h"
#include "SameFile.h"
#include "deltanet/Emulation/X86/Machine.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

void CommandLine::refuse(llvm::ArrayRef<cl::Option *> options,
                         llvm::StringRef expected, llvm::StringRef got) {
  for (cl::Option *option : options)
    if (option->getNumOccurrences())
      usageError("--" + option->ArgStr + ": expected " + expected + ", got " +
                 got);
}

/// Refuses what no command line can mean.
void CommandLine::checkValues() {
  if (std::string fault = findRepeated(category); !fault.empty())
    usageError(fault);
  if (file.empty())
    usageError("expected a file, got ''");
  for (cl::opt<std::string> *option :
       {&kernel, &device, &estimate, &target, &sm, &schedule, &inputs, &shape,
        &counts, &output})
    if (option->getNumOccurrences() && option->empty())
      usageError("--" + option->ArgStr + ": expected " + option->ValueStr +
                 ", got ''");
  if (!target.empty())
    checkTargetName(target);
  if (!sm.empty())
    checkGpuName(sm);
  if (!schedule.empty())
    checkSchedules(schedule);
  if (tokensPerCall.getNumOccurrences() && tokensPerCall == 0)
    usageError("--tokens-per-call: expected at least 1, got 0");
  if (repeat == 0 || repeat > 1000000)
    usageError("--repeat: expected 1 to 1000000, got " + llvm::Twine(repeat));
  if (threads == 0 || threads > 1024)
    usageError("--threads: expected 1 to 1024, got " + llvm::Twine(threads));
  if (misalign > 4096)
    usageError("--misalign: expected at most 4096, got " +
               llvm::Twine(misalign));
}

/// Refuses options that another one makes meaningless.
void CommandLine::checkCombinations() {
  bool staged = stage.getNumOccurrences();
  if (list)
    refuse({&kernel, &isa,           &stage,    &target,  &schedule, &inputs,
            &shape,  &lengths,       &gates,    &betas,   &keys,     &zeroState,
            &seed,   &strides,       &misalign, &inPlace, &threads,  &repeat,
            &steps,  &tokensPerCall, &noVerify, &limits,  &output,   &emulate,
            &counts, &device,        &estimate, &sm},
           "a kernel to run", "--list");
  if (estimate.getNumOccurrences())
    refuse({&isa,       &stage,  &inputs,        &gates,    &betas,   &keys,
            &zeroState, &seed,   &strides,       &misalign, &inPlace, &threads,
            &repeat,    &steps,  &tokensPerCall, &noVerify, &limits,  &output,
            &emulate,   &counts, &device},
           "a kernel to run", "--estimate");
  if (staged)
    refuse({&isa, &threads, &inPlace, &emulate, &device}, "a kernel library",
           "--stage");
  else
    refuse({&target, &sm, &schedule}, "--stage", "a kernel library");
  if (emulate.getNumOccurrences())
    refuse({&isa, &threads, &repeat}, "this machine's CPU", "--emulate");
  if (device.getNumOccurrences())
    refuse({&isa, &threads, &emulate}, "this machine's CPU", "--device");
  if (!emulate.getNumOccurrences() && !parseDevice().isSimulated)
    refuse({&counts}, "--emulate or --device=sim",
           device.empty() ? "this machine's CPU" : "a GPU of this machine");
  if (!staged && llvm::StringRef(file).ends_with(".mlir"))
    usageError("expected --stage=NAME to run IR, got none for '" + file + "'");
  if (!list && kernel.empty() && !staged)
    usageError("expected --list, --kernel=NAME or --stage=NAME");
  if (!inputs.empty())
    refuse({&shape, &lengths, &gates, &betas, &keys, &zeroState, &seed},
           "generated inputs", "--inputs");
  if (shape.getNumOccurrences() && lengths.getNumOccurrences())
    usageError("expected one of --shape and --lengths, got both");
  if (target.getNumOccurrences() && sm.getNumOccurrences())
    usageError("expected one of --target and --sm, got both");
  if (steps && tokensPerCall.getNumOccurrences())
    usageError("expected one of --steps and --tokens-per-call, got both");
}

void CommandLine::checkFiles() {
  llvm::SmallVector<NamedFile> files = {{"the file to run", file, true}};
  if (!inputs.empty())
    files.push_back({"--inputs", inputs, true});
  if (!output.empty())
    files.push_back({"--output", output});
  if (!counts.empty())
    files.push_back({"--counts", counts});
  if (emulate.getNumOccurrences())
    files.push_back(
        {"the library of Bochs", emulation::Machine::bochsPath(), true});
  for (const NamedFile &file : files)
    if (!file.isInput && file.path == "-")
      usageError(file.name + ": expected a file, got '-': the standard output "
                             "has the report");
  if (std::string fault = findOverwritten(files); !fault.empty())
    usageError(fault);
}
