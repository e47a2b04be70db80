//===- FakeGpuKernel.cpp - A descriptor with images of the fake driver ----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeGpuKernel.h"
#include "FakeKernel.h"

std::string FakeGpuKernel::functions(uint64_t argsBytes) {
  std::string bytes = std::to_string(argsBytes);
  return "intra " + bytes + " 1024 0\nscan " + bytes + " 512 1024\nany " +
         bytes + " 1024 0\n";
}

FakeGpuKernel::FakeGpuKernel(uint32_t chip, bool only)
    : stages{{"intra", 128, 65536, nullptr}, {"scan", 256, 0, nullptr}}, code(),
      kernel(makeFakeKernel(DN_ISA_CUDA + chip)) {
  code.size = sizeof code;
  code.chip = chip;
  code.only = only;
  code.args_size = sizeof(dn_args);
  code.stages = stages;
  setPtx("ptx " + std::to_string(chip) + "\n" + functions());
  setCubin("cubin " + std::to_string(chip) + "\n" + functions());
  kernel.stages = 2;
  kernel.items = [](const dn_args *args, uint32_t stage) {
    return stage ? args->sequences : args->tokens;
  };
  kernel.run = nullptr;
  kernel.cuda = &code;
}

void FakeGpuKernel::setPtx(const std::string &text) {
  ptx = text;
  code.ptx = ptx.c_str();
  code.ptx_bytes = ptx.size() + 1;
}

void FakeGpuKernel::setCubin(const std::string &text) {
  cubin = text;
  code.cubin = text.empty() ? nullptr : cubin.c_str();
  code.cubin_bytes = cubin.size();
}

void CudaTest::SetUp() {
  driver = &resetFakeDriver();
  ASSERT_EQ(dn_cuda_open(FAKE_DRIVER, &cuda, message, sizeof message), DN_OK)
      << message;
  context = FakeDriver::makeContext();
  FakeDriver::setCurrent(context);
  driver->log.clear();
}

void CudaTest::TearDown() {
  dn_cuda_close(cuda);
  EXPECT_EQ(FakeDriver::liveModules(), 0);
}

dn_status CudaTest::load(const dn_kernel &kernel, dn_cuda_kernel **out) {
  return dn_cuda_load(cuda, &kernel, out, message, sizeof message);
}

dn_status CudaTest::launch(const dn_cuda_kernel *kernel, const dn_args &args,
                           void *stream) {
  return dn_cuda_launch(kernel, &args, stream, message, sizeof message);
}
