//===- FakeDriver.h - A CUDA driver that records what it is asked ---------===//
//
// Part of the Delta-Net project.
//
// A shared library with the functions of a driver, which the runtime opens by
// its name, while tests, linked with it, read its log and tell it what to be.
//
// Its images are texts: a line "ptx CHIP" or "cubin CHIP", then for each
// function a line "NAME ARGS_BYTES MAX_THREADS STATIC_SHARED_BYTES". PTX of
// chip 0 does not compile. Functions take ARGS_BYTES by value and an int64_t.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEDRIVER_H
#define DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEDRIVER_H

extern "C" {
#include "cuda/Driver.h"
}

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#define FAKE_API __attribute__((visibility("default")))

/// One GPU of the machine; the default is an H200.
struct FakeDevice {
  std::string name = "Fake H200";
  int capability = 90;
  int threads = 1024;
  int sharedBytes = 232448;
};

/// A launch as the driver got it.
struct FakeLaunch {
  std::string function;
  uint64_t context = 0; ///< id
  unsigned blocks = 0, threads = 0, sharedBytes = 0;
  void *stream = nullptr;
  std::vector<unsigned char> args;
  int64_t first = 0;
};

/// A call that shall fail.
struct FakeFailure {
  cu_result result = 999;
  int after = 0; ///< calls that still succeed
};

struct FAKE_API FakeDriver {
  int version = 13000;
  std::vector<FakeDevice> devices = {FakeDevice()};
  std::map<std::string, FakeFailure> failures; ///< by function

  /// Names of the functions called, with what tells them apart, in order.
  std::vector<std::string> log;
  std::vector<FakeLaunch> launches;

  /// Contexts are made by hand; the primary ones by cuDevicePrimaryCtxRetain.
  static cu_context makeContext(int device = 0);
  /// Its modules go with it.
  static void destroyContext(cu_context context);
  /// A new context that has the address of a destroyed one.
  static void makeContextAt(cu_context address);
  /// Sets the context of this thread, without a word in the log.
  static void setCurrent(cu_context context);
  static cu_context getCurrent();
  static uint64_t idOf(cu_context context);

  /// What is loaded, allocated and created and has not been freed.
  static int liveModules();
  static int liveAllocations();
  static int liveStreams();

  /// Calls of a function in the log.
  int count(const std::string &name) const;
};

/// The driver as if the machine had just started: nothing is loaded, there is
/// no current context. Not to be touched while other threads call it.
FAKE_API FakeDriver &resetFakeDriver();

#endif // DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEDRIVER_H
