//===- cuda.h - Running kernels on GPUs of CUDA ---------------------------===//
//
// Part of the Delta-Net project. C11; needs only libc and pthreads.
//
// Variants for GPUs are chosen, loaded and launched here, those for CPUs in
// runtime.h. Nothing of CUDA is needed to build or to load this library: the
// driver is opened when dn_cuda_open asks for it.
//
//   dn_cuda *cuda;
//   if (dn_cuda_open(NULL, &cuda, message, sizeof message) != DN_OK)
//     return puts(message); // or dn_select, for the CPU
//   // Once for a kernel, with the context current that it shall run in:
//   dn_cuda_select(cuda, &dn_gdn, &chosen);
//   dn_cuda_load(cuda, chosen.kernel, &gdn, message, sizeof message);
//   // For each call:
//   dn_cuda_check(chosen.kernel, &args, message, sizeof message);
//   dn_cuda_launch(gdn, &args, stream, message, sizeof message);
//   // At the end:
//   dn_cuda_close(cuda);
//
// Contexts, streams and device memory are the host's, by the driver API or by
// the CUDA runtime (whose contexts are current once it is in use). Pointers of
// dn_args are device addresses, the workspace is device memory; counts, strides
// and dn_args itself are the host's.
//
// What runtime.h says of threads and messages holds here, too.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_C_CUDA_H
#define DELTANET_C_CUDA_H

#include "deltanet-c/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A driver that dn_cuda_open has opened, and the kernels that were loaded
/// with it.
typedef struct dn_cuda dn_cuda;

/// A variant of a kernel that is loaded for one context.
typedef struct dn_cuda_kernel dn_cuda_kernel;

/// Opens and initializes the CUDA driver. `driver` is as for dlopen; null means
/// libcuda.so.1. Needs CUDA 12.0. Creates no context.
///
/// Errors: DN_ERROR_DRIVER if there is no driver, one that is older, or only
/// the toolkit's stub of one; DN_ERROR_NO_DEVICE; DN_ERROR_DRIVER_CALL;
/// DN_ERROR_MEMORY. Then `*out` is null.
DN_API dn_status dn_cuda_open(const char *driver, dn_cuda **out, char *message,
                              size_t bytes);

/// Unloads all kernels and frees `cuda`, which no other call may be using. The
/// driver itself stays mapped, as it may have threads. Null is allowed.
DN_API void dn_cuda_close(dn_cuda *cuda);

/// Picks the variant for the highest compute capability that the device of the
/// current context can run: its own one if the variant is for that alone, any
/// later one otherwise. A block's threads and shared memory must fit, too.
///
/// `out->reason` reads, for example,
///   "sm_90a chosen"
///   "sm_80 chosen; sm_100a skipped: for 10.0 alone; sm_90a skipped: for 9.0
///   alone"
///   "no variant runs on NVIDIA T4 (7.5); sm_80 skipped: for 8.0 and later"
///
/// Errors: DN_ERROR_DEVICE if no variant is left, DN_ERROR_ISA if the set has
/// none for GPUs, DN_ERROR_ABI if it was made for another ABI or is broken,
/// DN_ERROR_CONTEXT without a current context, DN_ERROR_DRIVER_CALL. Then
/// `out->kernel` is null and `out->reason` is the message.
DN_API dn_status dn_cuda_select(dn_cuda *cuda, const dn_kernel_set *set,
                                dn_selection *out);

/// Loads a variant into the current context, so that launches need nothing more
/// than to be launched. Takes the cubin if it is for this device, else lets the
/// driver compile the PTX, which may take seconds; dn_cuda_image tells.
///
/// Again for the same variant and context, gives the same handle, at once. Each
/// call wants a dn_cuda_unload. Must not run while a stream is being captured.
///
/// Errors: those of dn_cuda_select, and DN_ERROR_MEMORY. Then `*out` is null
/// and nothing stays loaded.
DN_API dn_status dn_cuda_load(dn_cuda *cuda, const dn_kernel *kernel,
                              dn_cuda_kernel **out, char *message,
                              size_t bytes);

/// What was loaded, and why: for example "cubin of sm_90a", or "PTX of sm_80,
/// compiled by the driver: no cubin". Lives as long as the handle.
DN_API const char *dn_cuda_image(const dn_cuda_kernel *kernel);

/// Takes back one dn_cuda_load; the last one frees the handle and what it holds
/// of the device. No launch of it may be running. Null is allowed, and so is a
/// kernel whose context has been destroyed. Unload before dn_library_close:
/// other variants may come to lie where this one did.
DN_API void dn_cuda_unload(dn_cuda_kernel *kernel);

/// dn_check for a variant for GPUs: everything but the content of cu_seqlens,
/// which lies in device memory and is trusted to be a monotone partition.
/// DN_ERROR_ISA if the variant is for CPUs. Calls no driver.
DN_API dn_status dn_cuda_check(const dn_kernel *kernel, const dn_args *args,
                               char *message, size_t bytes);

/// Enqueues all stages of a call on `stream`, a CUstream or cudaStream_t of the
/// kernel's context; null is the legacy default stream. Returns before they
/// have run. Neither allocates nor synchronizes nor loads, so that it may be
/// captured into a graph; `args` itself is not needed afterwards, while what it
/// points to is. Arguments are trusted: see dn_cuda_check.
///
/// Errors: DN_ERROR_CONTEXT if another context is current than the one that the
/// kernel was loaded for, before anything is enqueued; DN_ERROR_DRIVER_CALL,
/// which may be that of earlier work on the device.
DN_API dn_status dn_cuda_launch(const dn_cuda_kernel *kernel,
                                const dn_args *args, void *stream,
                                char *message, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif // DELTANET_C_CUDA_H
