//===- VariableSyntax.cpp - Declarations of variables and registers -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "VariableSyntax.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::ptx;

/// Bytes that the variables of a space may have. Parameters: since PTX 8.1.
static uint64_t limitOf(Space space) {
  return space == Space::Param ? 32764 : uint64_t(1) << 20;
}

/// 1 for predicates, 0 if it is no type.
static unsigned bitsOfType(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Case("pred", 1)
      .Cases({"b8", "u8", "s8"}, 8)
      .Cases({"b16", "u16", "s16", "f16", "bf16"}, 16)
      .Cases({"b32", "u32", "s32", "f32", "f16x2", "bf16x2"}, 32)
      .Cases({"b64", "u64", "s64", "f64"}, 64)
      .Default(0);
}

static bool parseAlignment(TokenStream &stream, uint64_t &alignment) {
  constexpr uint64_t largest = 1 << 16;
  Token number = stream.peek();
  if (!stream.expectInteger(1, largest, alignment))
    return false;
  return llvm::isPowerOf2_64(alignment) ||
         stream.fail("a power of two", number);
}

bool ptx::skipPointee(TokenStream &stream) {
  if (!stream.takeWord("ptr"))
    return true;
  for (llvm::StringRef space : {"const", "global", "local", "shared"})
    if (stream.takeWord(space))
      break;
  uint64_t alignment;
  return !stream.takeWord("align") || parseAlignment(stream, alignment);
}

bool ptx::parseVariableType(TokenStream &stream, VariableType &type) {
  uint64_t alignment = 0, elements = 1;
  if (stream.takeWord("align") && !parseAlignment(stream, alignment))
    return false;
  if (stream.takeWord("v2"))
    elements = 2;
  else if (stream.takeWord("v4"))
    elements = 4;
  unsigned bits =
      stream.is(Token::Kind::Word) ? bitsOfType(stream.peek().text) : 0;
  if (bits < 8)
    return stream.fail("the type of a variable");
  stream.take();
  type.bytes = bits / 8 * elements;
  type.alignment = alignment ? alignment : type.bytes;
  return true;
}

bool ptx::parseVariableName(TokenStream &stream, const VariableType &type,
                            VariableSyntax &variable) {
  Token name;
  if (!stream.expect(Token::Kind::Name, "the name of a variable", name))
    return false;
  variable.name = name.text.str();
  variable.location = name.location;
  variable.bytes = type.bytes;
  variable.alignment = type.alignment;
  if (variable.isDynamic) {
    variable.bytes = 0;
    return stream.expectMark('[') && stream.expectMark(']');
  }
  while (stream.takeMark('[')) {
    uint64_t count;
    if (!stream.expectInteger(1, limitOf(variable.space) / variable.bytes,
                              count) ||
        !stream.expectMark(']'))
      return false;
    variable.bytes *= count;
  }
  return true;
}

bool ptx::parseRegisterType(TokenStream &stream, Register &reg) {
  unsigned bits =
      stream.is(Token::Kind::Word) ? bitsOfType(stream.peek().text) : 0;
  if (bits == 0)
    return stream.fail("the type of a register");
  stream.take();
  reg.bits = bits;
  reg.file = bits == 1    ? RegisterFile::Predicate
             : bits == 64 ? RegisterFile::Bits64
                          : RegisterFile::Bits32;
  return true;
}

bool ptx::layOutVariables(TokenStream &stream, KernelSyntax &kernel) {
  uint64_t shared = 0, dynamicAlignment = 1;
  KernelInfo &info = kernel.info;
  for (VariableSyntax &variable : kernel.variables) {
    if (variable.isDynamic) {
      info.takesDynamicShared = true;
      dynamicAlignment = std::max(dynamicAlignment, variable.alignment);
      continue;
    }
    uint64_t &end = variable.space == Space::Param   ? info.parameterBytes
                    : variable.space == Space::Local ? kernel.localBytes
                                                     : shared;
    variable.offset = llvm::alignTo(end, variable.alignment);
    end = variable.offset + variable.bytes;
    if (end > limitOf(variable.space))
      return stream.failLimit(variable.location, limitOf(variable.space),
                              "bytes of variables");
    if (variable.space == Space::Param)
      info.parameters.push_back(
          {variable.name, variable.offset, variable.bytes});
  }
  info.staticSharedBytes = llvm::alignTo(shared, dynamicAlignment);
  for (VariableSyntax &variable : kernel.variables)
    if (variable.isDynamic)
      variable.offset = info.staticSharedBytes;
  return true;
}
