//===- RemarkFile.cpp - Remarks of a compilation as text ------------------===//
//
// Part of the Delta-Net project.
//
// Upstream's streamer writes to a file of its own and aborts where that fails.
//
//===----------------------------------------------------------------------===//

#include "RemarkFile.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

class TextStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit TextStreamer(std::string &text)
      : os(text),
        serializer(llvm::cantFail(llvm::remarks::createRemarkSerializer(
            llvm::remarks::Format::YAML, os))) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    serializer->emit(remark.generateRemark());
  }

private:
  llvm::raw_string_ostream os;
  std::unique_ptr<llvm::remarks::RemarkSerializer> serializer;
};

} // namespace

void delta_compile::collectRemarks(MLIRContext &context, std::string &text) {
  context.disableMultithreading();
  remark::RemarkCategories every;
  every.passed = every.missed = every.analysis = every.failed = ".*";
  LogicalResult enabled = remark::enableOptimizationRemarks(
      context, std::make_unique<TextStreamer>(text),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), every);
  assert(succeeded(enabled) && "only fails where remarks are enabled already");
  (void)enabled;
}
