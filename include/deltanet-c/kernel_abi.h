//===- kernel_abi.h - The contract between kernels and their callers ------===//
//
// Part of the Delta-Net project. Freestanding C11: only C standard headers.
//
// A *kernel* is one compiled gated delta rule: static head counts and head
// dimensions, dynamic tokens T and sequences N. A kernel exists in several
// *variants*, one for each instruction set level of CPUs and one for each kind
// of GPU it was compiled for. Everything a caller needs to know stands in the
// variant's descriptor; everything a call needs stands in
// dn_args. Kernels hold no state: no threads, no allocation, no calls, no
// exceptions.
//
// Versioning: structs start with their size and are only ever appended to
// within one DN_ABI_MAJOR. A reader must not touch a field that lies beyond the
// size it finds.
//
// Shapes (letters as in docs/spec.md): T tokens of all sequences together,
// N sequences, H key heads, HV value heads, K key and V value channels.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_C_KERNEL_ABI_H
#define DELTANET_C_KERNEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DN_ABI_MAJOR 1
#define DN_ABI_MINOR 1

/// Element types of tensors.
typedef enum dn_type {
  DN_TYPE_NONE = 0,
  DN_TYPE_F32 = 1,
  DN_TYPE_BF16 = 2,
  DN_TYPE_F16 = 3,
  DN_TYPE_I32 = 4,
  DN_TYPE_I64 = 5
} dn_type;

/// Which recurrence a kernel computes (docs/spec.md, "Rules").
typedef enum dn_rule { DN_RULE_DELTA = 0, DN_RULE_GATED = 1 } dn_rule;

/// Key head of value head hv: grouped h = hv / (HV/H), tiled h = hv mod H.
typedef enum dn_head_map {
  DN_HEAD_MAP_GROUPED = 0,
  DN_HEAD_MAP_TILED = 1
} dn_head_map;

/// Memory order of one head's state: KV = [K,V] (rows are key channels),
/// VK = [V,K].
typedef enum dn_state_layout {
  DN_STATE_LAYOUT_KV = 0,
  DN_STATE_LAYOUT_VK = 1
} dn_state_layout;

/// Instruction set levels, each including the ones before it on its machine.
typedef enum dn_isa {
  DN_ISA_GENERIC = 0,     ///< the baseline of the object's architecture
  DN_ISA_AVX2 = 1,        ///< AVX2, FMA, F16C, BMI2
  DN_ISA_AVX512 = 2,      ///< AVX-512 F, BW, DQ, VL
  DN_ISA_AVX512_BF16 = 3, ///< AVX512-BF16
  DN_ISA_AMX = 4,         ///< AMX-TILE, AMX-BF16
  /// Variants for GPUs: DN_ISA_CUDA + 10 * major + minor of the compute
  /// capability, e.g. DN_ISA_CUDA + 80. Runtimes of CPUs pass over them.
  DN_ISA_CUDA = 0x10000
} dn_isa;

/// Operands that a kernel takes beyond q, k, v, beta and o; a set bit means the
/// pointer in dn_args must not be null, a clear bit that it must be null.
enum {
  DN_OPERAND_G = 1u << 0,         ///< log gate
  DN_OPERAND_STATE_IN = 1u << 1,  ///< initial state
  DN_OPERAND_STATE_OUT = 1u << 2, ///< final state
  DN_OPERAND_CU_SEQLENS = 1u << 3 ///< packed sequences
};

/// Flags of a call.
enum {
  DN_FLAG_SCALE = 1u << 0 ///< dn_args.scale replaces the kernel's own scale
};

/// The arguments of one call. Zero it, set size, then fill in what the kernel
/// takes. Strides count elements; the innermost dimension is contiguous. No
/// output may overlap an input or another output, except that state_out may be
/// state_in (with the same strides), and then is updated in place. Pointers
/// need only the alignment of their element type.
typedef struct dn_args {
  uint64_t size; ///< sizeof(dn_args) of the caller

  const void *q;          ///< [T,H,K]
  const void *k;          ///< [T,H,K]
  const void *v;          ///< [T,HV,V]
  const float *g;         ///< [T,HV] log decay, <= 0, -inf allowed
  const float *beta;      ///< [T,HV]
  const float *state_in;  ///< [N,HV,K,V] or [N,HV,V,K]
  const void *cu_seqlens; ///< [N+1] i32 or i64, from 0 to at most T
  void *o;                ///< [T,HV,V]
  float *state_out;       ///< as state_in

  int64_t tokens;    ///< T, 0 to 2^40
  int64_t sequences; ///< N, 0 to 2^32; 1 without cu_seqlens

  int64_t q_token_stride, q_head_stride;
  int64_t k_token_stride, k_head_stride;
  int64_t v_token_stride, v_head_stride;
  int64_t o_token_stride, o_head_stride;
  int64_t g_token_stride;
  int64_t beta_token_stride;
  int64_t state_in_sequence_stride, state_in_head_stride;
  int64_t state_out_sequence_stride, state_out_head_stride;

  float scale;    ///< with DN_FLAG_SCALE: factor of q
  uint32_t flags; ///< DN_FLAG_*

  void *workspace; ///< what passes between stages; may be null if 0 bytes
  uint64_t
      workspace_bytes; ///< its size, at least kernel->workspace_bytes(args)
} dn_args;

/// How one stage of a GPU variant is launched: a grid of blocks along x, one
/// for each work item, of `threads` threads along x. The kernel function takes
/// dn_args by value, of dn_cuda_code.args_size bytes and with device pointers,
/// and then an int64_t, the number of the first block's work item: grids have
/// at most 2^31 - 1 blocks, a stage may have more items.
typedef struct dn_cuda_stage {
  const char *entry;     ///< name of the kernel function in the images
  uint32_t threads;      ///< of a block
  uint32_t shared_bytes; ///< dynamic shared memory of a block
  /// The function for calls of which a pointer, or a stride that is used, of q,
  /// k, v, o or a state is no multiple of 16 bytes; null if `entry` serves all.
  const char *unaligned_entry;
} dn_cuda_stage;

/// The code of a GPU variant, for all of its stages.
typedef struct dn_cuda_code {
  uint32_t size;      ///< sizeof(dn_cuda_code) when the kernel was made
  uint32_t chip;      ///< 10 * major + minor of the compute capability
  uint32_t only;      ///< 1: for this compute capability alone (sm_90a); 0: the
                      ///< PTX also for later ones, the cubin for later minors
  uint32_t args_size; ///< sizeof(dn_args) that the kernels take
  const dn_cuda_stage *stages; ///< dn_kernel.stages of them
  const char *ptx;             ///< text, ends with a zero byte
  uint64_t ptx_bytes;          ///< with the zero byte
  const void *cubin;           ///< or null: the driver compiles the PTX
  uint64_t cubin_bytes;
} dn_cuda_code;

/// One variant of a kernel.
///
/// A call runs the stages 0 … stages-1 in order. Each stage has items(args,
/// stage) independent work items; any thread may run any range of them, and a
/// stage may start when all items of the stage before have ended. The bits of
/// the result do not depend on how the ranges are cut.
typedef struct dn_kernel {
  uint32_t size;      ///< sizeof(dn_kernel) when the kernel was made
  uint16_t abi_major; ///< DN_ABI_MAJOR when the kernel was made
  uint16_t abi_minor;

  const char *name;      ///< of the kernel, e.g. "gdn"
  const char *schedules; ///< how it computes, one schedule a line

  uint32_t isa;          ///< dn_isa this variant needs
  uint32_t rule;         ///< dn_rule
  uint32_t io_type;      ///< dn_type of q, k, v, o
  uint32_t state_type;   ///< dn_type of the state
  uint32_t index_type;   ///< dn_type of cu_seqlens, or DN_TYPE_NONE
  uint32_t head_map;     ///< dn_head_map
  uint32_t state_layout; ///< dn_state_layout
  uint32_t operands;     ///< DN_OPERAND_*
  int64_t static_tokens; ///< T if the kernel was made for one T only, else -1
  int64_t h, hv, k, v;   ///< H, HV, K, V
  float scale;           ///< factor of q unless DN_FLAG_SCALE
  float l2norm_eps;      ///< eps of the L2 norm of q and k inside, or -1: none

  uint64_t scratch_bytes; ///< memory each worker brings to run, any contents
  uint32_t scratch_align; ///< its alignment in bytes
  uint32_t stages;        ///< at least 1

  /// Bytes that args->workspace must hold, 64-byte aligned; reads only the
  /// counts of args.
  uint64_t (*workspace_bytes)(const dn_args *args);
  /// Number of work items of a stage; reads only the counts of args.
  int64_t (*items)(const dn_args *args, uint32_t stage);
  /// Runs the items [begin, end) of a stage. Re-entrant; sets flush-to-zero
  /// and restores it. Arguments are trusted: see dn_check in runtime.h.
  void (*run)(const dn_args *args, uint32_t stage, void *scratch, int64_t begin,
              int64_t end);

  // Since ABI 1.1.

  /// Of a GPU variant, else null. Its workspace_bytes and items run on the CPU
  /// (any of its architecture), its run is null: see cuda.h. Its scratch_bytes
  /// is 0.
  const dn_cuda_code *cuda;
} dn_kernel;

/// All variants of one kernel, highest dn_isa first, so those for GPUs before
/// those for CPUs. A compiled kernel NAME exports exactly one symbol, `const
/// dn_kernel_set dn_NAME`.
typedef struct dn_kernel_set {
  uint32_t size; ///< sizeof(dn_kernel_set) when the kernel was made
  uint32_t variant_count;
  const char *name;
  const dn_kernel *const *variants;
} dn_kernel_set;

/// What a shared library made by delta-compile exports as `dn_query`.
typedef struct dn_library {
  uint32_t size;      ///< sizeof(dn_library) when the library was made
  uint16_t abi_major; ///< DN_ABI_MAJOR when the library was made
  uint16_t abi_minor;
  uint32_t kernel_count;
  uint32_t reserved; ///< 0
  const dn_kernel_set *const *kernels;
  const char *producer; ///< e.g. "delta-compile 0.1.0, LLVM 22.1.8"
} dn_library;

typedef const dn_library *(*dn_query_fn)(void);

#ifdef __cplusplus
}
#endif

#endif // DELTANET_C_KERNEL_ABI_H
