//===- Decoder.cpp - From the words of an instruction to its meaning ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Warp.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet::ptx;
using llvm::StringRef;

unsigned mlir::deltanet::ptx::bitsOf(Type type) {
  switch (type) {
  case Type::None:
    return 0;
  case Type::Pred:
    return 1;
  case Type::B8:
  case Type::U8:
  case Type::S8:
    return 8;
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
    return 16;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
    return 64;
  default:
    return 32;
  }
}

bool mlir::deltanet::ptx::isSigned(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 ||
         type == Type::S64;
}

bool mlir::deltanet::ptx::isFloat(Type type) { return type >= Type::F16; }

static Type parseType(StringRef word) {
  return llvm::StringSwitch<Type>(word)
      .Case("pred", Type::Pred)
      .Case("b8", Type::B8)
      .Case("b16", Type::B16)
      .Case("b32", Type::B32)
      .Case("b64", Type::B64)
      .Case("u8", Type::U8)
      .Case("u16", Type::U16)
      .Case("u32", Type::U32)
      .Case("u64", Type::U64)
      .Case("s8", Type::S8)
      .Case("s16", Type::S16)
      .Case("s32", Type::S32)
      .Case("s64", Type::S64)
      .Case("f16", Type::F16)
      .Case("bf16", Type::BF16)
      .Case("tf32", Type::TF32)
      .Case("f32", Type::F32)
      .Case("f64", Type::F64)
      .Case("f16x2", Type::F16x2)
      .Case("bf16x2", Type::BF16x2)
      .Default(Type::None);
}

static RegisterFile fileOf(Type type) {
  unsigned bits = bitsOf(type);
  return bits == 1    ? RegisterFile::Predicate
         : bits == 64 ? RegisterFile::Bits64
                      : RegisterFile::Bits32;
}

/// What stands for operands that are missing, or after an error.
static const OperandSyntax kNoOperand;

Decoder::Decoder(Kernel &kernel, StringRef fileName)
    : kernel(kernel), fileName(fileName) {}

bool Decoder::decode(const InstructionSyntax &what) {
  Instruction &own = kernel.code.emplace_back();
  instruction = &own;
  syntax = &what;
  own.syntax = &what;
  own.index = kernel.code.size() - 1;
  taken.assign(what.words.size(), false);
  taken[0] = true;
  nextOperand = 0;
  if (what.guard) {
    own.guard = what.guard->reg;
    own.guardNegated = what.guard->negated;
  }
  if (Decode family = findDecode(what))
    family(*this);
  else
    failUnknown();
  for (auto [word, isTaken] : llvm::zip(what.words, taken))
    if (!isTaken)
      fail("expected a form of '" + what.words[0] +
           "' that is known here, got '." + word + "' in it");
  if (hasOperand())
    fail("expected " + llvm::Twine(nextOperand) + " operands, got " +
         llvm::Twine(what.operands.size()));
  if (error.empty() && !own.execute)
    failUnknown();
  return error.empty();
}

llvm::Error Decoder::takeError() {
  if (error.empty())
    return llvm::Error::success();
  return llvm::createStringError(error);
}

void Decoder::fail(const llvm::Twine &what) {
  if (error.empty())
    error = llvm::toString(errorAt(fileName, syntax->location, what));
}

void Decoder::failUnknown() {
  fail("expected an instruction that is known here, got '" + syntax->text +
       "'");
}

bool Decoder::take(StringRef word) {
  for (auto [own, isTaken] : llvm::zip(syntax->words, taken))
    if (!isTaken && own == word)
      return isTaken = true;
  return false;
}

unsigned Decoder::takeOneOf(llvm::ArrayRef<StringRef> words, unsigned absent) {
  for (auto [number, word] : llvm::enumerate(words))
    if (take(word))
      return number;
  return absent;
}

Type Decoder::takeType() {
  for (size_t i = taken.size(); i-- > 1;) {
    if (taken[i])
      continue;
    Type type = parseType(syntax->words[i]);
    if (type == Type::None)
      fail("expected a type, got '." + syntax->words[i] + "'");
    taken[i] = true;
    return type;
  }
  fail("expected a type after '" + syntax->words[0] + "', got none");
  return Type::B32;
}

const OperandSyntax &Decoder::next() {
  if (hasOperand())
    return syntax->operands[nextOperand++];
  fail("expected more operands than " + llvm::Twine(nextOperand));
  return kNoOperand;
}

Register Decoder::fresh(RegisterFile file, uint8_t bits) {
  return {file, bits, kernel.registers[unsigned(file)]++};
}

Register Decoder::constant(uint64_t value, RegisterFile file, uint8_t bits) {
  auto [place, isNew] =
      constants.try_emplace({value, unsigned(file)}, Register());
  if (isNew) {
    place->second = fresh(file, bits);
    kernel.constants.push_back({place->second, value});
  }
  return place->second;
}

Register Decoder::special(const OperandSyntax &operand) {
  using Special = SpecialRegister;
  auto special = llvm::StringSwitch<std::optional<Special>>(operand.name)
                     .Case("%tid.x", Special::TidX)
                     .Case("%tid.y", Special::TidY)
                     .Case("%tid.z", Special::TidZ)
                     .Case("%ntid.x", Special::NtidX)
                     .Case("%ntid.y", Special::NtidY)
                     .Case("%ntid.z", Special::NtidZ)
                     .Case("%ctaid.x", Special::CtaidX)
                     .Case("%ctaid.y", Special::CtaidY)
                     .Case("%ctaid.z", Special::CtaidZ)
                     .Case("%nctaid.x", Special::NctaidX)
                     .Case("%nctaid.y", Special::NctaidY)
                     .Case("%nctaid.z", Special::NctaidZ)
                     .Case("%laneid", Special::LaneId)
                     .Case("%warpid", Special::WarpId)
                     .Case("%nwarpid", Special::NWarpId)
                     .Case("%lanemask_eq", Special::LaneMaskEq)
                     .Case("%lanemask_lt", Special::LaneMaskLt)
                     .Case("%lanemask_le", Special::LaneMaskLe)
                     .Case("%lanemask_gt", Special::LaneMaskGt)
                     .Case("%lanemask_ge", Special::LaneMaskGe)
                     .Case("%dynamic_smem_size", Special::DynamicSharedBytes)
                     .Case("%total_smem_size", Special::TotalSharedBytes)
                     .Default(std::nullopt);
  if (!special) {
    fail("expected a special register that is known here, got '" +
         operand.name + "'");
    return {};
  }
  for (const SpecialUse &use : kernel.specials)
    if (use.special == *special)
      return use.reg;
  Register reg = fresh(RegisterFile::Bits32, 32);
  kernel.specials.push_back({reg, *special});
  return reg;
}

Register Decoder::immediate(const OperandSyntax &operand, Type type) {
  uint64_t value = operand.value;
  bool isNumber = type == Type::F32 || type == Type::F64;
  bool isBits = type >= Type::B8 && type <= Type::B64;
  if ((operand.kind == OperandSyntax::Kind::Float && !isFloat(type) &&
       !isBits) ||
      (operand.kind == OperandSyntax::Kind::Integer && isNumber))
    fail("expected " +
         llvm::Twine(isNumber ? "a number with a fraction, as 0f3F800000"
                              : "an integer") +
         ", got '" + operand.text + "'");
  if (operand.kind == OperandSyntax::Kind::Variable) {
    value = kernel.syntax->findVariable(operand.name)->offset;
  } else if (operand.kind == OperandSyntax::Kind::Float &&
             operand.floatBits != bitsOf(type)) {
    // Literals of either size are converted to the type.
    value = type == Type::F64
                ? bitCast<uint64_t>(double(bitCast<float>(uint32_t(value))))
                : bitCast<uint32_t>(float(bitCast<double>(value)));
  }
  unsigned bits = bitsOf(type);
  if (bits < 64)
    value &= (uint64_t(1) << bits) - 1;
  return constant(value, fileOf(type), bits);
}

Register Decoder::resolve(const OperandSyntax &operand, Type type,
                          bool isResult, bool isWide) {
  using Kind = OperandSyntax::Kind;
  RegisterFile file = fileOf(type);
  switch (operand.kind) {
  case Kind::Register: {
    bool fits =
        operand.reg.file == file || (isWide && file == RegisterFile::Bits32 &&
                                     operand.reg.file == RegisterFile::Bits64);
    if (!fits || operand.reg.bits < bitsOf(type))
      fail("expected a register of " + llvm::Twine(bitsOf(type)) +
           " bits, got '" + operand.text + "' of " +
           llvm::Twine(unsigned(operand.reg.bits)));
    return operand.reg;
  }
  case Kind::Special:
    if (!isResult && file == RegisterFile::Bits32)
      return special(operand);
    break;
  case Kind::Integer:
    // nvcc writes mov.pred %p, 0.
    if (!isResult && file == RegisterFile::Predicate)
      return constant(operand.value != 0, file, 1);
    [[fallthrough]];
  case Kind::Float:
  case Kind::Variable:
    if (!isResult && file != RegisterFile::Predicate)
      return immediate(operand, type);
    break;
  case Kind::Sink:
    if (isResult)
      return fresh(file, bitsOf(type));
    break;
  default:
    break;
  }
  fail(llvm::Twine("expected a ") + (isResult ? "result" : "source") + " of " +
       llvm::Twine(bitsOf(type)) + " bits, got '" + operand.text + "'");
  return {file, uint8_t(bitsOf(type)), 0};
}

void Decoder::add(const OperandSyntax &operand, Type type, bool isResult,
                  bool isWide) {
  if (operand.negated) {
    if (isResult || type != Type::Pred)
      fail("expected an operand that is not negated, got '" + operand.text +
           "'");
    instruction->negatedSources |= 1u << instruction->sources.size();
  }
  auto &list = isResult ? instruction->results : instruction->sources;
  list.push_back(resolve(operand, type, isResult, isWide));
}

void Decoder::addResult(Type type) { add(next(), type, true, false); }
void Decoder::addSource(Type type) { add(next(), type, false, false); }
void Decoder::addWideResult(Type type) { add(next(), type, true, true); }
void Decoder::addWideSource(Type type) { add(next(), type, false, true); }

unsigned Decoder::addAll(Type type, bool isResult, bool isWide) {
  const OperandSyntax &operand = next();
  if (operand.kind != OperandSyntax::Kind::Vector) {
    add(operand, type, isResult, isWide);
    return 1;
  }
  for (const OperandSyntax &element : operand.elements)
    add(element, type, isResult, isWide);
  return operand.elements.size();
}

unsigned Decoder::addResults(Type type, bool isWide) {
  return addAll(type, true, isWide);
}
unsigned Decoder::addSources(Type type, bool isWide) {
  return addAll(type, false, isWide);
}

void Decoder::addResultAndPredicate(Type type) {
  const OperandSyntax &operand = next();
  bool isPair = operand.kind == OperandSyntax::Kind::Pair;
  add(isPair ? operand.elements[0] : operand, type, true, false);
  if (isPair)
    add(operand.elements[1], Type::Pred, true, false);
  else
    instruction->results.push_back(fresh(RegisterFile::Predicate, 1));
}

void Decoder::addAddress(int64_t &offset) {
  const OperandSyntax &operand = next();
  if (operand.kind != OperandSyntax::Kind::Address) {
    fail("expected an address, got '" + operand.text + "'");
    return;
  }
  offset = int64_t(operand.value);
  if (operand.elements.empty()) {
    instruction->sources.push_back(constant(0, RegisterFile::Bits64, 64));
    return;
  }
  const OperandSyntax &base = operand.elements[0];
  bool isNarrow = base.kind == OperandSyntax::Kind::Register &&
                  base.reg.file == RegisterFile::Bits32;
  if (operand.elements.size() > 1)
    fail("expected an address of a base and an offset, got '" + operand.text +
         "'");
  add(base, isNarrow ? Type::B32 : Type::B64, false, false);
}

void Decoder::addLabel() {
  const OperandSyntax &operand = next();
  if (operand.kind != OperandSyntax::Kind::Label)
    fail("expected a label, got '" + operand.text + "'");
  instruction->target = operand.value;
}

uint64_t Decoder::takeImmediate() {
  const OperandSyntax &operand = next();
  if (operand.kind != OperandSyntax::Kind::Integer)
    fail("expected an integer, got '" + operand.text + "'");
  return operand.value;
}
