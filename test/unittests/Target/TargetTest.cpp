//===- TargetTest.cpp - Lookup and detection of targets -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Target/Target.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct TargetTest : testing::Test {
  TargetTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          message = diagnostic.str();
          return success();
        }) {
    context.loadDialect<DeltaNetDialect>();
  }

  FailureOr<TargetAttr> lookup(StringRef name) {
    return lookupTarget(&context, name, [this] {
      return emitError(UnknownLoc::get(&context));
    });
  }

  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler;
};

TEST_F(TargetTest, KnownGpus) {
  auto gpu = [this](StringRef name) {
    return lookupGpuTarget(&context, name, [this] {
      return emitError(UnknownLoc::get(&context));
    });
  };
  for (StringRef name :
       {"sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a"}) {
    FailureOr<GpuTargetAttr> known = gpu(name);
    ASSERT_TRUE(succeeded(known)) << name.str();
    EXPECT_EQ(stringifyChip(known->getChip()), name);
    // C29 holds for every row.
    std::string text;
    llvm::raw_string_ostream(text) << *known;
    EXPECT_EQ(parseAttribute(text, &context), *known);
  }
  FailureOr<GpuTargetAttr> hopper = gpu("sm_90a");
  EXPECT_EQ(hopper->getSharedBytes(), 227 << 10);
  EXPECT_EQ(hopper->getTensorCore(), TensorCore::Wgmma);
  EXPECT_EQ(hopper->getAsyncCopy(), AsyncCopy::Tma);
  EXPECT_TRUE(failed(gpu("sm_90")));
  EXPECT_EQ(message, "expected one of the GPUs sm_80, sm_86, sm_89, sm_90a, "
                     "sm_100a, sm_120a, got 'sm_90'");
}

TEST_F(TargetTest, EachKindOfTargetIsAskedForByItself) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  auto set = [&](Attribute target) {
    (*module)->setAttr(DeltaNetDialect::kTargetAttr, target);
  };
  set(*lookup("avx2"));
  EXPECT_TRUE(succeeded(getTarget(*module)));
  EXPECT_TRUE(failed(getGpuTarget(*module)));
  EXPECT_EQ(StringRef(message).substr(0, 75),
            "expected a #deltanet.gpu_target in 'deltanet.target', got "
            "#deltanet.target<");
  set(*lookupGpuTarget(&context, "sm_80", [this] {
    return emitError(UnknownLoc::get(&context));
  }));
  EXPECT_TRUE(succeeded(getGpuTarget(*module)));
  EXPECT_TRUE(failed(getTarget(*module)));
  EXPECT_EQ(StringRef(message).substr(0, 75),
            "expected a #deltanet.target in 'deltanet.target', got "
            "#deltanet.gpu_target<");
}

TEST_F(TargetTest, KnownRows) {
  FailureOr<TargetAttr> avx2 = lookup("avx2");
  ASSERT_TRUE(succeeded(avx2));
  EXPECT_EQ(avx2->getArch(), Arch::X86_64);
  EXPECT_EQ(avx2->getIsa(), Isa::Avx2);
  EXPECT_EQ(avx2->getVectorBits(), 256);
  EXPECT_EQ(avx2->getVectorRegisters(), 16);
  EXPECT_TRUE(avx2->getFma());

  FailureOr<TargetAttr> avx512 = lookup("avx512");
  ASSERT_TRUE(succeeded(avx512));
  EXPECT_EQ(avx512->getIsa(), Isa::Avx512);
  EXPECT_EQ(avx512->getVectorBits(), 512);
  EXPECT_EQ(avx512->getVectorRegisters(), 32);
  EXPECT_EQ(avx512->getVectorUnits(), 1);
  FailureOr<TargetAttr> zen4 = lookup("znver4");
  ASSERT_TRUE(succeeded(zen4));
  EXPECT_EQ(*zen4, *lookup("avx512_bf16"));

  for (StringRef name : {"amx", "sapphirerapids", "graniterapids"}) {
    FailureOr<TargetAttr> tiles = lookup(name);
    ASSERT_TRUE(succeeded(tiles));
    EXPECT_EQ(tiles->getIsa(), Isa::Amx);
    EXPECT_EQ(tiles->getMatrix(), MatrixUnit::Amx);
  }
  EXPECT_EQ(zen4->getMatrix(), MatrixUnit::None);

  FailureOr<TargetAttr> arm = lookup("generic-aarch64");
  ASSERT_TRUE(succeeded(arm));
  EXPECT_EQ(arm->getArch(), Arch::AArch64);
  EXPECT_EQ(arm->getIsa(), Isa::Generic);
}

TEST_F(TargetTest, EveryRowIsAValidTarget) {
  for (StringRef name : getKnownTargetNames())
    EXPECT_TRUE(succeeded(lookup(name))) << name.str();
  EXPECT_EQ(message, "");
}

TEST_F(TargetTest, UnknownNameListsTheKnownOnes) {
  EXPECT_TRUE(failed(lookup("z80")));
  EXPECT_NE(message.find("got 'z80'"), std::string::npos) << message;
  EXPECT_NE(message.find("native, alderlake-e, amx, avx2"), std::string::npos)
      << message;
  // Names are exact, not folded in case.
  EXPECT_TRUE(failed(lookup("AVX2")));
}

TEST_F(TargetTest, RowsAreFoundWithoutAnError) {
  EXPECT_EQ(findKnownTarget(&context, "znver3"), *lookup("znver3"));
  // Not all that can be looked up is a row.
  for (StringRef name : {"z80", "AVX2", "native", ""})
    EXPECT_EQ(findKnownTarget(&context, name), TargetAttr()) << name.str();
  EXPECT_EQ(message, "");
}

TEST_F(TargetTest, NativeIsAValidTarget) {
  EXPECT_TRUE(succeeded(lookup("native")));
}

TEST_F(TargetTest, LevelNeedsAllItsFeatures) {
  HostDescription host;
  host.arch = Arch::X86_64;
  for (const char *feature : {"avx2", "fma", "f16c"})
    host.features[feature] = true;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Generic);
  host.features["bmi2"] = true;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx2);

  // Xeon Phi had F without the rest.
  host.features["avx512f"] = true;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx2);
  EXPECT_EQ(describeTarget(&context, host).getVectorBits(), 256);
  for (const char *feature : {"avx512bw", "avx512dq"})
    host.features[feature] = true;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx2);
  host.features["avx512vl"] = true;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx512);
  EXPECT_EQ(describeTarget(&context, host).getVectorBits(), 512);
  host.features["avx512bf16"] = true;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx512Bf16);

  host.features["amx-tile"] = host.features["amx-bf16"] = true;
  // Tiles that cannot be configured are none.
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx512Bf16);
  host.tilePalettes = 1;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Amx);
  EXPECT_EQ(describeTarget(&context, host).getMatrix(), MatrixUnit::Amx);
  host.features["amx-bf16"] = false;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx512Bf16);
  host.features["amx-bf16"] = true;
  host.features["amx-tile"] = false;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx512Bf16);

  // A level needs those below it too.
  host.features["avx512bw"] = false;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Avx2);
  host.features["bmi2"] = false;
  EXPECT_EQ(describeTarget(&context, host).getIsa(), Isa::Generic);
}

TEST_F(TargetTest, LevelsAddFeatures) {
  StringRef below = getTargetNames(*lookup("generic")).features;
  EXPECT_EQ(below, "");
  for (StringRef level : {"avx2", "avx512", "avx512_bf16", "amx"}) {
    StringRef features = getTargetNames(*lookup(level)).features;
    EXPECT_TRUE(features.starts_with(below)) << features.str();
    EXPECT_GT(features.size(), below.size());
    below = features;
  }
}

TEST_F(TargetTest, CacheSizesOfTheHostReplaceTheLevels) {
  HostDescription host;
  host.arch = Arch::X86_64;
  host.l1Bytes = 49152;
  host.l2Bytes = 2097152;
  TargetAttr target = describeTarget(&context, host);
  EXPECT_EQ(target.getL1Bytes(), 49152);
  EXPECT_EQ(target.getL2Bytes(), 2097152);
  // Nonsense is not believed.
  host.l2Bytes = 512;
  target = describeTarget(&context, host);
  EXPECT_EQ(target.getL1Bytes(), 32768);
  EXPECT_EQ(target.getL2Bytes(), 262144);
}

TEST_F(TargetTest, StreamsOfAKnownHostReplaceTheLevels) {
  HostDescription host;
  host.arch = Arch::X86_64;
  EXPECT_EQ(describeTarget(&context, host).getStreams(), 4);
  host.cpu = "znver4";
  EXPECT_EQ(describeTarget(&context, host).getStreams(), 1);
  host.cpu = "a processor of tomorrow";
  EXPECT_EQ(describeTarget(&context, host).getStreams(), 4);
}

TEST_F(TargetTest, UnitsOfAKnownHostReplaceTheLevels) {
  HostDescription host;
  host.arch = Arch::X86_64;
  for (const char *feature : {"avx2", "fma", "f16c", "bmi2"})
    host.features[feature] = true;
  EXPECT_EQ(describeTarget(&context, host).getVectorUnits(), 2);
  // Zen4 under a system that hides AVX-512 has two units of 256 bits.
  host.cpu = "znver4";
  EXPECT_EQ(describeTarget(&context, host).getVectorUnits(), 2);
  for (const char *feature : {"avx512f", "avx512bw", "avx512dq", "avx512vl"})
    host.features[feature] = true;
  EXPECT_EQ(describeTarget(&context, host).getVectorUnits(), 1);
  host.cpu = "icelake-server";
  EXPECT_EQ(describeTarget(&context, host).getVectorUnits(), 2);
  host.cpu = "a processor of tomorrow";
  EXPECT_EQ(describeTarget(&context, host).getVectorUnits(), 1);
}

TEST_F(TargetTest, CacheFolder) {
  SmallString<64> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("deltanet", folder));
  auto write = [&](int index, StringRef level, StringRef type, StringRef size) {
    std::string path = (folder + "/index" + Twine(index)).str();
    ASSERT_FALSE(llvm::sys::fs::create_directory(path));
    for (auto [file, text] :
         {std::pair{"level", level}, {"type", type}, {"size", size}}) {
      std::error_code error;
      llvm::raw_fd_ostream(path + "/" + file, error) << text << "\n";
      ASSERT_FALSE(error);
    }
  };
  write(0, "1", "Data", "48K");
  write(1, "1", "Instruction", "32K");
  write(2, "2", "Unified", "2M");
  write(3, "3", "Unified", "32768K");
  HostDescription host;
  readCacheSizes(folder, host);
  EXPECT_EQ(host.l1Bytes, 49152);
  EXPECT_EQ(host.l2Bytes, 2097152);
  llvm::sys::fs::remove_directories(folder);

  HostDescription none;
  readCacheSizes(folder, none);
  EXPECT_EQ(none.l1Bytes, 0);
  EXPECT_EQ(none.l2Bytes, 0);
}

TEST_F(TargetTest, ModuleWithoutTarget) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>("module {}", &context);
  EXPECT_TRUE(failed(getTarget(*module)));
  EXPECT_EQ(message,
            "expected a #deltanet.target in 'deltanet.target', got none");
  FailureOr<TargetAttr> avx2 = lookup("avx2");
  (*module)->setAttr(DeltaNetDialect::kTargetAttr, *avx2);
  FailureOr<TargetAttr> found = getTarget(*module);
  ASSERT_TRUE(succeeded(found));
  EXPECT_EQ(*found, *avx2);
}

} // namespace
