//===- FakeDriverState.h - What the fake driver keeps between calls -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEDRIVERSTATE_H
#define DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEDRIVERSTATE_H

#include "FakeDriver.h"

#include <memory>
#include <mutex>
#include <set>

struct cu_context_object {
  uint64_t id = 0; ///< 0: destroyed
  int device = 0;
  int retained = 0;
};

struct cu_function_object {
  std::string name;
  cu_module module = nullptr;
  int argsBytes = 0, maxThreads = 0, staticSharedBytes = 0;
  int dynamicSharedBytes = 48 * 1024;
};

struct cu_module_object {
  cu_context context = nullptr;
  std::map<std::string, cu_function_object> functions;
};

struct cu_stream_object {};

namespace fake {

/// Results that nobody but the fake has to know.
enum {
  InvalidValue = 1,
  InvalidDevice = 101,
  InvalidContext = 201,
  InvalidPtx = 218,
  InvalidHandle = 400,
  NotFound = 500,
  ContextIsDestroyed = 709
};

struct State {
  std::mutex lock;
  FakeDriver driver;
  uint64_t nextId = 1;
  /// Kept to the end: addresses of destroyed ones are still asked about.
  std::vector<std::unique_ptr<cu_context_object>> contexts;
  std::map<int, cu_context> primary;
  std::map<cu_module, std::unique_ptr<cu_module_object>> modules;
  std::map<cu_pointer, std::unique_ptr<char[]>> memory;
  std::set<cu_stream> streams;
};

extern std::unique_ptr<State> state;
extern thread_local cu_context current;

/// A call: takes the lock, writes the log and says what was planned for it.
class Call {
public:
  explicit Call(const std::string &function, const std::string &details = "")
      : guard(state->lock) {
    state->driver.log.push_back(details.empty() ? function
                                                : function + " " + details);
    auto planned = state->driver.failures.find(function);
    if (planned != state->driver.failures.end() && planned->second.after-- <= 0)
      result = planned->second.result;
  }

  cu_result result = CU_SUCCESS;

private:
  std::lock_guard<std::mutex> guard;
};

inline bool isDevice(int device) {
  return device >= 0 && size_t(device) < state->driver.devices.size();
}

inline bool isLive(cu_context context) { return context && context->id; }

inline std::string number(long long value) { return std::to_string(value); }

} // namespace fake

// From the runtime's own table: a definition of another type does not compile.
#define DECLARE(name, parameters) extern "C" FAKE_API cu_result name parameters;
CU_FUNCTIONS(DECLARE)
#undef DECLARE

#endif // DELTANET_UNITTESTS_RUNTIME_CUDA_FAKEDRIVERSTATE_H
