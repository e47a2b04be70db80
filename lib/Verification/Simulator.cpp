//===- Simulator.cpp - The simulated CUDA driver, loaded ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Simulator.h"
#include <dlfcn.h>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<Simulator> Simulator::load() {
  // Found by the path that the executable has for libraries; stays mapped, as
  // drivers do.
  void *library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    return llvm::createStringError("expected the simulated driver, got " +
                                   llvm::Twine(dlerror()));
  Functions functions;
  const char *missing = nullptr;
  auto find = [&](auto &function, const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol)
      missing = name;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
  };
  find(functions.configure, "dn_sim_configure");
  find(functions.describeBuffer, "dn_sim_describe_buffer");
  find(functions.markUninitialised, "dn_sim_mark_uninitialised");
  find(functions.takeFindings, "dn_sim_take_findings");
  find(functions.takeReport, "dn_sim_take_report");
  find(functions.reason, "dn_sim_reason");
  if (missing)
    return llvm::createStringError(
        llvm::Twine(kLibrary) +
        ": expected the simulated driver, got a library without " + missing);
  return Simulator(functions);
}

llvm::Error Simulator::configure(unsigned capability, uint64_t seed) const {
  dn_sim_options options = {};
  options.size = sizeof options;
  options.capability = capability;
  options.seed = seed;
  if (const char *refusal = functions.configure(&options))
    return llvm::createStringError(llvm::Twine("simulated GPU: ") + refusal +
                                   ", got " + llvm::Twine(capability));
  return llvm::Error::success();
}

static uint64_t number(const void *address) {
  return reinterpret_cast<uintptr_t>(address);
}

void Simulator::describeBuffer(const void *address, llvm::StringRef name,
                               bool writable) const {
  functions.describeBuffer(number(address), name.str().c_str(), writable);
}

void Simulator::markUninitialised(const void *address, uint64_t bytes) const {
  functions.markUninitialised(number(address), bytes);
}

Simulator::Findings Simulator::takeFindings() const {
  Findings findings;
  findings.incompleteLaunches = functions.takeFindings(
      [](void *texts, const char *text) {
        static_cast<std::vector<std::string> *>(texts)->push_back(text);
      },
      &findings.texts);
  return findings;
}

llvm::json::Value Simulator::takeReport() const {
  llvm::json::Value report = nullptr;
  functions.takeReport(
      [](void *report, const char *text) {
        *static_cast<llvm::json::Value *>(report) =
            llvm::cantFail(llvm::json::parse(text));
      },
      &report);
  return report;
}
