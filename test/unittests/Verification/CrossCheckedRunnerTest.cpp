//===- CrossCheckedRunnerTest.cpp - Native runs beside emulated ones ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/CrossCheckedRunner.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

static RunnerTraits makeTraits(Algorithm algorithm, dn_type type) {
  RunnerTraits traits;
  traits.facts.ioType = type;
  Schedule schedule;
  schedule.algorithm = algorithm;
  traits.schedules = {schedule};
  return traits;
}

static RunResult makeResult() {
  RunResult result;
  result.o = {1, -1, 0.5};
  result.finalState = {1, -1, 1, -1};
  return result;
}

TEST(CrossCheckedRunner, OneBitIsADifference) {
  RunnerTraits traits = makeTraits(Algorithm::Chunked, DN_TYPE_F32);
  RunResult emulated = makeResult(), native = makeResult();
  EXPECT_TRUE(differences(traits, native, emulated).empty());
  native.o[1] = std::nextafter(native.o[1], 0.f);
  EXPECT_EQ(differences(traits, native, emulated),
            std::vector<std::string>{
                "o: 1 of 3 elements differ from the emulator's, first element "
                "1: -9.99999940e-01 instead of -1.00000000e+00"});
  native = makeResult();
  native.finalState[2] = -native.finalState[2];
  EXPECT_EQ(differences(traits, native, emulated).size(), 1u);
}

TEST(CrossCheckedRunner, SignsOfZerosAndNaNsCount) {
  RunnerTraits traits = makeTraits(Algorithm::Recurrent, DN_TYPE_F32);
  RunResult emulated = makeResult(), native = makeResult();
  emulated.o = native.o = {0, NAN, 1};
  EXPECT_TRUE(differences(traits, native, emulated).empty());
  native.o[0] = -0.f;
  EXPECT_EQ(differences(traits, native, emulated).size(), 1u);
}

TEST(CrossCheckedRunner, MatrixUnitsMayAddInAnotherOrder) {
  RunnerTraits traits = makeTraits(Algorithm::ChunkedMatrix, DN_TYPE_BF16);
  RunResult emulated = makeResult(), native = makeResult();
  // One unit in the last place, over a power of two too.
  native.o = {1 + 0x1p-7f, -1 + 0x1p-8f, 0.5f - 0x1p-9f};
  native.finalState[0] += 0.9e-6f;
  EXPECT_TRUE(differences(traits, native, emulated).empty());
  native.o[0] = 1 + 0x1p-6f;
  EXPECT_EQ(differences(traits, native, emulated).size(), 1u);
  native.finalState[0] += 0.3e-6f;
  EXPECT_EQ(differences(traits, native, emulated).size(), 2u);
  native = makeResult();
  native.o[2] = NAN;
  EXPECT_EQ(differences(traits, native, emulated).size(), 1u);
}
