//===- Arguments.cpp - What a kernel is called with -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace delta_ptxsim;
using llvm::StringRef;

/// Of one buffer.
static constexpr uint64_t kMostBytes = uint64_t(16) << 30;

static llvm::Error refuse(const llvm::Twine &expected, StringRef got) {
  return llvm::createStringError("expected " + expected + ", got '" + got +
                                 "'");
}

uint64_t Buffer::elements() const {
  uint64_t product = 1;
  for (int64_t size : shape)
    product *= uint64_t(size);
  return product;
}

static llvm::Error parseShape(StringRef text, Argument &argument) {
  uint64_t bytes = bytesOf(argument.type);
  for (StringRef part : llvm::split(text, 'x')) {
    uint64_t size;
    if (part.getAsInteger(10, size) || size == 0)
      return refuse("a number of elements or a shape such as 4x8", text);
    argument.buffer->shape.push_back(int64_t(size));
    bytes = llvm::SaturatingMultiply(bytes, size);
  }
  if (bytes > kMostBytes)
    return refuse("a buffer of at most 16 GiB", text);
  return llvm::Error::success();
}

static llvm::Error parseFill(StringRef text, uint64_t number, Buffer &buffer) {
  if (buffer.direction == Direction::Out)
    return text.empty() ? llvm::Error::success()
                        : refuse("no fill of an output", text);
  auto [word, seed] = text.split(':');
  buffer.seed = number;
  buffer.fill = llvm::StringSwitch<Fill>(text)
                    .Case("zero", Fill::Zero)
                    .Case("one", Fill::One)
                    .Case("iota", Fill::Iota)
                    .Case("random", Fill::Random)
                    .EndsWith(".npy", Fill::File)
                    .Default(Fill::None);
  if (buffer.fill == Fill::File)
    buffer.file = text.str();
  if (word == "random" && seed.size()) {
    if (seed.getAsInteger(10, buffer.seed))
      return refuse("random:SEED", text);
    buffer.fill = Fill::Random;
  }
  if (buffer.fill == Fill::None)
    return refuse("zero, one, iota, random[:SEED] or FILE.npy", text);
  return llvm::Error::success();
}

static llvm::Error parseBuffer(StringRef name, StringRef text, uint64_t number,
                               Argument &argument) {
  Buffer &buffer = argument.buffer.emplace();
  buffer.name = name.str();
  if (name.empty())
    return refuse("NAME=in:TYPE:SHAPE:FILL", argument.text);
  auto [direction, afterDirection] = text.split(':');
  auto [type, afterType] = afterDirection.split(':');
  auto [shape, fill] = afterType.split(':');
  auto known = llvm::StringSwitch<std::optional<Direction>>(direction)
                   .Case("in", Direction::In)
                   .Case("out", Direction::Out)
                   .Case("inout", Direction::InOut)
                   .Default(std::nullopt);
  if (!known)
    return refuse("in, out or inout", direction);
  buffer.direction = *known;
  std::optional<ElementType> elements = parseElementType(type);
  if (!elements)
    return refuse("one of " + elementTypeNames(), type);
  argument.type = *elements;
  if (llvm::Error error = parseShape(shape, argument))
    return error;
  return parseFill(fill, number, buffer);
}

llvm::Expected<Argument> delta_ptxsim::parseArgument(StringRef text,
                                                     uint64_t number) {
  Argument argument;
  argument.text = text.str();
  size_t equals = text.find('=');
  if (equals < text.find(':')) {
    if (llvm::Error error =
            parseBuffer(text.take_front(equals), text.drop_front(equals + 1),
                        number, argument))
      return std::move(error);
    return argument;
  }
  auto [typeName, value] = text.split(':');
  std::optional<ElementType> type = parseElementType(typeName);
  if (!type)
    return refuse("NAME=in:TYPE:SHAPE:FILL or TYPE:VALUE with one of " +
                      elementTypeNames(),
                  text);
  argument.type = *type;
  std::optional<std::vector<char>> bytes = parseElement(*type, value);
  if (!bytes)
    return refuse("a number of type " + nameOf(*type), value);
  argument.scalar = std::move(*bytes);
  return argument;
}

llvm::Expected<std::array<uint32_t, 3>>
delta_ptxsim::parseSizes(StringRef text) {
  std::array<uint32_t, 3> sizes{1, 1, 1};
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > 3)
    return refuse("X[,Y[,Z]]", text);
  for (auto [part, size] : llvm::zip(parts, sizes))
    if (part.getAsInteger(10, size) || size == 0)
      return refuse("X[,Y[,Z]]", text);
  return sizes;
}
