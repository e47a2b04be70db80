//===- CostModelTest.cpp - Ranking and limits of schedules ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Schedule/CostModel.h"
#include "deltanet/Target/Target.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct CostModelTest : testing::Test {
  CostModelTest() { context.loadDialect<DeltaNetDialect>(); }

  TargetAttr get(StringRef name) {
    return *lookupTarget(&context, name,
                         [&] { return emitError(UnknownLoc::get(&context)); });
  }

  /// AVX2 with other registers or caches.
  TargetAttr getAvx2(int64_t registers, int64_t l1Bytes, bool fma = true) {
    return TargetAttr::get(&context, Arch::X86_64, Isa::Avx2, 256, registers,
                           /*vectorUnits=*/2, fma, l1Bytes, 524288, 4,
                           MatrixUnit::None);
  }

  /// Cycles of a row for each vector of each token, as ranked by measurement.
  std::optional<double> getRank(TargetAttr target, PassShape pass) {
    std::optional<RowCost> row = getRowCost(target, pass);
    if (!row)
      return std::nullopt;
    double vectors = 32.0 * pass.columns / target.getVectorBits();
    return row->cycles / (pass.tokens * vectors);
  }

  MLIRContext context;
  const RuleShape model{16, 32, 128, 128};
};

TEST_F(CostModelTest, PassesRankAsMeasuredOnAvx2) {
  // Measured, in the same unit: 1.59, 1.75, 1.9, 1.97, 2.02, 2.05, 2.27, 3.56.
  TargetAttr avx2 = get("avx2");
  const std::pair<PassShape, double> passes[] = {
      {{2, 16}, 1.5}, {{3, 16}, 1.83}, {{3, 8}, 2.0},  {{1, 16}, 2.0},
      {{2, 8}, 2.0},  {{4, 8}, 2.0},   {{1, 32}, 2.1}, {{1, 8}, 4.0}};
  for (auto [pass, expected] : passes) {
    std::optional<double> rank = getRank(avx2, pass);
    ASSERT_TRUE(rank) << pass.tokens << "x" << pass.columns;
    EXPECT_NEAR(*rank, expected, 0.01) << pass.tokens << "x" << pass.columns;
  }
}

TEST_F(CostModelTest, PassesThatSpillAccumulatorsAreRejected) {
  TargetAttr avx2 = get("avx2");
  for (PassShape pass : {PassShape{4, 16}, {2, 32}, {1, 64}}) {
    EXPECT_FALSE(getRowCost(avx2, pass));
    EXPECT_FALSE(getRecurrentCost(avx2, model, pass));
  }
  // Reloading something else is only slower.
  EXPECT_FALSE(getRowCost(avx2, {2, 16})->spills);
  EXPECT_TRUE(getRowCost(avx2, {1, 32})->spills);
  EXPECT_TRUE(getRowCost(avx2, {3, 16})->spills);
}

TEST_F(CostModelTest, TwoTokensBySixteenColumnsOnAvx2) {
  for (StringRef name : {"avx2", "haswell", "alderlake-e", "znver3"})
    EXPECT_EQ(chooseRecurrencePass(get(name), model, 128), (PassShape{2, 16}))
        << name.str();
  // Whatever the shape.
  for (int64_t k : {16, 48, 128, 256})
    for (int64_t v : {16, 48, 128, 256})
      EXPECT_EQ(chooseRecurrencePass(get("avx2"), {1, 1, k, v}, v),
                (PassShape{2, 16}))
          << k << "x" << v;
}

TEST_F(CostModelTest, PassesRankAsMeasuredOnZen4) {
  // Microseconds a token and value head with AVX-512 (docs/performance.md).
  TargetAttr zen4 = get("znver4");
  double best = *getRecurrentCost(zen4, model, {4, 16});
  const std::pair<PassShape, double> passes[] = {
      {{2, 16}, 0.930}, {{4, 32}, 0.960}, {{2, 32}, 0.978}, {{1, 32}, 1.039}};
  for (auto [pass, microseconds] : passes)
    EXPECT_NEAR(*getRecurrentCost(zen4, model, pass) / best,
                microseconds / 0.930, 0.075)
        << pass.tokens << "x" << pass.columns;
  EXPECT_GT(*getRecurrentCost(zen4, model, {2, 32}), best);
  EXPECT_GT(*getRecurrentCost(zen4, model, {4, 32}), best);
}

TEST_F(CostModelTest, BlocksOfWideVectorsFollowTheUnits) {
  for (StringRef name : {"avx512", "avx512_bf16", "znver4"})
    for (int64_t k : {16, 32, 128, 256})
      for (int64_t v : {16, 32, 128, 256}) {
        // What four tokens have with each other is too much for small states.
        int64_t tokens = k * v < 2048 ? 2 : 4;
        EXPECT_EQ(chooseRecurrencePass(get(name), {1, 1, k, v}, v),
                  (PassShape{tokens, 16}))
            << name.str() << " " << k << "x" << v;
      }
  // Two units want a broadcast for every second multiply-add only.
  for (StringRef name :
       {"icelake-server", "amx", "sapphirerapids", "graniterapids"}) {
    EXPECT_EQ(chooseRecurrencePass(get(name), model, 128), (PassShape{2, 32}))
        << name.str();
    // 32 columns do not divide the slice.
    EXPECT_EQ(chooseRecurrencePass(get(name), {1, 1, 128, 48}, 48),
              (PassShape{4, 16}))
        << name.str();
  }
  EXPECT_FALSE(getRowCost(get("amx"), {2, 32})->spills);
  // Half a register costs as much as a whole one.
  EXPECT_EQ(getRowCost(get("avx512"), {2, 8})->cycles,
            getRowCost(get("avx512"), {2, 16})->cycles);
}

TEST_F(CostModelTest, GenericLevelsGetSmallerPasses) {
  // Four lanes and no multiply-add: 2x16 would need 29 registers of 16.
  TargetAttr generic = get("generic");
  EXPECT_FALSE(getRowCost(generic, {2, 16}));
  PassShape pass = chooseRecurrencePass(generic, model, 128);
  std::optional<RowCost> row = getRowCost(generic, pass);
  ASSERT_TRUE(row);
  EXPECT_FALSE(row->spills);
  EXPECT_EQ(pass.columns, 8);
  // 32 registers hold it.
  EXPECT_EQ(chooseRecurrencePass(get("generic-aarch64"), model, 128),
            (PassShape{2, 16}));
  EXPECT_GT(*getRecurrentCost(generic, model, pass),
            *getRecurrentCost(get("avx2"), model, pass));
}

TEST_F(CostModelTest, TheStateSliceFitsL1) {
  // 4·K·(W + 4·B) bytes: 12288 of 2x16 and 8192 of 2x8 at K = 128.
  EXPECT_EQ(chooseRecurrencePass(getAvx2(16, 12288), model, 128),
            (PassShape{2, 16}));
  PassShape small = chooseRecurrencePass(getAvx2(16, 12287), model, 128);
  EXPECT_LE(4 * model.k * (small.columns + 4 * small.tokens), 12287);
  EXPECT_EQ(chooseRecurrencePass(getAvx2(16, 8192), model, 128),
            (PassShape{2, 8}));
  // Where nothing fits, the smallest pass there is.
  EXPECT_EQ(chooseRecurrencePass(getAvx2(16, 4096), {1, 1, 256, 256}, 256),
            (PassShape{1, 8}));
}

TEST_F(CostModelTest, ColumnsDivideTheSlice) {
  for (StringRef name : getKnownTargetNames())
    for (int64_t slice = 16; slice <= 256; slice += 16) {
      PassShape pass =
          chooseRecurrencePass(get(name), {1, 1, 128, slice}, slice);
      EXPECT_EQ(slice % pass.columns, 0) << name.str() << " " << slice;
    }
}

TEST_F(CostModelTest, CostsGrowWithTheState) {
  TargetAttr avx2 = get("avx2");
  for (int64_t size = 32; size <= 256; size += 16) {
    RuleShape wide{16, 32, 128, size}, less{16, 32, 128, size - 16};
    EXPECT_GT(*getRecurrentCost(avx2, wide, {2, 16}),
              *getRecurrentCost(avx2, less, {2, 16}));
    EXPECT_GT(getChunkedCost(avx2, wide, 64), getChunkedCost(avx2, less, 64));
    RuleShape deep{16, 32, size, 128}, flat{16, 32, size - 16, 128};
    EXPECT_GT(*getRecurrentCost(avx2, deep, {2, 16}),
              *getRecurrentCost(avx2, flat, {2, 16}));
    EXPECT_GT(getChunkedCost(avx2, deep, 64), getChunkedCost(avx2, flat, 64));
  }
}

TEST_F(CostModelTest, BetterMachinesAreNotSlower) {
  PassShape pass{3, 16};
  double last = *getRecurrentCost(getAvx2(16, 32768), model, pass);
  for (int64_t registers = 17; registers <= 32; ++registers) {
    double cost = *getRecurrentCost(getAvx2(registers, 32768), model, pass);
    EXPECT_LE(cost, last) << registers;
    last = cost;
  }
  TargetAttr separate = getAvx2(16, 32768, /*fma=*/false);
  EXPECT_GT(*getRecurrentCost(separate, model, {2, 16}),
            *getRecurrentCost(get("avx2"), model, {2, 16}));
  EXPECT_EQ(getChunkedCost(separate, model, 64),
            2 * getChunkedCost(get("avx2"), model, 64));
  // One unit in place of two.
  TargetAttr one = get("avx512"), two = get("icelake-server");
  for (PassShape pass : {PassShape{1, 8}, {1, 16}, {2, 16}, {4, 16}, {4, 32}})
    EXPECT_GE(*getRecurrentCost(one, model, pass),
              *getRecurrentCost(two, model, pass))
        << pass.tokens << "x" << pass.columns;
  EXPECT_EQ(getChunkedCost(one, model, 64), 2 * getChunkedCost(two, model, 64));
}

TEST_F(CostModelTest, ChunksCostMoreThanTheRecurrenceWithoutAMatrixUnit) {
  for (StringRef name : getKnownTargetNames()) {
    TargetAttr target = get(name);
    PassShape pass = chooseRecurrencePass(target, model, 128);
    EXPECT_LT(*getRecurrentCost(target, model, pass),
              getChunkedCost(target, model, chooseChunk(target, model)))
        << name.str();
  }
  // As measured on AVX2 (docs/performance.md).
  TargetAttr avx2 = get("avx2");
  double recurrent = *getRecurrentCost(avx2, model, {2, 16});
  const std::pair<int64_t, double> measured[] = {
      {16, 1.135}, {32, 1.178}, {64, 1.295}, {128, 1.65}};
  for (auto [chunk, ratio] : measured)
    EXPECT_NEAR(getChunkedCost(avx2, model, chunk) / recurrent, ratio,
                0.03 * ratio)
        << chunk;
  EXPECT_LT(getChunkedCost(avx2, model, 16), getChunkedCost(avx2, model, 64));
  EXPECT_LT(getChunkedCost(avx2, model, 64), getChunkedCost(avx2, model, 128));
  EXPECT_EQ(chooseChunk(avx2, model), 16);
  // Value heads of a key head share its Gram matrices.
  EXPECT_LT(getChunkedCost(avx2, {16, 64, 128, 128}, 64),
            getChunkedCost(avx2, {16, 16, 128, 128}, 64));
}

TEST_F(CostModelTest, RegisterBlocksFit) {
  EXPECT_EQ(chooseRegisterRows(get("avx2"), 16), 6);
  EXPECT_EQ(chooseRegisterRows(get("avx2"), 8), 8);
  EXPECT_EQ(chooseRegisterRows(get("generic"), 16), 2);
  EXPECT_EQ(chooseRegisterRows(get("generic-aarch64"), 16), 6);
  for (StringRef name : getKnownTargetNames())
    for (int64_t columns : {8, 16, 24, 32, 64}) {
      TargetAttr target = get(name);
      int64_t vectors =
          std::max<int64_t>(1, columns * 32 / target.getVectorBits());
      int64_t rows = chooseRegisterRows(target, columns);
      EXPECT_GE(rows, 1);
      if (rows > 1) {
        EXPECT_LE((rows + 1) * vectors + 1, target.getVectorRegisters());
      }
    }
}

TEST_F(CostModelTest, DecodeTakesAsManyRowsAsTheirSumsFit) {
  for (StateLayout layout : {StateLayout::KV, StateLayout::VK}) {
    EXPECT_EQ(chooseDecodeRows(get("avx2"), layout), 4);
    EXPECT_EQ(chooseDecodeRows(get("generic"), layout), 2);
    EXPECT_EQ(chooseDecodeRows(get("generic-aarch64"), layout), 4);
  }
  EXPECT_EQ(chooseDecodeRows(get("znver4"), StateLayout::VK), 1);
  EXPECT_EQ(chooseDecodeRows(get("znver4"), StateLayout::KV), 4);
}

TEST_F(CostModelTest, FewKeyHeadsSliceTheValueColumns) {
  EXPECT_EQ(chooseValueSlice({16, 32, 128, 128}, 16), 128);
  EXPECT_EQ(chooseValueSlice({4, 4, 128, 256}, 16), 128);
  EXPECT_EQ(chooseValueSlice({1, 8, 128, 256}, 16), 64);
  EXPECT_EQ(chooseValueSlice({1, 1, 128, 96}, 16), 48);
  // Not below 64 columns, and not where halves are no whole register blocks.
  EXPECT_EQ(chooseValueSlice({1, 1, 128, 64}, 16), 64);
  EXPECT_EQ(chooseValueSlice({1, 1, 128, 80}, 16), 80);
  for (int64_t h = 1; h <= 16; ++h)
    for (int64_t v = 16; v <= 256; v += 16) {
      int64_t slice = chooseValueSlice({h, h, 128, v}, 16);
      EXPECT_EQ(v % slice, 0);
      EXPECT_EQ(slice % 16, 0);
    }
}

} // namespace
