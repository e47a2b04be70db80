//===- AmxTest.cpp - Tile instructions against scalar code ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AssembledCode.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <random>

using namespace mlir::deltanet::emulation;

using Texts = std::vector<std::string>;

namespace {
/// Shapes of tiles, as LDTILECFG takes them.
std::vector<uint8_t>
config(std::vector<std::pair<unsigned, unsigned>> rowsAndBytes) {
  std::vector<uint8_t> bytes(64);
  bytes[0] = 1;
  for (size_t i = 0; i < rowsAndBytes.size(); ++i) {
    bytes[16 + 2 * i] = uint8_t(rowsAndBytes[i].second);
    bytes[48 + i] = uint8_t(rowsAndBytes[i].first);
  }
  return bytes;
}

class AmxTest : public AssembledCodeTest {
protected:
  /// One product of tiles: tmm0 += tmm1 * tmm2 for sums [rows, columns] and
  /// `depth` groups of four bytes.
  CallResult multiply(llvm::StringRef mnemonic, unsigned rows, unsigned columns,
                      unsigned depth, void *sum, const void *left,
                      const void *right) {
    uint8_t *shapes = array<uint8_t>(
        "shapes",
        config({{rows, 4 * columns}, {rows, 4 * depth}, {depth, 4 * columns}}),
        Permission::Read);
    return run("ldtilecfg (%rdi)\n"
               "tileloadd (%rsi,%r8), %tmm0\n"
               "tileloadd (%rdx,%r9), %tmm1\n"
               "tileloaddt1 (%rcx,%r8), %tmm2\n" +
                   mnemonic.str() +
                   " %tmm2, %tmm1, %tmm0\n"
                   "tilestored %tmm0, (%rsi,%r8)\n"
                   "tilerelease",
               {argument(shapes), argument(sum), argument(left),
                argument(right), 4 * columns, 4 * depth});
  }

  template <typename Left, typename Right>
  void testBytes(llvm::StringRef mnemonic) {
    constexpr unsigned rows = 5, columns = 12, depth = 7;
    std::vector<Left> left(rows * 4 * depth);
    std::vector<Right> right(depth * 4 * columns);
    std::vector<int32_t> sum(rows * columns);
    for (Left &x : left)
      x = Left(random());
    for (Right &x : right)
      x = Right(random());
    for (int32_t &x : sum)
      x = int32_t(random());
    std::vector<int32_t> expected = sum;
    for (unsigned m = 0; m < rows; ++m)
      for (unsigned n = 0; n < columns; ++n)
        for (unsigned k = 0; k < 4 * depth; ++k)
          expected[m * columns + n] +=
              int32_t(left[m * 4 * depth + k]) *
              int32_t(right[k / 4 * 4 * columns + 4 * n + k % 4]);
    int32_t *result = array("sum", sum);
    CallResult call = multiply(mnemonic, rows, columns, depth, result,
                               array("left", left, Permission::Read),
                               array("right", right, Permission::Read));
    EXPECT_EQ(textsOf(call), Texts());
    EXPECT_EQ(std::vector<int32_t>(result, result + sum.size()), expected);
  }

  std::mt19937 random{1};
};
} // namespace

TEST_F(AmxTest, loadAndStoreOfConfigurations) {
  std::vector<uint8_t> shapes = config({{16, 64}, {3, 20}, {0, 0}, {1, 4}});
  uint8_t *in = array("in", shapes, Permission::Read);
  uint8_t *out = array("out", std::vector<uint8_t>(128, 0xFF));
  EXPECT_EQ(textsOf(run("ldtilecfg (%rdi); sttilecfg (%rsi)\n"
                        "tilerelease; sttilecfg 64(%rsi)",
                        {argument(in), argument(out)})),
            Texts());
  EXPECT_EQ(std::vector<uint8_t>(out, out + 64), shapes);
  EXPECT_EQ(std::vector<uint8_t>(out + 64, out + 128),
            std::vector<uint8_t>(64));
}

TEST_F(AmxTest, refusedConfigurations) {
  auto expectFinding = [&](std::vector<uint8_t> bytes, llvm::StringRef what) {
    uint8_t *in = array("in", bytes, Permission::Read);
    EXPECT_EQ(
        textsOf(run("ldtilecfg (%rdi)", {argument(in)})),
        Texts{"code+0x0: ldtilecfg (%rdi): general protection: expected " +
              what.str()});
  };
  std::vector<uint8_t> bytes = config({{16, 64}});
  bytes[0] = 2;
  expectFinding(bytes, "palette 0 or 1 of tiles");
  bytes = config({{16, 64}});
  bytes[15] = 1;
  expectFinding(bytes, "reserved bytes of the tile configuration to be 0");
  expectFinding(config({{16, 68}}),
                "tiles of at most 16 rows and 64 bytes a row");
  expectFinding(config({{17, 64}}),
                "tiles of at most 16 rows and 64 bytes a row");
  expectFinding(config({{16, 0}}),
                "tiles with both rows and bytes, or neither");
}

TEST_F(AmxTest, configurationWithDisplacementAndIndex) {
  std::vector<uint8_t> bytes(40);
  llvm::append_range(bytes, config({{2, 8}}));
  uint8_t *in = array("in", bytes, Permission::Read);
  EXPECT_EQ(
      textsOf(run("ldtilecfg 8(%rdi,%rsi,4); tilerelease", {argument(in), 8})),
      Texts());
}

TEST_F(AmxTest, loadsOfRowsAreExact) {
  // Three rows of 20 bytes, 24 bytes apart: the last gap belongs to no one.
  uint8_t *shapes = array("shapes", config({{3, 20}}), Permission::Read);
  std::vector<uint8_t> bytes(2 * 24 + 20);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t(i);
  uint8_t *in = array("in", bytes, Permission::Read);
  uint8_t *out = array("out", std::vector<uint8_t>(60, 0xFF));
  machine->memory().markUninitialised(out, 60);
  CallResult result =
      run("ldtilecfg (%rdi)\n"
          "tileloadd (%rsi,%rcx,8), %tmm0\n"
          "tilestored %tmm0, (%rdx,%r8)\n"
          "movzbl 59(%rdx), %eax; tilerelease",
          {argument(shapes), argument(in), argument(out), 3, 20});
  EXPECT_EQ(textsOf(result), Texts());
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned i = 0; i < 20; ++i)
      EXPECT_EQ(out[row * 20 + i], row * 24 + i);
  EXPECT_EQ(result.counts.tileLoads, 1u);
  EXPECT_EQ(result.counts.tileStores, 1u);
}

TEST_F(AmxTest, tileAccessesAreChecked) {
  uint8_t *shapes = array("shapes", config({{4, 64}}), Permission::Read);
  uint8_t *in = array("in", std::vector<uint8_t>(255), Permission::Read);
  EXPECT_EQ(textsOf(run("movl $64, %eax; ldtilecfg (%rdi)\n"
                        "tileloadd (%rsi,%rax), %tmm0; tilerelease",
                        {argument(shapes), argument(in)})),
            Texts{"code+0xa: tileloadd (%rsi,%rax), %tmm0: out of bounds: read "
                  "of 64 bytes, to 1 bytes after 'in'"});
  EXPECT_EQ(
      textsOf(run("movl $64, %eax; ldtilecfg (%rdi); tilezero %tmm0\n"
                  "tilestored %tmm0, (%rsi,%rax); tilerelease",
                  {argument(shapes), argument(in)})),
      Texts{"code+0xf: tilestored %tmm0, (%rsi,%rax): read-only: write of "
            "64 bytes, at byte 0 of 'in'"});
}

TEST_F(AmxTest, zero) {
  uint8_t *shapes =
      array("shapes", config({{1, 4}, {2, 64}}), Permission::Read);
  uint8_t *out = array("out", std::vector<uint8_t>(128, 0xFF));
  EXPECT_EQ(textsOf(run("ldtilecfg (%rdi)\n"
                        "tileloadd (%rsi,%rdx), %tmm1; tilezero %tmm1\n"
                        "tilestored %tmm1, (%rsi,%rdx); tilerelease",
                        {argument(shapes), argument(out), 64})),
            Texts());
  EXPECT_EQ(std::vector<uint8_t>(out, out + 128), std::vector<uint8_t>(128));
}

TEST_F(AmxTest, productOfSignedBytes) { testBytes<int8_t, int8_t>("tdpbssd"); }
TEST_F(AmxTest, productOfSignedAndUnsignedBytes) {
  testBytes<int8_t, uint8_t>("tdpbsud");
}
TEST_F(AmxTest, productOfUnsignedAndSignedBytes) {
  testBytes<uint8_t, int8_t>("tdpbusd");
}
TEST_F(AmxTest, productOfUnsignedBytes) {
  testBytes<uint8_t, uint8_t>("tdpbuud");
}

static float bf16(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

TEST_F(AmxTest, productOfBf16) {
  constexpr unsigned rows = 16, columns = 16, depth = 16;
  std::vector<uint16_t> left(rows * 2 * depth), right(depth * 2 * columns);
  for (std::vector<uint16_t> *halves : {&left, &right})
    for (uint16_t &half : *halves)
      half = uint16_t(0x3F00 | (random() & 0x80FF));
  std::vector<float> sum(rows * columns);
  for (float &x : sum)
    x = float(random() % 1000) / 64 - 8;
  std::vector<float> expected = sum;
  for (unsigned m = 0; m < rows; ++m)
    for (unsigned n = 0; n < columns; ++n) {
      // Even and odd elements are summed apart.
      float parts[2] = {};
      for (unsigned k = 0; k < 2 * depth; ++k)
        parts[k % 2] = std::fma(
            bf16(left[m * 2 * depth + k]),
            bf16(right[k / 2 * 2 * columns + 2 * n + k % 2]), parts[k % 2]);
      expected[m * columns + n] += parts[0] + parts[1];
    }
  float *result = array("sum", sum);
  CallResult call = multiply("tdpbf16ps", rows, columns, depth, result,
                             array("left", left, Permission::Read),
                             array("right", right, Permission::Read));
  EXPECT_EQ(textsOf(call), Texts());
  EXPECT_EQ(std::vector<float>(result, result + sum.size()), expected);
  EXPECT_EQ(call.counts.tileMultiplies, 1u);
  EXPECT_EQ(call.counts.tileLoads, 3u);
  EXPECT_EQ(call.counts.mnemonics["TILELOADDT1"], 1u);
}

TEST_F(AmxTest, productOfBf16FlushesDenormalNumbers) {
  // 2^-130 is denormal; 2^-70 squared and 2^-120 / 2^10 become so.
  std::vector<uint16_t> left = {0x0010, 0x1C80, 0x0380, 0x0000};
  std::vector<uint16_t> right = {0x7F00, 0x1C80, 0x3A80, 0x0000};
  float *sum = array<float>("sum", {0x1p-130f});
  EXPECT_EQ(textsOf(multiply("tdpbf16ps", 1, 1, 2, sum,
                             array("left", left, Permission::Read),
                             array("right", right, Permission::Read))),
            Texts());
  EXPECT_EQ(*sum, 0.0f);
}

TEST_F(AmxTest, productOfF16) {
  // 1.5 * 2, -0.25 * 4, a denormal 2^-24 * 2^15, 65504 * 2.
  std::vector<uint16_t> left = {0x3E00, 0xB400, 0x0001, 0x7BFF};
  std::vector<uint16_t> right = {0x4000, 0x4400, 0x7800, 0x4000};
  float *sum = array<float>("sum", {0.5f});
  EXPECT_EQ(textsOf(multiply("tdpfp16ps", 1, 1, 2, sum,
                             array("left", left, Permission::Read),
                             array("right", right, Permission::Read))),
            Texts());
  EXPECT_EQ(*sum, 0.5f + ((3.0f + 0x1p-9f) + (-1.0f + 131008.0f)));
}

TEST_F(AmxTest, wrongOperands) {
  uint8_t *shapes = array(
      "shapes", config({{4, 64}, {4, 64}, {4, 64}, {16, 64}, {4, 6}, {4, 6}}),
      Permission::Read);
  auto whatOf = [&](llvm::StringRef text) {
    CallResult result =
        run(("ldtilecfg (%rdi)\n" + text).str(), {argument(shapes)});
    return result.findings.size() == 1 ? result.findings[0].what : "";
  };
  // tdpbf16ps %tmm1, %tmm1, %tmm0, which assemblers refuse.
  EXPECT_EQ(whatOf(".byte 0xc4, 0xe2, 0x72, 0x5c, 0xc1"),
            "illegal instruction: expected three different tiles");
  EXPECT_EQ(whatOf("tdpbf16ps %tmm2, %tmm1, %tmm0"),
            "illegal instruction: expected tiles whose shapes fit");
  EXPECT_EQ(whatOf("tdpbf16ps %tmm7, %tmm1, %tmm0"),
            "illegal instruction: expected configured tiles");
  EXPECT_EQ(whatOf("tdpbf16ps %tmm4, %tmm1, %tmm5"),
            "illegal instruction: expected tiles with rows of whole 4-byte "
            "groups");
  EXPECT_EQ(whatOf("tilezero %tmm7"),
            "illegal instruction: expected a configured tile");
  EXPECT_EQ(whatOf("tilerelease; tilezero %tmm0"),
            "illegal instruction: expected configured tiles");
}

TEST_F(AmxTest, tilesNeedAModelThatHasThem) {
  useMachine({CpuModel::TigerLake, {}});
  EXPECT_EQ(textsOf(run("tilerelease")),
            Texts{"code+0x0: tilerelease: illegal instruction: expected one "
                  "that the CPU model has"});
}
