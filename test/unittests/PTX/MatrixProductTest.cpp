//===- MatrixProductTest.cpp - Products of matrices by a warp -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RoundingOracle.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

constexpr unsigned kLanes = 32, kRows = 16, kColumns = 8;
using Matrix = std::vector<std::vector<double>>;

Matrix zeros(unsigned rows, unsigned columns) {
  return Matrix(rows, std::vector<double>(columns));
}

/// Elements whose products and sums are exact in any order, or not.
Matrix randomMatrix(unsigned rows, unsigned columns, bool isExact,
                    std::mt19937 &random) {
  std::normal_distribution<double> normal;
  Matrix matrix = zeros(rows, columns);
  for (auto &row : matrix)
    for (double &element : row) {
      element = isExact ? int(random() % 17) - 8 : normal(random);
      element = asDouble(roundTo<Brain>(Mode::Nearest, {element}));
    }
  return matrix;
}

/// Bits of an element in the type of operands.
uint32_t bitsIn(llvm::StringRef type, double value) {
  if (type == "bf16")
    return roundTo<Brain>(Mode::Nearest, {value}).bits;
  if (type == "f16")
    return roundTo<Half>(Mode::Nearest, {value}).bits;
  return uint32_t(bitsOfValue(float(value)));
}

/// The manual's formulas for one kind of fragment: the place of an element of a
/// lane.
struct Place {
  unsigned row, column;
};
Place placeInA(unsigned depth, bool isSingle, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, thread = lane % 4;
  if (isSingle) // a0 a1 (a2 a3) of TF32
    return {group + (i == 1 || i == 3 ? 8 : 0), thread + (i >= 2 ? 4 : 0)};
  if (depth == 8)
    return {group + (i >= 2 ? 8 : 0), thread * 2 + (i & 1)};
  return {(i < 2 || (i >= 4 && i < 6)) ? group : group + 8,
          thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}
Place placeInB(bool isSingle, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, thread = lane % 4;
  if (isSingle)
    return {thread + (i == 1 ? 4 : 0), group};
  return {thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
}
Place placeInC(unsigned lane, unsigned i) {
  return {(lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
}

/// Registers of a fragment, `perRegister` elements in each.
template <typename PlaceOf>
void addFragment(std::vector<Values> &sources, const Matrix &matrix,
                 llvm::StringRef type, PlaceOf place) {
  unsigned perRegister = type == "f16" || type == "bf16" ? 2 : 1;
  unsigned count = matrix.size() * matrix[0].size() / kLanes / perRegister;
  for (unsigned reg = 0; reg < count; ++reg) {
    Values values = {4, {}};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint64_t bits = 0;
      for (unsigned part = 0; part < perRegister; ++part) {
        Place at = place(lane, reg * perRegister + part);
        bits |= uint64_t(bitsIn(type, matrix[at.row][at.column]))
                << (16 * part);
      }
      values.bits.push_back(bits);
    }
    sources.push_back(values);
  }
}

std::string list(char first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += std::string(i ? ", %" : "%") + char(first + i);
  return text + "}";
}

struct Form {
  unsigned depth;
  std::string operands, sums;
};

/// D by the instruction, for one warp.
Matrix product(const Form &form, const Matrix &a, const Matrix &b,
               const Matrix &c) {
  bool isSingle = form.operands == "tf32";
  std::vector<Values> sources;
  addFragment(sources, a, form.operands, [&](unsigned lane, unsigned i) {
    return placeInA(form.depth, isSingle, lane, i);
  });
  size_t ofA = sources.size();
  addFragment(sources, b, form.operands, [&](unsigned lane, unsigned i) {
    return placeInB(isSingle, lane, i);
  });
  size_t ofB = sources.size() - ofA;
  addFragment(sources, c, form.sums, placeInC);
  unsigned ofC = sources.size() - ofA - ofB;

  std::string body = "mma.sync.aligned.m16n8k" + std::to_string(form.depth) +
                     ".row.col." + form.sums + "." + form.operands + "." +
                     form.operands + "." + form.sums + " " + list('w', ofC) +
                     ", " + list('a', ofA) + ", " + list('a' + ofA, ofB) +
                     ", " + list('a' + ofA + ofB, ofC) + ";";
  Outcome outcome = run(body, sources, std::vector<unsigned>(ofC, 4));
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.findings.empty());
  Matrix d = zeros(kRows, kColumns);
  if (!outcome.error.empty())
    return d;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      Place at = placeInC(lane, i);
      bool isHalf = form.sums == "f16";
      uint64_t bits = outcome.results[isHalf ? i / 2 : i].bits[lane];
      d[at.row][at.column] =
          isHalf ? asDouble(Half{uint16_t(bits >> (16 * (i % 2)))})
                 : valueOfBits<float>(bits);
    }
  return d;
}

const Form kForms[] = {{16, "bf16", "f32"}, {8, "bf16", "f32"},
                       {16, "f16", "f32"},  {8, "f16", "f32"},
                       {16, "f16", "f16"},  {8, "f16", "f16"},
                       {8, "tf32", "f32"},  {4, "tf32", "f32"}};

TEST(MatrixProduct, IsTheTripleLoop) {
  for (const Form &form : kForms)
    for (bool isExact : {true, false}) {
      SCOPED_TRACE(form.operands + " to " + form.sums + " of depth " +
                   std::to_string(form.depth));
      std::mt19937 random(form.depth);
      Matrix a = randomMatrix(kRows, form.depth, isExact, random);
      Matrix b = randomMatrix(form.depth, kColumns, isExact, random);
      Matrix c = randomMatrix(kRows, kColumns, isExact, random);
      Matrix d = product(form, a, b, c);
      for (unsigned row = 0; row < kRows; ++row)
        for (unsigned column = 0; column < kColumns; ++column) {
          double sum = c[row][column], size = std::fabs(sum);
          for (unsigned k = 0; k < form.depth; ++k) {
            sum += a[row][k] * b[k][column];
            size += std::fabs(a[row][k] * b[k][column]);
          }
          double step = form.sums == "f16" ? 0x1p-11 : form.depth * 0x1p-24;
          ASSERT_NEAR(d[row][column], sum, isExact ? 0 : size * step);
        }
    }
}

TEST(MatrixProduct, LastBitsOfTF32MeanNothing) {
  Form form = {8, "tf32", "f32"};
  Matrix a = zeros(kRows, 8), b = zeros(8, kColumns),
         c = zeros(kRows, kColumns);
  a[3][2] = 1 + 0x1p-10 + 0x1p-12;
  b[2][5] = 1;
  EXPECT_EQ(product(form, a, b, c)[3][5], 1 + 0x1p-10);
}

const char *const kProduct =
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r0, %r1}, {%r2, %r3}, "
    "{%r4}, {%r5, %r6};";

TEST(MatrixProduct, NeedsAllThreads) {
  const std::string begin = "mov.u32 %r7, %laneid; setp.lt.u32 %p0, %r7, 9;";
  for (const std::string &body :
       {begin + "@%p0 " + kProduct, begin + "@%p0 bra END;" + kProduct + "END:",
        begin + "@%p0 exit;" + kProduct}) {
    Outcome outcome = run(body, {}, {});
    EXPECT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.findings.size(), 1u) << body;
    EXPECT_EQ(outcome.findings[0].kind, FindingKind::Divergence);
  }
  EXPECT_TRUE(run(begin + kProduct, {}, {}).findings.empty());
}

TEST(MatrixProduct, UnknownForms) {
  const std::string operands = " {%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, "
                               "{%r0, %r1}, {%r0, %r1, %r2, %r3};";
  const std::string begin = "mma.sync.aligned.";
  EXPECT_EQ(parseError(begin + "m16n8k16.row.col.f32.bf16.bf16.f32" + operands),
            "");
  for (const char *words :
       {"m16n8k16.row.row.f32.bf16.bf16.f32", "m16n8k32.row.col.s32.s8.s8.s32",
        "m16n8k16.row.col.f32.bf16.f16.f32",
        "m16n8k8.row.col.f32.bf16.bf16.f32",
        "m16n8k16.row.col.bf16.bf16.bf16.bf16",
        "m16n8k16.row.col.f16.f16.f16.f32"})
    EXPECT_NE(parseError(begin + words + operands), "") << words;
}

} // namespace
