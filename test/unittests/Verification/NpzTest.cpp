//===- NpzTest.cpp - Array archives, good and hostile ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Npz.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::verification;

namespace {

NpzArchive sample() {
  NpzArchive archive;
  archive["q"] = NpyArray::make<float>(NpyType::F32, {2, 1, 3},
                                       {1.f, 2.f, 3.f, -4.f, 5.f, -6.f});
  archive["k_bf16"] = NpyArray::make<uint16_t>(NpyType::U16, {2}, {1, 0xFFFF});
  archive["scale"] = NpyArray::make<double>(NpyType::F64, {}, {0.25});
  archive["empty"] = NpyArray::make<float>(NpyType::F32, {0, 4}, {});
  archive["cu_seqlens"] = NpyArray::make<int32_t>(NpyType::I32, {2}, {0, 2});
  return archive;
}

std::string sampleBytes() { return llvm::cantFail(serializeNpz(sample())); }

/// The error that parsing `bytes` gives, or "" if there is none.
std::string errorOf(llvm::StringRef bytes) {
  llvm::Expected<NpzArchive> archive = parseNpz(bytes, "x.npz");
  return archive ? "" : llvm::toString(archive.takeError());
}

std::string npyError(llvm::StringRef bytes) {
  llvm::Expected<NpyArray> array = parseNpy(bytes, "a");
  return array ? "" : llvm::toString(array.takeError());
}

/// A version 1 file with this header and `dataBytes` zero bytes.
std::string npyFile(llvm::StringRef header, size_t dataBytes) {
  std::string file = "\x93NUMPY";
  file +=
      {'\x01', '\x00', char(header.size() & 0xFF), char(header.size() >> 8)};
  return file + header.str() + std::string(dataBytes, '\0');
}

void patch16(std::string &bytes, size_t at, uint16_t value) {
  llvm::support::endian::write16le(bytes.data() + at, value);
}
void patch32(std::string &bytes, size_t at, uint32_t value) {
  llvm::support::endian::write32le(bytes.data() + at, value);
}

/// Offset of the first central directory entry.
size_t directoryOf(const std::string &bytes) {
  return llvm::support::endian::read32le(bytes.data() + bytes.size() - 6);
}

TEST(Npz, RoundTrip) {
  NpzArchive archive = llvm::cantFail(parseNpz(sampleBytes(), "x.npz"));
  ASSERT_EQ(archive.size(), 5u);
  for (const auto &[name, array] : sample()) {
    EXPECT_EQ(archive[name].type, array.type) << name;
    EXPECT_EQ(archive[name].shape, array.shape) << name;
    EXPECT_EQ(archive[name].bytes, array.bytes) << name;
  }
  EXPECT_EQ(archive["q"].values<float>()[3], -4.f);
  EXPECT_EQ(archive["scale"].elements(), 1);
}

TEST(Npz, SameArraysSameBytes) { EXPECT_EQ(sampleBytes(), sampleBytes()); }

TEST(Npz, DataStartsAtAMultipleOf64) {
  std::string file = serializeNpy(sample()["q"]);
  EXPECT_EQ((file.size() - 24) % 64, 0u);
  EXPECT_EQ(file[file.size() - 25], '\n');
}

TEST(Npz, EveryTruncationIsAnError) {
  std::string bytes = sampleBytes();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(errorOf(llvm::StringRef(bytes).take_front(size)), "") << size;
}

TEST(Npz, NoFlippedByteCrashesAndNoneInDataPasses) {
  std::string bytes = sampleBytes();
  size_t directory = directoryOf(bytes);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int change : {0x01, 0x80, 0xFF}) {
      std::string bad = bytes;
      bad[at] = char(bad[at] ^ change);
      std::string error = errorOf(bad);
      if (at < directory && error.empty()) {
        // Only fields of local headers that nobody reads may change freely.
        llvm::StringRef before = llvm::StringRef(bytes).take_front(at + 1);
        EXPECT_LT(at - before.rfind("PK\x03\x04"), 30u + 14u) << at;
      }
    }
}

TEST(Npz, NamesTheCompressionMethod) {
  std::string bytes = sampleBytes();
  patch16(bytes, directoryOf(bytes) + 10, 8);
  EXPECT_EQ(errorOf(bytes),
            "x.npz: member 'cu_seqlens.npy': expected zip method 0 (stored), "
            "got 8 (deflate); write it with numpy.savez, which does not "
            "compress");
}

TEST(Npz, RefusesEncryptionZip64AndSeveralDisks) {
  std::string bytes = sampleBytes();
  patch16(bytes, directoryOf(bytes) + 8, 1);
  EXPECT_EQ(errorOf(bytes), "x.npz: member 'cu_seqlens.npy': expected plain "
                            "bytes, got encrypted ones");
  bytes = sampleBytes();
  patch32(bytes, directoryOf(bytes) + 24, 0xFFFFFFFF);
  EXPECT_EQ(errorOf(bytes), "x.npz: member 'cu_seqlens.npy': expected 32-bit "
                            "sizes, got zip64");
  bytes = sampleBytes();
  patch16(bytes, bytes.size() - 18, 1);
  EXPECT_EQ(errorOf(bytes),
            "x.npz: expected one zip file, got a part of several");
}

TEST(Npz, HugeSizesAndOffsets) {
  for (size_t field : {20, 24, 42}) {
    std::string bytes = sampleBytes();
    size_t entry = directoryOf(bytes);
    patch32(bytes, entry + field, 0x7FFFFFF0);
    if (field != 42)
      patch32(bytes, entry + 44 - field, 0x7FFFFFF0);
    EXPECT_NE(errorOf(bytes), "") << field;
  }
  std::string bytes = sampleBytes();
  patch32(bytes, bytes.size() - 6, 0x7FFFFFF0);
  EXPECT_EQ(errorOf(bytes), "x.npz: the zip directory lies outside the file");
}

TEST(Npz, ChecksumMismatch) {
  std::string bytes = sampleBytes();
  size_t data = llvm::StringRef(bytes).find("descr");
  bytes[data] = 'D';
  EXPECT_NE(errorOf(bytes).find("expected CRC-32 0x"), std::string::npos);
}

TEST(Npz, RepeatedAndForeignMembers) {
  NpzArchive one;
  one["a"] = one["b"] = NpyArray::make<float>(NpyType::F32, {1}, {1.f});
  std::string bytes = llvm::cantFail(serializeNpz(one));
  std::string twice = bytes;
  for (size_t at; (at = twice.find("b.npy")) != std::string::npos;)
    twice[at] = 'a';
  EXPECT_EQ(errorOf(twice), "x.npz: member 'a.npy' occurs twice");
  std::string foreign = bytes;
  for (size_t at; (at = foreign.find("b.npy")) != std::string::npos;)
    foreign[at + 1] = '_';
  EXPECT_EQ(errorOf(foreign),
            "x.npz: member 'b_npy': expected a name ending in .npy");
}

TEST(Npz, MembersThatShareBytes) {
  NpzArchive many;
  for (char c = 'a'; c <= 'e'; ++c)
    many[std::string(1, c)] = NpyArray::make<float>(NpyType::F32, {1}, {1.f});
  std::string bytes = llvm::cantFail(serializeNpz(many));
  // Keep the first member alone and let every entry point at it.
  size_t directory = directoryOf(bytes), first = directory / 5;
  bytes.erase(first, directory - first);
  patch32(bytes, bytes.size() - 6, first);
  for (size_t i = 0; i < 5; ++i)
    patch32(bytes, first + i * (46 + 5) + 42, 0);
  EXPECT_EQ(errorOf(bytes), "x.npz: members of the zip archive overlap");
}

TEST(Npz, MissingFile) {
  llvm::Expected<NpzArchive> archive = readNpz("/no/such/file.npz");
  ASSERT_FALSE(bool(archive));
  EXPECT_EQ(llvm::toString(archive.takeError()),
            "/no/such/file.npz: No such file or directory");
}

TEST(Npy, ReadsVersions1To3AndAnyKeyOrder) {
  std::string header = "{'shape': (2, ), 'descr': '<i4',"
                       "'fortran_order' : False}\n";
  EXPECT_EQ(npyError(npyFile(header, 8)), "");
  std::string file = npyFile(header, 8);
  for (char version : {'\x02', '\x03'}) {
    std::string wide = file;
    wide[6] = version;
    wide.insert(10, 2, '\0');
    EXPECT_EQ(npyError(wide), "");
  }
  file[6] = '\x04';
  EXPECT_EQ(npyError(file), "a: expected .npy format version 1, 2 or 3, got 4");
}

TEST(Npy, RefusesWhatItCannotHold) {
  auto header = [](llvm::StringRef descr, llvm::StringRef order,
                   llvm::StringRef shape) {
    return ("{'descr': '" + descr + "', 'fortran_order': " + order +
            ", 'shape': " + shape + ", }\n")
        .str();
  };
  EXPECT_EQ(npyError(npyFile(header("<f4", "True", "(1,)"), 4)),
            "a: expected C order, got Fortran order");
  EXPECT_EQ(npyError(npyFile(header(">f4", "False", "(1,)"), 4)),
            "a: expected type <f2, <f4, <f8, |u1, <u2, <i4 or <i8, got '>f4'");
  EXPECT_EQ(npyError(npyFile(header("|O", "False", "(1,)"), 8)),
            "a: expected type <f2, <f4, <f8, |u1, <u2, <i4 or <i8, got '|O'");
  EXPECT_EQ(npyError(npyFile(header("<f4", "False", "(3,)"), 8)),
            "a: expected the bytes of shape [3] of <f4, got 8 bytes");
  EXPECT_EQ(npyError(npyFile(header("<f4", "False", "(3,)"), 16)),
            "a: expected the bytes of shape [3] of <f4, got 16 bytes");
}

TEST(Npy, ShapesThatOverflow) {
  auto error = [](llvm::StringRef shape) {
    return npyError(npyFile(
        ("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}")
            .str(),
        0));
  };
  EXPECT_NE(error("(4294967296, 4294967296)"), "");
  EXPECT_NE(error("(9223372036854775807, 2)"), "");
  EXPECT_NE(error("(9223372036854775808,)"), "");
  EXPECT_NE(error("(99999999999999999999999,)"), "");
  EXPECT_NE(error("(-1,)"), "");
  EXPECT_NE(error("(1,1,1,1,1,1,1,1,1)"), "");
  // Huge beside zero is a legal empty array.
  EXPECT_EQ(error("(9223372036854775807, 9223372036854775807, 0)"), "");
}

TEST(Npy, MalformedHeaders) {
  for (const char *header :
       {"", "{", "{}", "'descr'", "{'descr': '<f4'}", "{'descr': '<f4', }",
        "{'descr': '<f4', 'descr': '<f4'}", "{'descr': <f4}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}"})
    EXPECT_NE(npyError(npyFile(header, 4)).find("a: expected a .npy header"),
              std::string::npos)
        << header;
}

} // namespace
