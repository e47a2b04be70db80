//===- AssemblePtx.cpp - PTX to machine code by ptxas ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/AssemblePtx.h"
#include "ExternalProgram.h"
#include "deltanet/IR/DeltaNet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::deltanet;

/// The number before a word of a list: 13 for "registers" in "Used 13
/// registers, used 1 barriers". 0 where it is not.
static unsigned numberBefore(StringRef list, StringRef word) {
  size_t at = list.find(word);
  unsigned number = 0;
  if (at != StringRef::npos)
    (void)list.take_front(at).rtrim().rsplit(' ').second.getAsInteger(10,
                                                                      number);
  return number;
}

/// ptxas -v has lines of four kinds about a kernel:
///   ptxas info    : Compiling entry function 'NAME' for 'sm_80'
///   ptxas info    : Function properties for NAME
///       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
///   ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes smem
static void readResources(StringRef printed,
                          SmallVectorImpl<KernelResources> &resources) {
  for (StringRef line : llvm::split(printed, '\n')) {
    if (line.contains("Compiling entry function")) {
      resources.emplace_back();
      resources.back().kernel = line.split('\'').second.split('\'').first.str();
    }
    if (resources.empty())
      continue;
    KernelResources &own = resources.back();
    if (line.contains("bytes stack frame")) {
      own.stackBytes = numberBefore(line, "bytes stack frame");
      own.spillStoreBytes = numberBefore(line, "bytes spill stores");
      own.spillLoadBytes = numberBefore(line, "bytes spill loads");
    } else if (line.contains(" registers")) {
      own.registers = numberBefore(line, "registers");
      own.sharedBytes = numberBefore(line, "bytes smem");
    }
  }
}

LogicalResult mlir::deltanet::assemblePtx(
    StringRef ptx, StringRef chip, StringRef ptxas, SmallVectorImpl<char> &out,
    SmallVectorImpl<KernelResources> &resources, EmitErrorFn emitError) {
  TemporaryFile input, output;
  if (failed(input.create("ptx", ptx, emitError)) ||
      failed(output.create("cubin", "", emitError)))
    return failure();
  std::string name = ("--gpu-name=" + chip).str(), printed;
  if (failed(runProgram(ptxas, {"-v", name, input.path(), "-o", output.path()},
                        "to assemble PTX", printed, emitError)))
    return failure();
  readResources(printed, resources);
  return output.read(out, emitError);
}

void mlir::deltanet::reportResources(ModuleOp module, StringRef chip,
                                     ArrayRef<KernelResources> resources) {
  for (const KernelResources &own : resources) {
    Operation *kernel = module.lookupSymbol(own.kernel);
    if (!kernel)
      continue;
    InFlightDiagnostic remark = emitRemark(kernel->getLoc(), own.kernel);
    remark << " for " << chip << ": " << own.registers << " registers, "
           << own.stackBytes << " bytes of stack, " << own.spillStoreBytes
           << " and " << own.spillLoadBytes
           << " bytes stored and loaded by spills, " << own.sharedBytes
           << " bytes of shared memory";
    if (auto scratch = kernel->getAttrOfType<IntegerAttr>(
            DeltaNetDialect::kSharedBytesAttr))
      remark << " and " << scratch.getInt() << " more that a launch adds";
  }
}
