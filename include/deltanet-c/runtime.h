//===- runtime.h - Choosing, checking and running kernels -----------------===//
//
// Part of the Delta-Net project. C11; needs only libc and pthreads.
//
// The runtime is a convenience around kernel_abi.h. It picks the variant that
// this machine can execute, checks the arguments of a call and spreads work
// items over threads. A host with threads of its own may use any part alone, or
// call a kernel's function pointers directly.
//
//   dn_selection chosen;
//   if (dn_select(&dn_gdn, &chosen) != DN_OK)
//     return puts(chosen.reason);
//   dn_pool *pool = dn_pool_create(0);
//   char message[DN_MESSAGE_BYTES];
//   if (dn_check(chosen.kernel, &args, message, sizeof message) != DN_OK)
//     return puts(message);
//   dn_run(chosen.kernel, &args, pool);
//   dn_pool_destroy(pool);
//
// Nothing here prints, throws, changes global state or needs initialization.
// Every function may be called from any thread at any time, unless it says
// otherwise. Functions with a (message, bytes) pair write at most `bytes`
// bytes there, always terminated, empty on success; message may be null if
// bytes is 0. Messages read "NAME: expected ..., got ...".
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_C_RUNTIME_H
#define DELTANET_C_RUNTIME_H

#include "deltanet-c/kernel_abi.h"

#if defined(__GNUC__)
#define DN_API __attribute__((visibility("default")))
#else
#define DN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// What went wrong. Values are stable; new ones may be appended.
typedef enum dn_status {
  DN_OK = 0,
  DN_ERROR_ABI = 1,       ///< a struct of another ABI, or with unknown parts
  DN_ERROR_FLAGS = 2,     ///< an unknown DN_FLAG_ bit
  DN_ERROR_COUNT = 3,     ///< tokens or sequences
  DN_ERROR_OPERAND = 4,   ///< a pointer is missing or not taken by the kernel
  DN_ERROR_ALIGNMENT = 5, ///< a pointer is not aligned to its element type
  DN_ERROR_STRIDE = 6,    ///< a stride is negative or makes rows overlap
  DN_ERROR_EXTENT = 7,    ///< a tensor does not fit into the address space
  DN_ERROR_SEQLENS = 8,   ///< cu_seqlens is not a monotone partition of T
  DN_ERROR_WORKSPACE = 9, ///< the workspace is missing, too small, misaligned
  DN_ERROR_OVERLAP = 10,  ///< an output overlaps another operand
  DN_ERROR_SCALE = 11,    ///< scale is not finite
  DN_ERROR_ISA = 12,      ///< no variant runs here, or DELTANET_ISA is unknown
  DN_ERROR_LIBRARY = 13,  ///< not a loadable kernel library
  DN_ERROR_MEMORY = 14,   ///< host memory could not be allocated

  // Of variants for GPUs (cuda.h).
  DN_ERROR_DRIVER = 15,     ///< no CUDA driver, or one that is too old
  DN_ERROR_NO_DEVICE = 16,  ///< the driver finds no GPU
  DN_ERROR_DEVICE = 17,     ///< this GPU cannot run the kernel
  DN_ERROR_CONTEXT = 18,    ///< no current context, or not the kernel's
  DN_ERROR_DRIVER_CALL = 19 ///< the driver refused a call
} dn_status;

/// A short English text for a status, never null; "unknown status" for a value
/// that this runtime does not know. Lives as long as the program.
DN_API const char *dn_status_string(dn_status status);

/// Enough bytes for every message, without truncation of the runtime's own
/// words (a long file name may be cut).
#define DN_MESSAGE_BYTES 256

//===----------------------------------------------------------------------===//
// Choosing a variant
//===----------------------------------------------------------------------===//

/// The outcome of dn_select.
typedef struct dn_selection {
  const dn_kernel *kernel; ///< null if the status is not DN_OK
  char
      reason[DN_MESSAGE_BYTES]; ///< what was chosen and why the others were not
} dn_selection;

/// Picks the variant with the highest instruction set level that this machine
/// can execute: the CPU must have the instructions (CPUID) and the operating
/// system must save their registers (XCR0). Variants for GPUs are passed over:
/// see dn_cuda_select in cuda.h. The environment variable
/// DELTANET_ISA (the name of a level), read at each call, caps the level.
///
/// For a variant of level amx that nothing else speaks against, asks the
/// operating system for leave to use tile data (arch_prctl, Linux). All threads
/// of the process then have it, and larger signal frames where tiles are used.
///
/// `out->reason` reads, for example,
///   "avx512_bf16 chosen"
///   "avx2 chosen; avx512 skipped: XCR0 lacks zmm state"
///   "avx512_bf16 chosen; amx skipped: permission to use tile data refused"
///   "generic chosen; avx2 skipped: capped by DELTANET_ISA=generic"
///
/// Errors: DN_ERROR_ISA if no variant is left or DELTANET_ISA has an unknown
/// value, DN_ERROR_ABI if the set was made for another ABI; then
/// `out->kernel` is null and `out->reason` is the message.
DN_API dn_status dn_select(const dn_kernel_set *set, dn_selection *out);

/// The name of a level as DELTANET_ISA spells it, or null if unknown.
DN_API const char *dn_isa_name(uint32_t isa);

/// DN_OK if this machine can execute kernels of level `isa` and DELTANET_ISA
/// allows it; otherwise DN_ERROR_ISA and the reason. Asks for tile data as
/// dn_select does.
DN_API dn_status dn_isa_check(uint32_t isa, char *message, size_t bytes);

//===----------------------------------------------------------------------===//
// Filling in arguments
//===----------------------------------------------------------------------===//

/// Sets all strides of `args` to those of tensors in C order without gaps, of
/// the shapes that stand at the fields of dn_args.
DN_API void dn_set_packed_strides(const dn_kernel *kernel, dn_args *args);

//===----------------------------------------------------------------------===//
// Checking arguments
//===----------------------------------------------------------------------===//

/// Checks everything that `kernel` trusts: sizes and flags, which pointers are
/// there, their alignment, counts, strides, extents, cu_seqlens, workspace and
/// overlap. Reads no tensor but cu_seqlens, and only once its pointer has
/// passed. Reports the first fault found.
///
/// Strides: token and head strides (sequence and head strides of a state) may
/// come in either memory order and may leave gaps, but no two rows may share an
/// element; this is decided exactly. The stride of a dimension of size 0 or 1
/// is not used, but may not be negative. A tensor without elements may be null.
///
/// Overlap: inputs may overlap each other. An output (o, state_out, the
/// workspace) may share no element with anything else, except that state_out
/// may be state_in with the same strides. Interleaving, as in views of one
/// packed buffer, is fine and decided exactly; only if two operands with
/// different token strides interleave over more than 65536 tokens they are
/// refused without proof.
///
/// A variant for GPUs is refused with DN_ERROR_ISA: see dn_cuda_check in
/// cuda.h.
///
/// Cost: about a microsecond plus one pass over cu_seqlens, so a hot loop
/// that only changes pointers may check its first call only.
DN_API dn_status dn_check(const dn_kernel *kernel, const dn_args *args,
                          char *message, size_t bytes);

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Threads that share the work of a call, with a scratch buffer for each.
typedef struct dn_pool dn_pool;

/// CPUs that this process may use: the affinity mask of the calling thread,
/// capped by the CPU quota of its control group (v1 and v2, rounded up). At
/// least 1.
DN_API int dn_cpu_count(void);

/// Makes a pool of `threads` threads, 0 meaning dn_cpu_count(). The thread that
/// calls dn_run is one of them: threads - 1 are started. They spin for some
/// microseconds after a call and then sleep; they block all signals. Null if
/// `threads` is negative or above 4096, or if memory or threads run out. A pool
/// does not survive fork().
DN_API dn_pool *dn_pool_create(int threads);

/// Ends the threads and frees the pool, which no dn_run may be using. Null is
/// allowed.
DN_API void dn_pool_destroy(dn_pool *pool);

/// Number of threads, counting the caller of dn_run.
DN_API int dn_pool_threads(const dn_pool *pool);

/// Grows the pool's scratch buffers to what `kernel` needs, so that no later
/// dn_run of it allocates. Error: DN_ERROR_MEMORY.
DN_API dn_status dn_pool_reserve(dn_pool *pool, const dn_kernel *kernel);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Runs all stages of `kernel` and returns when the last has ended. The bits of
/// the result do not depend on the number of threads. Arguments are trusted:
/// see dn_check.
///
/// With a pool, work items are shared dynamically among its threads. Calls on
/// one pool wait for each other. Memory is allocated only when the kernel needs
/// more scratch than any before it (see dn_pool_reserve).
///
/// Without (null), the caller runs everything, and scratch is allocated for
/// this call; dn_run_serial avoids that.
///
/// Errors, before any output is written: DN_ERROR_MEMORY, and DN_ERROR_ISA for
/// a variant for GPUs. The functions below have no status to tell, and trust it
/// to be one for CPUs.
DN_API dn_status dn_run(const dn_kernel *kernel, const dn_args *args,
                        dn_pool *pool);

/// Runs all stages on the calling thread and allocates nothing. `scratch` holds
/// kernel->scratch_bytes, aligned to kernel->scratch_align.
DN_API void dn_run_serial(const dn_kernel *kernel, const dn_args *args,
                          void *scratch);

/// Runs share `ith` of `nth` of one stage: the building block for hosts with
/// threads of their own. Every thread of the host does
///
///   for (uint32_t stage = 0; stage < kernel->stages; ++stage) {
///     dn_run_share(kernel, args, stage, my_scratch, ith, nth);
///     host_barrier();
///   }
///
/// with 0 <= ith < nth and its own scratch. More threads than work items are
/// fine. Hosts with a parallel loop call kernel->run(args, stage, scratch,
/// begin, end) over [0, kernel->items(args, stage)) instead.
DN_API void dn_run_share(const dn_kernel *kernel, const dn_args *args,
                         uint32_t stage, void *scratch, int ith, int nth);

//===----------------------------------------------------------------------===//
// Kernel libraries
//===----------------------------------------------------------------------===//

/// A shared library of kernels that dn_library_open has loaded.
typedef struct dn_loaded_library {
  const dn_library *library; ///< its kernels; valid until dn_library_close
  void *handle;              ///< of dlopen
} dn_loaded_library;

/// Loads a library made by delta-compile. `path` is as for dlopen: without a
/// slash it is searched in the system's library path; with one, a file that is
/// for another machine or was cut off is refused before anything of it is
/// mapped. Libraries of every ABI minor of this major load. Errors:
/// DN_ERROR_LIBRARY, DN_ERROR_ABI; then `out` is zero and nothing stays loaded.
DN_API dn_status dn_library_open(const char *path, dn_loaded_library *out,
                                 char *message, size_t bytes);

/// Unloads; no kernel of the library may be running or be used later. Zeroes
/// `library`; allowed on a zero struct.
DN_API void dn_library_close(dn_loaded_library *library);

/// The kernel called `name`, or null, also for a null library or name.
DN_API const dn_kernel_set *dn_library_find(const dn_library *library,
                                            const char *name);

#ifdef __cplusplus
}
#endif

#endif // DELTANET_C_RUNTIME_H
