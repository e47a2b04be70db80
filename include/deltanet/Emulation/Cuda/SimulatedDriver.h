//===- SimulatedDriver.h - What a simulated CUDA driver tells ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// libdeltanet_cuda_sim.so stands in for libcuda.so.1: it exports the functions
// of the CUDA driver API that the runtime uses, and executes PTX on the CPU
// with every access checked. Beside them it exports what is declared here, in
// C.
//
// A launch runs at once. One with findings is no error of the launch itself:
// the next call that uses its context fails, and so do all others, as after a
// fault of a real GPU, until the findings are taken.
//
// Every function may be called from any thread at any time.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_CUDA_SIMULATEDDRIVER_H
#define DELTANET_EMULATION_CUDA_SIMULATEDDRIVER_H

#include <stdint.h>

#define DN_SIM_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/// What is simulated, and how. Zero it and set size: fields that are 0 have
/// their defaults.
typedef struct dn_sim_options {
  uint32_t size;              ///< sizeof(dn_sim_options)
  uint32_t capability;        ///< 10 * major + minor; 80
  uint32_t devices;           ///< 1
  uint32_t without_checks;    ///< 1: neither races nor uninitialised reads
  uint64_t seed;              ///< order of warps; 0: each until it waits
  uint64_t memory_bytes;      ///< of each device; 16 GiB
  uint64_t instruction_limit; ///< of a launch; 2^32 for its warps together
} dn_sim_options;

/// Null, or why it was refused: an unknown value, or one for the devices while
/// a context is in use. Texts last for ever.
DN_SIM_API const char *dn_sim_configure(const dn_sim_options *options);

/// Gives a buffer the name that findings have it by, and forbids kernels to
/// write there unless `writable`. False if no allocation begins here.
DN_SIM_API int dn_sim_describe_buffer(uint64_t address, const char *name,
                                      int writable);

/// Takes bytes of one allocation as never written. False if they are not.
DN_SIM_API int dn_sim_mark_uninitialised(uint64_t address, uint64_t bytes);

/// Gets a text, which lasts for the call.
typedef void (*dn_sim_visitor)(void *context, const char *text);

/// Hands each finding of the launches so far to `visit` and forgets it; the
/// contexts work again. How many launches ended before their end.
DN_SIM_API unsigned dn_sim_take_findings(dn_sim_visitor visit, void *context);

/// Hands what was executed since the last time to `visit`, as JSON: the device,
/// all instructions, and for each kernel its launches and the report of
/// delta-ptxsim.
DN_SIM_API void dn_sim_take_report(dn_sim_visitor visit, void *context);

/// Why the last call that failed in this thread did, in words: "expected ...,
/// got ..."; never null. Lasts until the next one.
DN_SIM_API const char *dn_sim_reason(void);

#ifdef __cplusplus
}
#endif

#endif // DELTANET_EMULATION_CUDA_SIMULATEDDRIVER_H
