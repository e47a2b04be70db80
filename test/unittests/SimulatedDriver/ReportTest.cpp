//===- ReportTest.cpp - What the simulated driver counted -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"
#include "llvm/Support/JSON.h"

using SimulatedReport = SimulatedGpu;

static llvm::json::Value takeReport() {
  std::string text;
  dn_sim_take_report(
      [](void *text, const char *json) {
        *static_cast<std::string *>(text) = json;
      },
      &text);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return *value;
  ADD_FAILURE() << llvm::toString(value.takeError()) << ": " << text;
  return nullptr;
}

TEST_F(SimulatedReport, LaunchesOfAKernelAreSummed) {
  takeReport();
  CUdeviceptr o = allocate(64);
  // Two modules of the same text, as two processes would load them.
  CUfunction first = load(moduleText(kFill), "fill");
  CUfunction second = load(moduleText(kFill), "fill");
  EXPECT_EQ(launch(first, 2, 32, 0, o, 0), CUDA_SUCCESS);
  EXPECT_EQ(launch(second, 1, 32, 0, o, 0), CUDA_SUCCESS);

  llvm::json::Value report = takeReport();
  const llvm::json::Object &object = *report.getAsObject();
  EXPECT_EQ(object.getString("device"), "simulated sm_80");
  EXPECT_EQ(object.getInteger("instructions"), 3 * 10);
  const llvm::json::Array &kernels = *object.getArray("kernels");
  ASSERT_EQ(kernels.size(), 1u);
  const llvm::json::Object &fill = *kernels[0].getAsObject();
  EXPECT_EQ(fill.getString("name"), "fill");
  EXPECT_EQ(fill.getInteger("launches"), 2);
  EXPECT_EQ(fill.getInteger("blocks"), 3);
  EXPECT_EQ(fill.getInteger("instructions"), 3 * 10);
  EXPECT_EQ(fill.getObject("mix")->getInteger("mad.wide.u32"), 3);
  const llvm::json::Array &accesses = *fill.getArray("accesses");
  ASSERT_EQ(accesses.size(), 3u) << "two parameters and the store";
  const llvm::json::Object &store = *accesses[2].getAsObject();
  EXPECT_EQ(store.getInteger("line"), 17);
  EXPECT_EQ(store.getInteger("requests"), 3);
  EXPECT_EQ(store.getInteger("bytes"), 3 * 128);
  EXPECT_EQ(store.getInteger("parts"), 3 * 4);
  EXPECT_EQ(store.getInteger("idealParts"), 3 * 4);

  EXPECT_EQ(takeReport().getAsObject()->getInteger("instructions"), 0);
}
