//===- RandomVectorCode.h - Random vector functions -------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_EMULATION_RANDOMVECTORCODE_H
#define DELTANET_UNITTESTS_EMULATION_RANDOMVECTORCODE_H

#include "llvm/IR/Module.h"

namespace mlir::deltanet::emulation {

/// What functions of random code read and write: void f(in, out, count), where
/// `count` lanes are active in masked accesses.
struct RandomVectorCode {
  static constexpr unsigned lineBytes = 64;
  /// Elements of the lines of inputs and of results, which take turns.
  enum Element : unsigned { F32, F64, F16, I32, I64, I16, I8 };
  static constexpr unsigned elements = 7;
  static constexpr unsigned linesPerElement = 3;
  /// After the results come lines that masked stores fill, as bytes.
  static constexpr unsigned storedLines = 8;
  static constexpr unsigned inBytes = elements * linesPerElement * lineBytes;
  static constexpr unsigned outBytes = inBytes + storedLines * lineBytes;

  /// A module with functions f0, f1, …: equal for equal seeds.
  static std::unique_ptr<llvm::Module> make(llvm::LLVMContext &context,
                                            uint32_t seed, unsigned functions);
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_UNITTESTS_EMULATION_RANDOMVECTORCODE_H
