//===- FakeDriver.cpp - A CUDA driver that records what it is asked -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeDriverState.h"

#include <algorithm>
#include <cstring>

using namespace fake;

std::unique_ptr<State> fake::state = std::make_unique<State>();
thread_local cu_context fake::current = nullptr;

FakeDriver &resetFakeDriver() {
  state = std::make_unique<State>();
  current = nullptr;
  return state->driver;
}

cu_context FakeDriver::makeContext(int device) {
  state->contexts.push_back(std::make_unique<cu_context_object>());
  cu_context context = state->contexts.back().get();
  context->device = device;
  makeContextAt(context);
  return context;
}

void FakeDriver::makeContextAt(cu_context address) {
  address->id = state->nextId++;
}

void FakeDriver::destroyContext(cu_context context) {
  auto &modules = state->modules;
  for (auto it = modules.begin(); it != modules.end();)
    it = it->second->context == context ? modules.erase(it) : std::next(it);
  context->id = 0;
}

void FakeDriver::setCurrent(cu_context context) { current = context; }
cu_context FakeDriver::getCurrent() { return current; }
uint64_t FakeDriver::idOf(cu_context context) { return context->id; }
int FakeDriver::liveModules() { return int(state->modules.size()); }
int FakeDriver::liveAllocations() { return int(state->memory.size()); }
int FakeDriver::liveStreams() { return int(state->streams.size()); }

int FakeDriver::count(const std::string &name) const {
  return int(std::count_if(log.begin(), log.end(), [&](const auto &line) {
    return line == name || line.rfind(name + " ", 0) == 0;
  }));
}

//===----------------------------------------------------------------------===//
// Driver and devices
//===----------------------------------------------------------------------===//

cu_result cuDriverGetVersion(int *version) {
  Call call("cuDriverGetVersion");
  *version = state->driver.version;
  return call.result;
}

cu_result cuInit(unsigned flags) {
  Call call("cuInit", number(flags));
  return call.result;
}

cu_result cuGetErrorName(cu_result result, const char **name) {
  *name = result == 999            ? "CUDA_ERROR_UNKNOWN"
          : result == InvalidPtx   ? "CUDA_ERROR_INVALID_PTX"
          : result == NotFound     ? "CUDA_ERROR_NOT_FOUND"
          : result == InvalidValue ? "CUDA_ERROR_INVALID_VALUE"
                                   : nullptr;
  return *name ? CU_SUCCESS : InvalidValue;
}

cu_result cuGetErrorString(cu_result result, const char **text) {
  *text = result == 999 ? "unknown error" : nullptr;
  return *text ? CU_SUCCESS : InvalidValue;
}

cu_result cuDeviceGetCount(int *count) {
  Call call("cuDeviceGetCount");
  *count = int(state->driver.devices.size());
  return call.result;
}

cu_result cuDeviceGet(cu_device *device, int ordinal) {
  Call call("cuDeviceGet", number(ordinal));
  *device = ordinal;
  return !isDevice(ordinal) ? InvalidDevice : call.result;
}

cu_result cuDeviceGetName(char *name, int bytes, cu_device device) {
  Call call("cuDeviceGetName");
  // As strncpy does, a name that is too long has no end.
  strncpy(name, state->driver.devices[device].name.c_str(), bytes);
  return call.result;
}

cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device device) {
  Call call("cuDeviceGetAttribute", number(attribute));
  const FakeDevice &fake = state->driver.devices[device];
  const std::map<int, int> attributes = {
      {1, fake.threads},
      {75, fake.capability / 10},
      {76, fake.capability % 10},
      {97, fake.sharedBytes},
  };
  auto found = attributes.find(attribute);
  if (found == attributes.end())
    return InvalidValue;
  *value = found->second;
  return call.result;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

cu_result cuDevicePrimaryCtxRetain(cu_context *context, cu_device device) {
  Call call("cuDevicePrimaryCtxRetain", number(device));
  if (call.result != CU_SUCCESS)
    return call.result;
  cu_context &primary = state->primary[device];
  if (!primary)
    primary = FakeDriver::makeContext(device);
  ++primary->retained;
  *context = primary;
  return CU_SUCCESS;
}

cu_result cuDevicePrimaryCtxRelease_v2(cu_device device) {
  Call call("cuDevicePrimaryCtxRelease_v2", number(device));
  cu_context primary = state->primary[device];
  if (!primary || !primary->retained)
    return InvalidContext;
  if (--primary->retained == 0) {
    FakeDriver::destroyContext(primary);
    state->primary.erase(device);
  }
  return call.result;
}

cu_result cuCtxGetCurrent(cu_context *context) {
  Call call("cuCtxGetCurrent");
  *context = current;
  return call.result;
}

cu_result cuCtxSetCurrent(cu_context context) {
  Call call("cuCtxSetCurrent", context ? number(context->id) : "null");
  if (call.result == CU_SUCCESS)
    current = context;
  return call.result;
}

cu_result cuCtxGetDevice(cu_device *device) {
  Call call("cuCtxGetDevice");
  if (!isLive(current))
    return InvalidContext;
  *device = current->device;
  return call.result;
}

cu_result cuCtxGetId(cu_context context, unsigned long long *id) {
  Call call("cuCtxGetId");
  if (!isLive(context))
    return ContextIsDestroyed;
  *id = context->id;
  return call.result;
}

cu_result cuCtxSynchronize() {
  Call call("cuCtxSynchronize");
  return call.result;
}
