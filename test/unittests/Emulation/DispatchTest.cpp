//===- DispatchTest.cpp - Which variant each machine picks ----------------===//
//
// Part of the Delta-Net project.
//
// The code of the runtime that asks CPUID, XGETBV and the operating system runs
// on emulated machines, and picks from one library with variants of all levels.
//
//===----------------------------------------------------------------------===//

#include "AssembledCode.h"
#include "deltanet-c/runtime.h"
#include <dlfcn.h>

using namespace mlir::deltanet::emulation;

namespace {

struct Row {
  const char *name;
  MachineOptions machine;
  long permission; ///< what arch_prctl answers
  dn_isa isa;
  const char *reason;
};

std::ostream &operator<<(std::ostream &os, const Row &row) {
  return os << row.name;
}

const Row rows[] = {
    {"SapphireRapids",
     {CpuModel::SapphireRapids, {}},
     0,
     DN_ISA_AMX,
     "amx chosen"},
    {"PermissionRefused",
     {CpuModel::SapphireRapids, {}},
     -1,
     DN_ISA_AVX512_BF16,
     "avx512_bf16 chosen; amx skipped: permission to use tile data refused"},
    {"SystemWithoutTiles",
     {CpuModel::SapphireRapids, 0xe7},
     0,
     DN_ISA_AVX512_BF16,
     "avx512_bf16 chosen; amx skipped: XCR0 lacks tile state"},
    {"SystemWithoutZmm",
     {CpuModel::SapphireRapids, 0x7},
     0,
     DN_ISA_AVX2,
     "avx2 chosen; amx skipped: XCR0 lacks zmm state; avx512_bf16 skipped: "
     "XCR0 "
     "lacks zmm state; avx512 skipped: XCR0 lacks zmm state"},
    {"TigerLake",
     {CpuModel::TigerLake, {}},
     0,
     DN_ISA_AVX512,
     "avx512 chosen; amx skipped: CPU lacks AVX512_BF16; avx512_bf16 skipped: "
     "CPU lacks AVX512_BF16"},
    {"ArrowLake",
     {CpuModel::ArrowLake, {}},
     0,
     DN_ISA_AVX2,
     "avx2 chosen; amx skipped: CPU lacks AVX512F; avx512_bf16 skipped: CPU "
     "lacks AVX512F; avx512 skipped: CPU lacks AVX512F"},
};

class DispatchTest : public AssembledCodeTest,
                     public testing::WithParamInterface<Row> {
protected:
  CallResult choose(char (&reason)[DN_MESSAGE_BYTES], long permission) {
    void *library = dlopen(DISPATCH_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library, nullptr) << dlerror();
    void *function = dlsym(library, "choose");
    EXPECT_NE(function, nullptr);
    EXPECT_FALSE(errorToBool(machine->addLibrary(function)));
    char *text = array<char>("reason", std::vector<char>(DN_MESSAGE_BYTES));
    CallResult result = machine->call(
        function, {static_cast<uint64_t>(permission), argument(text)});
    std::memcpy(reason, text, DN_MESSAGE_BYTES);
    return result;
  }
};

} // namespace

TEST_P(DispatchTest, PicksWithReason) {
  const Row &row = GetParam();
  useMachine(row.machine);
  char reason[DN_MESSAGE_BYTES];
  CallResult result = choose(reason, row.permission);
  EXPECT_EQ(textsOf(result), std::vector<std::string>());
  EXPECT_EQ(result.value, uint64_t(row.isa));
  EXPECT_STREQ(reason, row.reason);
}

INSTANTIATE_TEST_SUITE_P(Machines, DispatchTest, testing::ValuesIn(rows),
                         [](const testing::TestParamInfo<Row> &info) {
                           return info.param.name;
                         });

TEST_F(DispatchTest, TilesWithoutAPalette) {
  machine->overrideCpuid(0x1d, 0, {});
  char reason[DN_MESSAGE_BYTES];
  EXPECT_EQ(choose(reason, 0).value, uint64_t(DN_ISA_AVX512_BF16));
  EXPECT_STREQ(reason,
               "avx512_bf16 chosen; amx skipped: CPU has no tile palette");
}
