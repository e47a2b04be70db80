//===- Move.cpp - Values moved, packed, selected and permuted -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "MemoryAccess.h"

using namespace mlir::deltanet::ptx;

namespace {

template <typename T> T same(T value) { return value; }

Step movePredicate(Warp &warp, const Instruction &instruction, LaneMask mask) {
  warp.write(instruction.results[0], mask,
             warp.predicateSource(instruction, 0));
  return Step::Next;
}

Type bitsType(unsigned bits) {
  switch (bits) {
  case 8:
    return Type::B8;
  case 16:
    return Type::B16;
  case 32:
    return Type::B32;
  case 64:
    return Type::B64;
  default:
    return Type::None;
  }
}

/// The first source has the lowest bits. `immediate` is the size of one.
Step pack(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const unsigned bits = instruction.immediate;
  Lanes<uint64_t> packed = {};
  unsigned shift = 0;
  for (Register source : instruction.sources) {
    const Lanes<uint32_t> &part = warp.bits32(source);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      packed[lane] |= (part[lane] & (~uint64_t(0) >> (64 - bits))) << shift;
    shift += bits;
  }
  if (shift == 64) {
    store(warp, instruction.results[0], mask, packed);
    return Step::Next;
  }
  Lanes<uint32_t> narrow;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    narrow[lane] = uint32_t(packed[lane]);
  store(warp, instruction.results[0], mask, narrow);
  return Step::Next;
}

Step unpack(Warp &warp, const Instruction &instruction, LaneMask mask) {
  const unsigned bits = instruction.immediate;
  Register source = instruction.sources[0];
  Lanes<uint64_t> packed;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    packed[lane] = warp.value(source, lane);
  unsigned shift = 0;
  for (Register result : instruction.results) {
    Lanes<uint32_t> part;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      part[lane] = (packed[lane] >> shift) & (~uint64_t(0) >> (64 - bits));
    store(warp, result, mask, part);
    shift += bits;
  }
  return Step::Next;
}

Execute findMove(unsigned bits) {
  switch (bits) {
  case 1:
    return movePredicate;
  case 16:
    return elementwise<same<uint16_t>>();
  case 32:
    return elementwise<same<uint32_t>>();
  case 64:
    return elementwise<same<uint64_t>>();
  default:
    return nullptr;
  }
}

/// How many registers an operand of a move is made of.
unsigned countParts(const Decoder &decoder, unsigned operand) {
  llvm::ArrayRef<OperandSyntax> operands =
      decoder.instruction->syntax->operands;
  if (operand >= operands.size() ||
      operands[operand].kind != OperandSyntax::Kind::Vector)
    return 1;
  return operands[operand].elements.size();
}

void decodeMov(Decoder &decoder) {
  Type type = decoder.takeType();
  unsigned bits = bitsOf(type);
  unsigned results = countParts(decoder, 0), sources = countParts(decoder, 1);
  if (results == 1 && sources == 1) {
    setExecuteIfKnown(decoder, findMove(bits));
    decoder.addResult(type);
    decoder.addSource(type);
    return;
  }
  unsigned parts = std::max(results, sources);
  Type part = parts == 2 || parts == 4 ? bitsType(bits / parts) : Type::None;
  if (part == Type::None || std::min(results, sources) != 1)
    return decoder.fail("expected two or four parts of a value, got " +
                        llvm::Twine(parts) + " of " + llvm::Twine(bits) +
                        " bits");
  decoder.instruction->immediate = bits / parts;
  if (sources == 1) {
    decoder.addResults(part);
    decoder.addSource(type);
    decoder.setExecute(unpack);
    return;
  }
  decoder.addResult(type);
  decoder.addSources(part);
  decoder.setExecute(pack);
}

uint64_t fromShared(uint64_t address) { return address + kSharedWindow; }
uint64_t toShared(uint64_t address) { return address - kSharedWindow; }
uint64_t fromLocal(uint64_t address) { return address + kLocalWindow; }
uint64_t toLocal(uint64_t address) { return address - kLocalWindow; }

void decodeCvta(Decoder &decoder) {
  bool isTo = decoder.take("to");
  bool isGlobal = decoder.take("global");
  bool isShared = decoder.take("shared") || decoder.take("shared::cta");
  bool isLocal = decoder.take("local");
  Type type = decoder.takeType();
  if (isGlobal + isShared + isLocal != 1 || type != Type::U64)
    return decoder.failUnknown();
  decoder.addResult(type);
  decoder.addSource(type);
  if (isGlobal)
    decoder.setExecute(elementwise<same<uint64_t>>());
  else if (isShared)
    decoder.setExecute(isTo ? elementwise<toShared>()
                            : elementwise<fromShared>());
  else
    decoder.setExecute(isTo ? elementwise<toLocal>()
                            : elementwise<fromLocal>());
}

template <typename T> struct Select {
  static Step run(Warp &warp, const Instruction &instruction, LaneMask mask) {
    const Lanes<T> first = load<T>(warp, instruction.sources[0]);
    const Lanes<T> second = load<T>(warp, instruction.sources[1]);
    LaneMask condition = warp.predicateSource(instruction, 2);
    Lanes<T> values;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = condition >> lane & 1 ? first[lane] : second[lane];
    store(warp, instruction.results[0], mask, values);
    return Step::Next;
  }
};

void decodeSelect(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.addResult(type);
  decoder.addSource(type);
  decoder.addSource(type);
  decoder.addSource(Type::Pred);
  switch (bitsOf(type)) {
  case 16:
    return decoder.setExecute(fastest<Select<uint16_t>>());
  case 32:
    return decoder.setExecute(fastest<Select<uint32_t>>());
  case 64:
    return decoder.setExecute(fastest<Select<uint64_t>>());
  default:
    return decoder.failUnknown();
  }
}

/// Four bytes of a and b, each by a number of four bits; the highest of these
/// asks for copies of the byte's sign.
uint32_t permute(uint32_t a, uint32_t b, uint32_t selection) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned place = 0; place < 4; ++place) {
    uint32_t number = selection >> (4 * place);
    uint32_t byte = bytes >> (8 * (number & 7)) & 0xFF;
    uint32_t signs = byte & 0x80 ? 0xFF : 0;
    result |= (number & 8 ? signs : byte) << (8 * place);
  }
  return result;
}

/// The modes with a name use the two lowest bits of the selection. Each has
/// the numbers of its bytes for each value of them.
template <uint32_t for0, uint32_t for1, uint32_t for2, uint32_t for3>
uint32_t permuteBy(uint32_t a, uint32_t b, uint32_t selection) {
  constexpr uint32_t numbers[] = {for0, for1, for2, for3};
  return permute(a, b, numbers[selection & 3]);
}

void decodePermute(Decoder &decoder) {
  const Execute modes[] = {
      elementwise<permuteBy<0x3210, 0x4321, 0x5432, 0x6543>>(), // f4e
      elementwise<permuteBy<0x5670, 0x6701, 0x7012, 0x0123>>(), // b4e
      elementwise<permuteBy<0x0000, 0x1111, 0x2222, 0x3333>>(), // rc8
      elementwise<permuteBy<0x3210, 0x3211, 0x3222, 0x3333>>(), // ecl
      elementwise<permuteBy<0x0000, 0x1110, 0x2210, 0x3210>>(), // ecr
      elementwise<permuteBy<0x1010, 0x3232, 0x1010, 0x3232>>(), // rc16
      elementwise<permute>()};
  unsigned mode =
      decoder.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}, 6);
  if (decoder.takeType() != Type::B32)
    return decoder.failUnknown();
  decoder.addResult(Type::B32);
  for (unsigned source = 0; source < 3; ++source)
    decoder.addSource(Type::B32);
  decoder.setExecute(modes[mode]);
}

} // namespace

void mlir::deltanet::ptx::decodeMove(Decoder &decoder) {
  if (decoder.is("mov"))
    decodeMov(decoder);
  else if (decoder.is("cvta"))
    decodeCvta(decoder);
  else if (decoder.is("selp"))
    decodeSelect(decoder);
  else if (decoder.is("prmt"))
    decodePermute(decoder);
  else
    decoder.failUnknown();
}
