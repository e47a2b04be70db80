//===- Buffers.cpp - Buffers of a run, filled and read back ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "WriteFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace delta_ptxsim;
using namespace mlir::deltanet;
namespace npy = mlir::deltanet::verification;

static llvm::Expected<std::vector<char>> readFile(const Argument &argument) {
  llvm::StringRef path = argument.buffer->file;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createFileError(path, file.getError());
  llvm::Expected<npy::NpyArray> array =
      npy::parseNpy((*file)->getBuffer(), path);
  if (!array)
    return array.takeError();
  npy::NpyType type = npyTypeOf(argument.type);
  if (array->type != type)
    return llvm::createStringError(
        path + ": expected elements '" + npy::npyDescr(type) + "' for " +
        nameOf(argument.type) + ", got '" + npy::npyDescr(array->type) + "'");
  if (uint64_t(array->elements()) != argument.buffer->elements())
    return llvm::createStringError(path +
                                   ": expected the elements of a shape " +
                                   npy::shapeText(argument.buffer->shape) +
                                   ", got " + npy::shapeText(array->shape));
  return std::move(array->bytes);
}

/// Integers of all values, floats from -1 to 1.
static void fillRandom(ElementType type, uint64_t seed,
                       llvm::MutableArrayRef<char> bytes) {
  std::mt19937_64 random(seed);
  for (uint64_t at = 0; at < bytes.size(); at += bytesOf(type)) {
    uint64_t bits = random();
    if (isFloat(type))
      storeFloat(type, float(int64_t(bits) >> 40) / (1 << 23), &bytes[at]);
    else
      storeInteger(type, bits, &bytes[at]);
  }
}

static llvm::Expected<std::vector<char>> makeBytes(const Argument &argument) {
  const Buffer &buffer = *argument.buffer;
  if (buffer.fill == Fill::File)
    return readFile(argument);
  std::vector<char> bytes(argument.bytes());
  if (buffer.fill == Fill::Random) {
    fillRandom(argument.type, buffer.seed, bytes);
    return bytes;
  }
  for (uint64_t number = 0; number < buffer.elements(); ++number)
    storeInteger(argument.type,
                 buffer.fill == Fill::Iota ? number : buffer.fill == Fill::One,
                 &bytes[number * bytesOf(argument.type)]);
  return bytes;
}

llvm::Expected<std::vector<char>> Buffers::prepare(const Argument &argument) {
  if (!argument.buffer)
    return argument.scalar;
  const Buffer &buffer = *argument.buffer;
  uint64_t address = memory.allocate(buffer.name, argument.bytes(),
                                     buffer.direction == Direction::In
                                         ? ptx::Permission::Read
                                         : ptx::Permission::ReadWrite);
  addresses[buffer.name] = address;
  if (buffer.fill != Fill::None) {
    llvm::Expected<std::vector<char>> bytes = makeBytes(argument);
    if (!bytes)
      return bytes.takeError();
    memory.write(address, *bytes);
  }
  const char *begin = reinterpret_cast<const char *>(&address);
  return std::vector<char>(begin, begin + sizeof address);
}

void Buffers::print(const Argument &argument, uint64_t count,
                    llvm::raw_ostream &out) {
  const Buffer &buffer = *argument.buffer;
  const unsigned size = bytesOf(argument.type);
  const uint64_t address = addresses.at(buffer.name);
  count = std::min(count, buffer.elements());
  out << buffer.name << ":";
  for (uint64_t at = 0; at < count * size; at += size) {
    char element[8];
    memory.read(address + at, llvm::MutableArrayRef(element, size));
    out << " "
        << (memory.isInitialised(address + at, size)
                ? textOf(argument.type, element)
                : "?");
  }
  out << (count < buffer.elements() ? " …\n" : "\n");
}

llvm::Error Buffers::save(const Argument &argument, llvm::StringRef path) {
  const uint64_t address = addresses.at(argument.buffer->name);
  npy::NpyArray array{npyTypeOf(argument.type), argument.buffer->shape,
                      std::vector<char>(argument.bytes())};
  if (!memory.isInitialised(address, array.bytes.size()))
    return llvm::createStringError(
        path + ": expected a buffer '" + argument.buffer->name +
        "' that is written entirely, got one that is not");
  memory.read(address, array.bytes);
  return mlir::deltanet::writeFile(path, npy::serializeNpy(array));
}
