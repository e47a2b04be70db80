//===- SimulatedGpu.cpp - A context of the simulated driver ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"

const char kFill[] = R"(
.visible .entry fill(.param .u64 o, .param .u32 n)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [o];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mad.wide.u32 %rd1, %r4, 4, %rd0;
  add.u32 %r5, %r0, %r4;
  st.global.u32 [%rd1], %r5;
  ret;
}
)";

std::string moduleText(const std::string &kernels, const std::string &target,
                       const std::string &version) {
  return ".version " + version + "\n.target " + target +
         "\n.address_size 64\n" + kernels;
}

dn_sim_options gpuOptions(uint32_t capability, uint32_t devices) {
  dn_sim_options options = {};
  options.capability = capability;
  options.devices = devices;
  return options;
}

SimulatedGpu::SimulatedGpu(dn_sim_options options) {
  options.size = sizeof options;
  EXPECT_EQ(dn_sim_configure(&options), nullptr);
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
}

SimulatedGpu::~SimulatedGpu() {
  EXPECT_EQ(takeFindings().texts, std::vector<std::string>());
  EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

CUdeviceptr SimulatedGpu::allocate(size_t count) {
  CUdeviceptr address = 0;
  EXPECT_EQ(cuMemAlloc_v2(&address, 4 * count), CUDA_SUCCESS);
  return address;
}

CUdeviceptr SimulatedGpu::upload(const std::vector<uint32_t> &values) {
  CUdeviceptr address = allocate(values.size());
  EXPECT_EQ(cuMemcpyHtoD_v2(address, values.data(), 4 * values.size()),
            CUDA_SUCCESS);
  return address;
}

std::vector<uint32_t> SimulatedGpu::download(CUdeviceptr from, size_t count) {
  std::vector<uint32_t> values(count);
  EXPECT_EQ(cuMemcpyDtoH_v2(values.data(), from, 4 * count), CUDA_SUCCESS);
  return values;
}

CUfunction SimulatedGpu::load(const std::string &text, const char *kernel) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, text.c_str()), CUDA_SUCCESS)
      << dn_sim_reason();
  EXPECT_EQ(cuModuleGetFunction(&function, module, kernel), CUDA_SUCCESS)
      << dn_sim_reason();
  return function;
}

Findings takeFindings() {
  Findings findings;
  findings.incompleteLaunches = dn_sim_take_findings(
      [](void *texts, const char *text) {
        static_cast<std::vector<std::string> *>(texts)->push_back(text);
      },
      &findings.texts);
  return findings;
}
