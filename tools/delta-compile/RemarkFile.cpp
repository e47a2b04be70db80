//===- RemarkFile.cpp - Remarks of a compilation as text ------------------===//
//
// Part of the Delta-Net project.
//
// Upstream's streamer writes to a file of its own and aborts where that fails.
//
//===----------------------------------------------------------------------===//

#include "RemarkFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

class TextStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  TextStreamer(std::string &text, bool printSchedules)
      : printSchedules(printSchedules), os(text),
        serializer(llvm::cantFail(llvm::remarks::createRemarkSerializer(
            llvm::remarks::Format::YAML, os))) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    serializer->emit(remark.generateRemark());
    if (!printSchedules || remark.getCategoryName() != "deltanet-schedule")
      return;
    InFlightDiagnostic printed = emitRemark(remark.getLocation());
    llvm::interleave(
        remark.getArgs(),
        [&](const remark::detail::Remark::Arg &part) { printed << part.val; },
        [&] { printed << ": "; });
  }

private:
  bool printSchedules;
  llvm::raw_string_ostream os;
  std::unique_ptr<llvm::remarks::RemarkSerializer> serializer;
};

} // namespace

void delta_compile::collectRemarks(MLIRContext &context, std::string &text,
                                   bool printSchedules) {
  context.disableMultithreading();
  remark::RemarkCategories every;
  every.passed = every.missed = every.analysis = every.failed = ".*";
  LogicalResult enabled = remark::enableOptimizationRemarks(
      context, std::make_unique<TextStreamer>(text, printSchedules),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), every);
  assert(succeeded(enabled) && "only fails where remarks are enabled already");
  (void)enabled;
}
