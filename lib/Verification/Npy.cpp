//===- Npy.cpp - The .npy array format ------------------------------------===//
//
// Part of the Delta-Net project.
//
// A file is the magic, two version bytes, the header length (2 bytes in version
// 1, 4 in versions 2 and 3), a header that is a Python dictionary literal with
// the keys descr, fortran_order and shape, then the elements.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

static constexpr llvm::StringLiteral magic("\x93NUMPY");
static constexpr size_t maxRank = 8;

namespace {
struct TypeRow {
  NpyType type;
  unsigned bytes;
  llvm::StringLiteral descr;
};

/// What the header says.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

/// Reads the dictionary literal. Each function consumes what it recognises from
/// `rest` and returns false at anything unexpected.
class HeaderParser {
public:
  explicit HeaderParser(llvm::StringRef text) : rest(text) {}

  bool parse(Header &header) {
    if (!consume("{"))
      return false;
    while (!consume("}")) {
      std::string key;
      if (!string(key) || !consume(":") || !entry(key, header))
        return false;
      if (!consume(",") && !peek("}"))
        return false;
    }
    rest = rest.ltrim();
    return rest.empty();
  }

private:
  bool entry(llvm::StringRef key, Header &header) {
    if (key == "descr" && !header.descr)
      return string(header.descr.emplace());
    if (key == "fortran_order" && !header.fortranOrder)
      return boolean(header.fortranOrder.emplace());
    if (key == "shape" && !header.shape)
      return tuple(header.shape.emplace());
    return false;
  }

  bool peek(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.starts_with(token);
  }

  bool consume(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  bool string(std::string &out) {
    rest = rest.ltrim();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == llvm::StringRef::npos)
      return false;
    out = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool boolean(bool &out) {
    out = peek("True");
    return consume("True") || consume("False");
  }

  bool tuple(std::vector<int64_t> &out) {
    if (!consume("("))
      return false;
    while (!consume(")")) {
      uint64_t size;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, size) || size > uint64_t(INT64_MAX) ||
          out.size() == maxRank)
        return false;
      out.push_back(int64_t(size));
      if (!consume(",") && !peek(")"))
        return false;
    }
    return true;
  }

  llvm::StringRef rest;
};
} // namespace

static constexpr TypeRow types[] = {
    {NpyType::F16, 2, {"<f2"}}, {NpyType::F32, 4, {"<f4"}},
    {NpyType::F64, 8, {"<f8"}}, {NpyType::U8, 1, {"|u1"}},
    {NpyType::U16, 2, {"<u2"}}, {NpyType::I32, 4, {"<i4"}},
    {NpyType::I64, 8, {"<i8"}}};

static const TypeRow &rowOf(NpyType type) { return types[size_t(type)]; }

unsigned verification::npyElementBytes(NpyType type) {
  return rowOf(type).bytes;
}

llvm::StringRef verification::npyDescr(NpyType type) {
  return rowOf(type).descr;
}

int64_t NpyArray::elements() const {
  // Checked first: beside a zero, other sizes may overflow the product.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

std::string verification::shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, ",");
  return text + "]";
}

static llvm::Error fail(llvm::StringRef where, const llvm::Twine &what) {
  return llvm::createStringError(where + ": " + what);
}

/// The bytes that `shape` needs, or nothing when they do not fit a size.
static std::optional<uint64_t> bytesOf(llvm::ArrayRef<int64_t> shape,
                                       unsigned elementBytes) {
  if (llvm::is_contained(shape, 0))
    return 0;
  uint64_t bytes = elementBytes;
  for (int64_t size : shape) {
    bool overflowed = false;
    bytes = llvm::SaturatingMultiply(bytes, uint64_t(size), &overflowed);
    if (overflowed)
      return std::nullopt;
  }
  return bytes;
}

llvm::Expected<NpyArray> verification::parseNpy(llvm::StringRef file,
                                                llvm::StringRef where) {
  llvm::StringRef rest = file;
  if (!rest.consume_front(magic) || rest.size() < 2)
    return fail(where, "expected a .npy array, got other bytes");
  unsigned version = uint8_t(rest[0]);
  if (version < 1 || version > 3)
    return fail(where, "expected .npy format version 1, 2 or 3, got " +
                           llvm::Twine(version));
  rest = rest.drop_front(2);

  size_t lengthBytes = version == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return fail(where, "the .npy header is cut off");
  size_t length = version == 1 ? llvm::support::endian::read16le(rest.data())
                               : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return fail(where, llvm::formatv("expected a .npy header of {0} bytes, got "
                                     "{1}",
                                     length, rest.size()));
  Header header;
  if (!HeaderParser(rest.take_front(length)).parse(header) || !header.descr ||
      !header.fortranOrder || !header.shape)
    return fail(
        where, "expected a .npy header {'descr': …, 'fortran_order': "
               "…, 'shape': (…)} of rank at most 8, got '" +
                   rest.take_front(std::min<size_t>(length, 80)).rtrim() + "'");
  rest = rest.drop_front(length);

  const TypeRow *type = llvm::find_if(
      types, [&](const TypeRow &row) { return row.descr == *header.descr; });
  if (type == std::end(types))
    return fail(where, "expected type <f2, <f4, <f8, |u1, <u2, <i4 or <i8, "
                       "got '" +
                           *header.descr + "'");
  if (*header.fortranOrder)
    return fail(where, "expected C order, got Fortran order");
  std::optional<uint64_t> bytes = bytesOf(*header.shape, type->bytes);
  if (!bytes || *bytes != rest.size())
    return fail(where, llvm::formatv("expected the bytes of shape {0} of {1}, "
                                     "got {2} bytes",
                                     shapeText(*header.shape), *header.descr,
                                     rest.size()));
  NpyArray array;
  array.type = type->type;
  array.shape = std::move(*header.shape);
  array.bytes.assign(rest.begin(), rest.end());
  return array;
}

std::string verification::serializeNpy(const NpyArray &array) {
  // A tuple of one needs its comma, as in Python.
  std::string shape;
  for (int64_t size : array.shape)
    shape += std::to_string(size) + ", ";
  std::string header =
      llvm::formatv(
          "{{'descr': '{0}', 'fortran_order': False, 'shape': ({1}), ",
          npyDescr(array.type), llvm::StringRef(shape).rtrim())
          .str() +
      "}";
  // The elements start at a multiple of 64, and the header ends in a newline.
  size_t before = magic.size() + 4;
  size_t length = llvm::alignTo(before + header.size() + 1, 64) - before;
  header.resize(length - 1, ' ');
  header += '\n';

  std::string file = magic.str();
  file += {'\x01', '\x00', char(length & 0xFF), char(length >> 8)};
  file += header;
  file.append(array.bytes.begin(), array.bytes.end());
  return file;
}
