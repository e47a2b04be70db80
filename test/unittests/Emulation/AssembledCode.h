//===- AssembledCode.h - Test functions as assembly -------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_EMULATION_ASSEMBLEDCODE_H
#define DELTANET_UNITTESTS_EMULATION_ASSEMBLEDCODE_H

#include "deltanet/Emulation/X86/Machine.h"
#include "gtest/gtest.h"

namespace mlir::deltanet::emulation {

/// Machine code of instructions in AT&T syntax, separated by ';' or lines.
std::vector<uint8_t> assemble(llvm::StringRef text);

/// Tests of functions written as assembly. Skipped where Bochs is missing.
class AssembledCodeTest : public testing::Test {
protected:
  void SetUp() override;

  /// Makes another machine in the place of the default one.
  void useMachine(const MachineOptions &options);

  /// Runs a function, whose last instruction is added: RET.
  CallResult run(llvm::StringRef text, llvm::ArrayRef<uint64_t> arguments = {},
                 const CallOptions &options = {});

  /// An initialised array of the machine with values of any type.
  template <typename T>
  T *array(llvm::StringRef name, std::vector<T> values,
           Permission permission = Permission::ReadWrite) {
    char *memory = machine->memory().allocate(name, values.size() * sizeof(T),
                                              permission, alignof(T));
    std::memcpy(memory, values.data(), values.size() * sizeof(T));
    return reinterpret_cast<T *>(memory);
  }

  /// Runs a text with inputs in (%rdi), (%rsi) and an output in (%rdx); gives
  /// the output, which is expected to be written without findings.
  template <typename Out, typename A, typename B>
  std::vector<Out> compute(llvm::StringRef text, const std::vector<A> &a,
                           const std::vector<B> &b, size_t count) {
    A *first = array("a", a, Permission::Read);
    B *second = array("b", b, Permission::Read);
    Out *out = array("out", std::vector<Out>(count));
    last = run(text, {argument(first), argument(second), argument(out)});
    EXPECT_TRUE(last.findings.empty())
        << text.str() << ": " << last.findings[0].text();
    return {out, out + count};
  }

  std::unique_ptr<Machine> machine;
  CallResult last; ///< of compute()
};

/// The texts of all findings; tests of clean runs expect none.
std::vector<std::string> textsOf(const CallResult &result);

} // namespace mlir::deltanet::emulation

#endif // DELTANET_UNITTESTS_EMULATION_ASSEMBLEDCODE_H
