//===- ZipStored.cpp - Zip archives without compression -------------------===//
//
// Part of the Delta-Net project.
//
// An archive is read from its end: the end record points at the central
// directory, whose entries point at local headers, which the members' bytes
// follow. Sizes are taken from the directory alone: writers that stream put
// placeholders in the local headers.
//
//===----------------------------------------------------------------------===//

#include "ZipStored.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;

static constexpr uint32_t localSignature = 0x04034b50;
static constexpr uint32_t entrySignature = 0x02014b50;
static constexpr uint32_t endSignature = 0x06054b50;
static constexpr size_t localBytes = 30, entryBytes = 46, endBytes = 22;
static constexpr uint32_t zip64Marker = 0xFFFFFFFF;
static constexpr uint16_t versionStored = 20;
static constexpr uint16_t firstDay = (1 << 5) | 1; // 1980-01-01

static llvm::Error fail(llvm::StringRef where, const llvm::Twine &what) {
  return llvm::createStringError(where + ": " + what);
}

static uint32_t checksum(llvm::StringRef bytes) {
  return llvm::crc32(llvm::arrayRefFromStringRef(bytes));
}

/// Offset of the end record: the last signature whose comment ends the file.
static size_t findEnd(llvm::StringRef file) {
  if (file.size() < endBytes)
    return llvm::StringRef::npos;
  size_t last = file.size() - endBytes;
  size_t first = last > UINT16_MAX ? last - UINT16_MAX : 0;
  for (size_t at = last + 1; at-- > first;)
    if (read32le(file.data() + at) == endSignature &&
        at + endBytes + read16le(file.data() + at + 20) == file.size())
      return at;
  return llvm::StringRef::npos;
}

/// "0 (stored)" and so on, for errors.
static std::string methodText(unsigned method) {
  switch (method) {
  case 8:
    return "8 (deflate)";
  case 9:
    return "9 (deflate64)";
  case 12:
    return "12 (bzip2)";
  case 14:
    return "14 (lzma)";
  case 93:
    return "93 (zstd)";
  default:
    return std::to_string(method);
  }
}

/// Reads the member that the directory entry at the front of `directory`
/// describes, and consumes the entry.
static llvm::Expected<ZipMember> readMember(llvm::StringRef file,
                                            llvm::StringRef &directory,
                                            llvm::StringRef where) {
  const char *entry = directory.data();
  if (directory.size() < entryBytes || read32le(entry) != entrySignature)
    return fail(where, "the zip directory is damaged");
  unsigned flags = read16le(entry + 8), method = read16le(entry + 10);
  uint32_t crc = read32le(entry + 16), packed = read32le(entry + 20);
  uint32_t size = read32le(entry + 24), local = read32le(entry + 42);
  size_t nameBytes = read16le(entry + 28);
  size_t total =
      entryBytes + nameBytes + read16le(entry + 30) + read16le(entry + 32);
  if (directory.size() < total)
    return fail(where, "the zip directory is cut off");
  llvm::StringRef name = directory.substr(entryBytes, nameBytes);
  directory = directory.drop_front(total);

  std::string member = llvm::formatv("{0}: member '{1}'", where, name);
  if (flags & 1)
    return fail(member, "expected plain bytes, got encrypted ones");
  if (method != 0)
    return fail(member, "expected zip method 0 (stored), got " +
                            methodText(method) +
                            "; write it with numpy.savez, which does not "
                            "compress");
  if (size == zip64Marker || packed == zip64Marker || local == zip64Marker)
    return fail(member, "expected 32-bit sizes, got zip64");
  if (size != packed)
    return fail(member,
                llvm::formatv("expected equal sizes of stored bytes, got {0} "
                              "and {1}",
                              packed, size));
  if (local > file.size() || file.size() - local < localBytes ||
      read32le(file.data() + local) != localSignature)
    return fail(member,
                llvm::formatv("expected a local header at byte {0}", local));
  size_t begin = local + localBytes + read16le(file.data() + local + 26) +
                 read16le(file.data() + local + 28);
  if (begin > file.size() || file.size() - begin < size)
    return fail(member, llvm::formatv("expected {0} bytes from byte {1}, got a "
                                      "file of {2} bytes",
                                      size, begin, file.size()));
  llvm::StringRef bytes = file.substr(begin, size);
  if (uint32_t found = checksum(bytes); found != crc)
    return fail(member, llvm::formatv("expected CRC-32 {0:x8}, got {1:x8}", crc,
                                      found));
  return ZipMember{name, bytes};
}

llvm::Expected<std::vector<ZipMember>>
verification::readZip(llvm::StringRef file, llvm::StringRef where) {
  size_t endAt = findEnd(file);
  if (endAt == llvm::StringRef::npos)
    return fail(where, "expected a zip archive, got a file without an end "
                       "record (cut off, or another format)");
  const char *end = file.data() + endAt;
  unsigned count = read16le(end + 10);
  uint32_t directoryBytes = read32le(end + 12);
  uint32_t directoryAt = read32le(end + 16);
  if (count == UINT16_MAX || directoryBytes == zip64Marker ||
      directoryAt == zip64Marker)
    return fail(where, "expected 32-bit sizes, got zip64");
  if (read16le(end + 4) != 0 || read16le(end + 6) != 0 ||
      read16le(end + 8) != count)
    return fail(where, "expected one zip file, got a part of several");
  if (directoryAt > endAt || endAt - directoryAt < directoryBytes)
    return fail(where, "the zip directory lies outside the file");

  llvm::StringRef directory = file.substr(directoryAt, directoryBytes);
  std::vector<ZipMember> members;
  llvm::StringSet<> names;
  size_t total = 0;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Expected<ZipMember> member = readMember(file, directory, where);
    if (!member)
      return member.takeError();
    if (!names.insert(member->name).second)
      return fail(where, "member '" + member->name + "' occurs twice");
    // Keeps a small file from describing the same bytes many times over.
    total += member->bytes.size();
    if (total > file.size())
      return fail(where, "members of the zip archive overlap");
    members.push_back(*member);
  }
  return members;
}

namespace {
/// Little-endian fields appended to a string.
class Writer {
public:
  Writer &u16(uint16_t value) { return put(value, 2); }
  Writer &u32(uint32_t value) { return put(value, 4); }
  Writer &text(llvm::StringRef bytes) {
    out.append(bytes.begin(), bytes.end());
    return *this;
  }
  std::string out;

private:
  Writer &put(uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      out += char(value >> (8 * i) & 0xFF);
    return *this;
  }
};
} // namespace

/// The fields that a local header and a directory entry share.
static void writeShared(Writer &writer, const ZipMember &member, uint32_t crc) {
  writer.u16(versionStored).u16(0).u16(0).u16(0).u16(firstDay).u32(crc);
  writer.u32(member.bytes.size()).u32(member.bytes.size());
  writer.u16(member.name.size()).u16(0);
}

llvm::Expected<std::string>
verification::writeZip(llvm::ArrayRef<ZipMember> members) {
  if (members.size() >= UINT16_MAX)
    return llvm::createStringError("expected fewer than 65535 members");
  uint64_t total = endBytes;
  for (const ZipMember &member : members) {
    if (member.name.size() > UINT16_MAX)
      return llvm::createStringError("expected member names below 64 KiB");
    total +=
        localBytes + entryBytes + 2 * member.name.size() + member.bytes.size();
  }
  if (total >= zip64Marker)
    return llvm::createStringError(
        "expected an archive below 4 GiB, got %llu bytes",
        static_cast<unsigned long long>(total));

  Writer file, directory;
  file.out.reserve(total);
  for (const ZipMember &member : members) {
    uint32_t crc = checksum(member.bytes), at = file.out.size();
    file.u32(localSignature);
    writeShared(file, member, crc);
    file.text(member.name).text(member.bytes);
    directory.u32(entrySignature).u16(versionStored);
    writeShared(directory, member, crc);
    directory.u16(0).u16(0).u16(0).u32(0).u32(at).text(member.name);
  }
  uint32_t directoryAt = file.out.size();
  file.text(directory.out);
  file.u32(endSignature).u16(0).u16(0);
  file.u16(members.size()).u16(members.size());
  file.u32(directory.out.size()).u32(directoryAt).u16(0);
  return std::move(file.out);
}
