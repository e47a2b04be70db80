//===- DeltaFuzz.cpp - libFuzzer target over parser and pipeline ----------===//
//
// Part of the Delta-Net project.
//
// Whatever the input, the parser, the verifiers and the pipeline end; a failure
// comes with an error that has a place in the input; what was parsed survives
// being printed and parsed again.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Pipelines/CPUPipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Ends the run as a finding.
[[noreturn]] void report(const Twine &what) {
  llvm::errs() << "finding: " << what << "\n";
  abort();
}

/// The errors of one step.
class Errors {
public:
  explicit Errors(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return success();
          ++count;
          located |= isa<FileLineColLoc>(diagnostic.getLocation());
          return success();
        }) {}

  void expectLocated(StringRef step) const {
    if (!count)
      report(step + " failed without an error");
    if (!located)
      report(step + " failed without a place");
  }

private:
  unsigned count = 0;
  bool located = false;
  ScopedDiagnosticHandler handler;
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo(false));
  return text;
}

OwningOpRef<ModuleOp> parse(StringRef text, MLIRContext &context) {
  Errors errors(context);
  auto module = parseSourceString<ModuleOp>(text, &context, "input.mlir");
  if (!module)
    errors.expectLocated("parser");
  return module;
}

void checkRoundTrip(ModuleOp module, MLIRContext &context) {
  std::string text = print(module);
  // An empty symbol is parsed, but has no printed form.
  if (StringRef(text).contains("<<INVALID EMPTY SYMBOL>>"))
    return;
  OwningOpRef<ModuleOp> again = parse(text, context);
  if (!again || print(*again) != text)
    report("round trip changes\n" + text);
}

/// What the pipeline creates needs more dialects than inputs may use: upstream
/// parsers are not what is tested.
const DialectRegistry &getPipelineRegistry() {
  static const DialectRegistry registry = [] {
    DialectRegistry all;
    registerAllDialects(all);
    registerAllExtensions(all);
    return all;
  }();
  return registry;
}

void runPipeline(ModuleOp module, MLIRContext &context) {
  context.appendDialectRegistry(getPipelineRegistry());
  Errors errors(context);
  PassManager manager(&context);
  buildPipelineTo(manager, Stage::Llvm, CPUPipelineOptions());
  if (failed(manager.run(module)))
    errors.expectLocated("pipeline");
}

/// Inputs on which upstream's readers fail by themselves: bytecode, numbers of
/// results (`%r#2147483648`), of which as many are allocated, and dense arrays
/// of types without a bit width.
bool belongsToUpstream(StringRef text) {
  if (text.starts_with("ML\xefR"))
    return true;
  constexpr size_t mostDigits = 4;
  for (size_t at = text.find('#'); at != StringRef::npos;
       at = text.find('#', at + 1)) {
    StringRef number = text.substr(at + 1).ltrim("0");
    if (number.take_while(llvm::isDigit).size() > mostDigits)
      return true;
  }
  constexpr StringLiteral array = "array<";
  for (size_t at = text.find(array); at != StringRef::npos;
       at = text.find(array, at + 1)) {
    StringRef type = text.substr(at + array.size()).ltrim();
    if (!type.starts_with("i32:") && !type.starts_with("i64:"))
      return true;
  }
  return false;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Upstream's lexer reads on to a zero, which the given memory does not end
  // with (llvm-project issue 154462).
  std::string text(reinterpret_cast<const char *>(data), size);
  if (belongsToUpstream(text))
    return -1;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<DeltaNetDialect, func::FuncDialect>();
  OwningOpRef<ModuleOp> module = parse(text, context);
  if (!module)
    return 0;
  checkRoundTrip(*module, context);
  runPipeline(*module, context);
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  // Most changes of single bytes end at the parser; those of words do not.
  std::minstd_rand random(seed);
  std::string text(reinterpret_cast<const char *>(data), size);
  if (random() % 4 == 0 || !mutateWord(text, random) || text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
