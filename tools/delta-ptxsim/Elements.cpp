//===- Elements.cpp - Types of scalars and buffers ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace delta_ptxsim;
using namespace mlir::deltanet::verification;

namespace {
struct TypeRow {
  ElementType type;
  llvm::StringLiteral name;
  unsigned bytes;
  NpyType npy;
};
} // namespace

/// In the order of ElementType.
static constexpr TypeRow kTypes[] = {
    {ElementType::U8, "u8", 1, NpyType::U8},
    {ElementType::S32, "s32", 4, NpyType::I32},
    {ElementType::U32, "u32", 4, NpyType::I32},
    {ElementType::S64, "s64", 8, NpyType::I64},
    {ElementType::U64, "u64", 8, NpyType::I64},
    {ElementType::F16, "f16", 2, NpyType::F16},
    {ElementType::BF16, "bf16", 2, NpyType::U16},
    {ElementType::F32, "f32", 4, NpyType::F32},
    {ElementType::F64, "f64", 8, NpyType::F64},
};

static const TypeRow &rowOf(ElementType type) { return kTypes[size_t(type)]; }

std::optional<ElementType>
delta_ptxsim::parseElementType(llvm::StringRef name) {
  for (const TypeRow &row : kTypes)
    if (row.name == name)
      return row.type;
  return std::nullopt;
}

std::string delta_ptxsim::elementTypeNames() {
  std::vector<llvm::StringRef> names;
  for (const TypeRow &row : kTypes)
    names.push_back(row.name);
  return llvm::join(names, ", ");
}

llvm::StringRef delta_ptxsim::nameOf(ElementType type) {
  return rowOf(type).name;
}
unsigned delta_ptxsim::bytesOf(ElementType type) { return rowOf(type).bytes; }
NpyType delta_ptxsim::npyTypeOf(ElementType type) { return rowOf(type).npy; }
bool delta_ptxsim::isFloat(ElementType type) {
  return type >= ElementType::F16;
}

template <typename T> static void put(T value, char *to) {
  std::memcpy(to, &value, sizeof value);
}
template <typename T> static T get(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

void delta_ptxsim::storeFloat(ElementType type, float value, char *to) {
  switch (type) {
  case ElementType::F16:
    return put(toF16(value), to);
  case ElementType::BF16:
    return put(toBF16(value), to);
  case ElementType::F32:
    return put(value, to);
  case ElementType::F64:
    return put(double(value), to);
  default:
    return storeInteger(type, uint64_t(value), to);
  }
}

void delta_ptxsim::storeInteger(ElementType type, uint64_t value, char *to) {
  if (type == ElementType::F64)
    put(double(value), to);
  else if (isFloat(type))
    storeFloat(type, float(value), to);
  else
    std::memcpy(to, &value, bytesOf(type)); // little endian
}

std::optional<std::vector<char>>
delta_ptxsim::parseElement(ElementType type, llvm::StringRef text) {
  std::vector<char> bytes(bytesOf(type));
  const unsigned bits = 8 * bytes.size();
  if (isFloat(type)) {
    double value;
    if (text.getAsDouble(value))
      return std::nullopt;
    if (type == ElementType::F64)
      put(value, bytes.data());
    else
      storeFloat(type, float(value), bytes.data());
    return bytes;
  }
  if (type == ElementType::S32 || type == ElementType::S64) {
    int64_t value;
    if (text.getAsInteger(0, value) || !llvm::isIntN(bits, value))
      return std::nullopt;
    storeInteger(type, uint64_t(value), bytes.data());
    return bytes;
  }
  uint64_t value;
  if (text.getAsInteger(0, value) || !llvm::isUIntN(bits, value))
    return std::nullopt;
  storeInteger(type, value, bytes.data());
  return bytes;
}

static std::string digitsOf(double value, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
  return text;
}

std::string delta_ptxsim::textOf(ElementType type, const char *element) {
  switch (type) {
  case ElementType::U8:
    return std::to_string(get<uint8_t>(element));
  case ElementType::S32:
    return std::to_string(get<int32_t>(element));
  case ElementType::U32:
    return std::to_string(get<uint32_t>(element));
  case ElementType::S64:
    return std::to_string(get<int64_t>(element));
  case ElementType::U64:
    return std::to_string(get<uint64_t>(element));
  case ElementType::F16:
    return digitsOf(fromF16(get<uint16_t>(element)), 5);
  case ElementType::BF16:
    return digitsOf(fromBF16(get<uint16_t>(element)), 4);
  case ElementType::F32:
    return digitsOf(get<float>(element), 9);
  case ElementType::F64:
    return digitsOf(get<double>(element), 17);
  }
  return "";
}
