//===- InstructionSet.cpp - Which family decodes an instruction -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::deltanet::ptx;
using llvm::StringRef;

/// Arithmetic is a family of its own for each kind of number.
static Decode findArithmetic(const InstructionSyntax &syntax) {
  static const llvm::StringSet<> halves{"f16", "bf16", "f16x2", "bf16x2"};
  StringRef type = syntax.words.back();
  if (halves.contains(type))
    return decodeHalf;
  if (type != "f32" && type != "f64")
    return decodeInteger;
  for (StringRef word : syntax.words)
    if (word == "approx" || word == "full")
      return decodeApproximate;
  return decodeFloat;
}

Decode mlir::deltanet::ptx::findDecode(const InstructionSyntax &syntax) {
  StringRef mnemonic = syntax.words[0];
  auto family =
      llvm::StringSwitch<Decode>(mnemonic)
          .Cases({"add", "sub", "mul", "mad", "fma", "div", "min", "max"},
                 findArithmetic(syntax))
          .Cases({"neg", "abs", "copysign"}, findArithmetic(syntax))
          .Cases({"rem", "sad"}, decodeInteger)
          .Cases({"mov", "cvta", "selp", "prmt"}, decodeMove)
          .Cases({"and", "or", "xor", "not", "cnot", "lop3"}, decodeBits)
          .Cases({"shl", "shr", "shf", "bfe", "bfi", "brev"}, decodeBits)
          .Cases({"popc", "clz", "bfind"}, decodeBits)
          .Cases({"ex2", "lg2", "rcp", "rsqrt", "sqrt"}, decodeApproximate)
          .Cases({"tanh", "sin", "cos"}, decodeApproximate)
          .Case("cvt", decodeConvert)
          .Cases({"setp", "set", "testp"}, decodeCompare)
          .Cases({"bra", "ret", "exit", "trap", "nanosleep"}, decodeControl)
          .Cases({"bar", "barrier", "membar", "fence"}, decodeBarrier)
          .Cases({"shfl", "vote", "match", "redux"}, decodeCollective)
          .Cases({"activemask", "elect"}, decodeCollective)
          .Cases({"ld", "ldu", "st"}, decodeMemory)
          .Cases({"prefetch", "prefetchu", "isspacep"}, decodeMemory)
          .Cases({"atom", "red"}, decodeAtomic)
          .Case("cp", decodeAsyncCopy)
          .Cases({"ldmatrix", "stmatrix"}, decodeMatrixLoad)
          .Case("mma", decodeMatrixProduct)
          .Default(nullptr);
  return family;
}
