//===- SelectTilesTest.cpp - Dispatch to level amx ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeKernel.h"
#include "MockedCpu.h"
extern "C" {
#include "cpu/Select.h"
}

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>

namespace {

struct Set {
  dn_kernel amx = makeFakeKernel(DN_ISA_AMX);
  dn_kernel below = makeFakeKernel(DN_ISA_AVX512_BF16);
  const dn_kernel *variants[2] = {&amx, &below};
  dn_kernel_set set = {sizeof(dn_kernel_set), 2, "tiles", variants};
};

struct Row {
  const char *name;
  Cpu cpu;
  const char *cap;
  const char *reason;
  int requests; ///< for tile data
};

std::ostream &operator<<(std::ostream &os, const Row &row) {
  return os << row.name;
}

template <typename T> Cpu with(T Cpu::*field, T value) {
  Cpu cpu;
  cpu.*field = value;
  return cpu;
}

const char *const refused =
    "avx512_bf16 chosen; amx skipped: permission to use tile data refused";
const char *const stateless =
    "avx512_bf16 chosen; amx skipped: XCR0 lacks tile state";
const char *const noPalette =
    "avx512_bf16 chosen; amx skipped: CPU has no tile palette";

const Row rows[] = {
    {"Everything", Cpu(), nullptr, "amx chosen", 1},
    {"GrantedBefore", with(&Cpu::tiles, Tiles::Granted), nullptr, "amx chosen",
     0},
    {"Refused", with(&Cpu::tiles, Tiles::Refused), nullptr, refused, 1},
    {"OldSystem", with(&Cpu::tiles, Tiles::UnknownToTheSystem), nullptr,
     refused, 0},
    {"NoTile", with(&Cpu::leaf7Edx, uint32_t(AMX_BF16)), nullptr,
     "avx512_bf16 chosen; amx skipped: CPU lacks AMX-TILE", 0},
    {"NoBf16", with(&Cpu::leaf7Edx, uint32_t(AMX_TILE)), nullptr,
     "avx512_bf16 chosen; amx skipped: CPU lacks AMX-BF16", 0},
    // A machine that shows the instructions, but no configuration for them.
    {"NoPalette", with(&Cpu::palettes, 0u), nullptr, noPalette, 0},
    {"NoPaletteLeaf", with(&Cpu::maxLeaf, 7u), nullptr, noPalette, 0},
    {"MorePalettes", with(&Cpu::palettes, 3u), nullptr, "amx chosen", 1},
    {"NoTileState", with(&Cpu::xcr0, uint64_t(0xe7)), nullptr, stateless, 0},
    {"NoTileData", with(&Cpu::xcr0, uint64_t(0x200e7)), nullptr, stateless, 0},
    {"NoTileConfiguration", with(&Cpu::xcr0, uint64_t(0x400e7)), nullptr,
     stateless, 0},
    // A cap keeps the process as it is.
    {"Capped", Cpu(), "avx512_bf16",
     "avx512_bf16 chosen; amx skipped: capped by DELTANET_ISA=avx512_bf16", 0},
    {"CapOfItself", Cpu(), "amx", "amx chosen", 1},
};

class SelectTilesTest : public testing::TestWithParam<Row> {};

TEST_P(SelectTilesTest, PicksWithReason) {
  const Row &row = GetParam();
  mockCpu(row.cpu);
  Set fake;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, row.cap, &fake.set, &chosen), DN_OK);
  EXPECT_STREQ(chosen.reason, row.reason);
  bool amx = std::string(row.reason) == "amx chosen";
  EXPECT_EQ(chosen.kernel, amx ? &fake.amx : &fake.below);
  EXPECT_EQ(tileRequests, row.requests);
}

INSTANTIATE_TEST_SUITE_P(Mocked, SelectTilesTest, testing::ValuesIn(rows),
                         [](const testing::TestParamInfo<Row> &info) {
                           return std::string(info.param.name);
                         });

TEST(SelectTilesTest, LevelsBelowAskForNothing) {
  mockCpu(Cpu());
  Set fake;
  fake.set.variants = &fake.variants[1];
  fake.set.variant_count = 1;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, nullptr, &fake.set, &chosen), DN_OK);
  EXPECT_STREQ(chosen.reason, "avx512_bf16 chosen");
  EXPECT_EQ(tileRequests, 0);
}

TEST(SelectTilesTest, OneRequestIsForTheWholeProcess) {
  mockCpu(Cpu());
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(dn_isa_check_on(&mock, nullptr, DN_ISA_AMX, {nullptr, 0}), DN_OK);
  std::thread([] {
    EXPECT_EQ(dn_isa_check_on(&mock, nullptr, DN_ISA_AMX, {nullptr, 0}), DN_OK);
  }).join();
  EXPECT_EQ(tileRequests, 1);
}

/// What dn_select says in eight threads that have done nothing before.
std::array<dn_selection, 8> selectInFreshThreads(const dn_cpu_source *cpu,
                                                 const dn_kernel_set &set) {
  std::array<dn_selection, 8> chosen;
  std::array<std::thread, 8> threads;
  for (int i = 0; i < 8; ++i)
    threads[i] =
        std::thread([&, i] { dn_select_on(cpu, nullptr, &set, &chosen[i]); });
  for (std::thread &thread : threads)
    thread.join();
  return chosen;
}

TEST(SelectTilesTest, FreshThreadsAgree) {
  Set fake;
  mockCpu(Cpu());
  for (const dn_selection &chosen : selectInFreshThreads(&mock, fake.set))
    EXPECT_STREQ(chosen.reason, "amx chosen");
  EXPECT_GE(tileRequests, 1);

  mockCpu(with(&Cpu::tiles, Tiles::Refused));
  for (const dn_selection &chosen : selectInFreshThreads(&mock, fake.set))
    EXPECT_STREQ(chosen.reason, refused);

  // On this machine, whatever it is.
  auto chosen = selectInFreshThreads(dn_cpu_host(), fake.set);
  for (const dn_selection &other : chosen) {
    EXPECT_EQ(other.kernel, chosen[0].kernel);
    EXPECT_STREQ(other.reason, chosen[0].reason);
  }
}

TEST(SelectTilesTest, TheSystemCallLeavesErrno) {
  errno = EDOM;
  bool first = dn_tile_permission(dn_host_arch_prctl);
  EXPECT_EQ(dn_tile_permission(dn_host_arch_prctl), first);
  EXPECT_EQ(errno, EDOM);
}

} // namespace
