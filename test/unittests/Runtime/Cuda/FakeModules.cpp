//===- FakeModules.cpp - Modules and launches of the fake driver ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeDriverState.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <thread>

using namespace fake;

/// Reads an image; the chip is -1 if it is none.
static int parseImage(const char *image, std::string &kind,
                      cu_module_object &module) {
  std::istringstream lines(image);
  int chip = -1;
  if (!(lines >> kind >> chip))
    return -1;
  cu_function_object f;
  while (lines >> f.name >> f.argsBytes >> f.maxThreads >> f.staticSharedBytes)
    module.functions[f.name] = f;
  return chip;
}

cu_result cuModuleLoadDataEx(cu_module *module, const void *image,
                             unsigned optionCount, int *options,
                             void **values) {
  auto made = std::make_unique<cu_module_object>();
  std::string kind;
  int chip = parseImage(static_cast<const char *>(image), kind, *made);
  // Long enough for another thread to come by.
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  Call call("cuModuleLoadDataEx", kind + " " + number(chip));
  if (call.result != CU_SUCCESS)
    return call.result;
  if (!isLive(current))
    return InvalidContext;
  int capability = state->driver.devices[current->device].capability;
  if (kind == "cubin" && chip / 10 != capability / 10)
    return CU_ERROR_NO_BINARY_FOR_GPU;
  if (kind != "cubin" && kind != "ptx")
    return CU_ERROR_INVALID_IMAGE;
  if (chip == 0) {
    if (optionCount == 2 && options[0] == 5 && options[1] == 6)
      snprintf(static_cast<char *>(values[0]), size_t(values[1]),
               "ptx input, line 3; error: no such instruction\nline 4\n");
    return InvalidPtx;
  }
  made->context = current;
  for (auto &[name, function] : made->functions) {
    function.module = made.get();
    function.dynamicSharedBytes -= function.staticSharedBytes;
  }
  *module = made.get();
  state->modules[*module] = std::move(made);
  return CU_SUCCESS;
}

cu_result cuModuleUnload(cu_module module) {
  Call call("cuModuleUnload");
  if (!state->modules.count(module) || module->context != current)
    return InvalidContext;
  state->modules.erase(module);
  return call.result;
}

cu_result cuModuleGetFunction(cu_function *function, cu_module module,
                              const char *name) {
  Call call("cuModuleGetFunction", name);
  auto found = module->functions.find(name);
  if (found == module->functions.end())
    return NotFound;
  *function = &found->second;
  return call.result;
}

cu_result cuFuncGetAttribute(int *value, int attribute, cu_function function) {
  Call call("cuFuncGetAttribute", function->name + " " + number(attribute));
  *value = attribute == 0   ? function->maxThreads
           : attribute == 1 ? function->staticSharedBytes
                            : function->dynamicSharedBytes;
  return call.result;
}

cu_result cuFuncSetAttribute(cu_function function, int attribute, int value) {
  Call call("cuFuncSetAttribute",
            function->name + " " + number(attribute) + " " + number(value));
  if (attribute != 8)
    return InvalidValue;
  if (call.result == CU_SUCCESS)
    function->dynamicSharedBytes = value;
  return call.result;
}

cu_result cuLaunchKernel(cu_function function, unsigned gridX, unsigned gridY,
                         unsigned gridZ, unsigned blockX, unsigned blockY,
                         unsigned blockZ, unsigned sharedBytes,
                         cu_stream stream, void **parameters, void **extra) {
  Call call("cuLaunchKernel", function->name);
  if (call.result != CU_SUCCESS)
    return call.result;
  if (!isLive(current) || function->module->context != current)
    return InvalidContext;
  if (!gridX || gridX > INT32_MAX || !blockX ||
      blockX > unsigned(function->maxThreads) ||
      gridY * gridZ * blockY * blockZ != 1 ||
      sharedBytes > unsigned(function->dynamicSharedBytes) || extra)
    return InvalidValue;
  FakeLaunch launch;
  launch.function = function->name;
  launch.context = current->id;
  launch.blocks = gridX;
  launch.threads = blockX;
  launch.sharedBytes = sharedBytes;
  launch.stream = stream;
  auto *args = static_cast<const unsigned char *>(parameters[0]);
  launch.args.assign(args, args + function->argsBytes);
  memcpy(&launch.first, parameters[1], sizeof launch.first);
  state->driver.launches.push_back(launch);
  return CU_SUCCESS;
}
