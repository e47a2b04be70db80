//===- DeltaNetAttrs.td - Target and schedule ---------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ATTRS
#define DELTANET_ATTRS

include "deltanet/DeltaNetEnums.td"
include "mlir/IR/AttrTypeBase.td"

class DeltaNet_Attr<string name, string attrMnemonic>
    : AttrDef<DeltaNet_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def DeltaNet_TargetAttr : DeltaNet_Attr<"Target", "target"> {
  let summary = "the machine a module is compiled for";
  let description = [{
    What schedule selection and the target step need to know of a machine. Every
    field is required: a missing one would be a silent default.

    - C14: a `#deltanet.target` has vector_bits of 128, 256 or 512, from 8 to 64
      vector_registers, 1 or 2 vector_units, l1_bytes of at least 4096, l2_bytes
      of at least l1_bytes and 1, 2 or 4 streams; its isa is generic unless its
      arch is x86_64, and its matrix none, or amx where its isa is amx.

    ```mlir
    module attributes {deltanet.target = #deltanet.target<
        arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16,
        vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 524288,
        streams = 4, matrix = none>} {}
    ```
  }];
  let parameters = (ins
    EnumParameter<DeltaNet_Arch>:$arch,
    EnumParameter<DeltaNet_Isa>:$isa,
    "int64_t":$vector_bits,       // width of one vector register
    "int64_t":$vector_registers,
    "int64_t":$vector_units,      // operations on whole registers a cycle
    "bool":$fma,                  // fused multiply-add without a call
    "int64_t":$l1_bytes,          // data caches of one core
    "int64_t":$l2_bytes,
    "int64_t":$streams,           // sequences in which a core reads memory best
    EnumParameter<DeltaNet_MatrixUnit>:$matrix);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def DeltaNet_GpuTargetAttr : DeltaNet_Attr<"GpuTarget", "gpu_target"> {
  let summary = "the GPU a module is compiled for";
  let description = [{
    What schedule selection and the target step need to know of a GPU. It stands in
    `deltanet.target`, in place of a `#deltanet.target`, and has every field.

    - C29: a `#deltanet.gpu_target` has at least one of multiprocessors, 1024 to
      2048 threads in steps of 512, shared_bytes of at least 49152 and
      shared_bytes_in_all of at least shared_bytes and 1024 more; tensor_core is
      wgmma only on sm_90a and tcgen05 only on sm_100a; async_copy is tma only from
      sm_90a on.

    ```mlir
    module attributes {deltanet.target = #deltanet.gpu_target<
        chip = sm_90a, multiprocessors = 132, threads = 2048,
        shared_bytes = 232448, shared_bytes_in_all = 233472,
        tensor_core = wgmma, async_copy = tma>} {}
    ```
  }];
  let parameters = (ins
    EnumParameter<DeltaNet_Chip>:$chip,
    "int64_t":$multiprocessors,
    "int64_t":$threads,             // that a multiprocessor holds at once
    "int64_t":$shared_bytes,        // that one block can have
    "int64_t":$shared_bytes_in_all, // of all blocks of a multiprocessor, each
                                    // with 1024 for the system
    EnumParameter<DeltaNet_TensorCore>:$tensor_core,
    EnumParameter<DeltaNet_AsyncCopy>:$async_copy);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def DeltaNet_ScheduleAttr : DeltaNet_Attr<"Schedule", "schedule"> {
  let summary = "how a delta rule is computed for sequences of some lengths";
  let description = [{
    One schedule serves the sequences of `min_tokens` to `max_tokens` tokens. The
    choice is made for every sequence by its own length, so that the bits of a
    sequence never depend on its neighbours in a batch.

    | field | algorithm | meaning |
    | --- | --- | --- |
    | `value_slice` | both | columns of V in a work item; 0: all |
    | `columns` | both | W: state columns of a register block |
    | `tokens` | recurrent | B: tokens a pass over the state |
    | `rows` | recurrent | state rows a turn; in memory, each of another part |
    | `block` | recurrent | tokens staged in scratch at a time |
    | `state` | recurrent | `scratch`: blocked copy; `memory`: in place, one token; `registers`: of the threads of a GPU |
    | `prefetch` | recurrent | bytes from a kv state to the next; 0: none |
    | `chunk` | chunked | C: tokens a chunk |
    | `staging` | chunked | `one_pass` or `two_stage` |
    | `register_rows` | chunked | rows of a register block |
    | `matrix` | chunked | unit that multiplies: `amx` in bf16, `mma` in f16 and tf32; `none`: vectors in f32 |
    | `warps` | both | warps of a block on a GPU; 0: for a CPU |
    | `intra_warps` | chunked | warps of a block that computes the matrices of a chunk; 0: as `warps` |
    | `stages` | chunked | chunks whose operands are in shared memory: with 2 the next is copied while one is computed |

    - C15: a `#deltanet.schedule` has 0 ≤ min_tokens ≤ max_tokens; columns a
      multiple of 8 from 8 to 64; value_slice a multiple of columns; tokens from
      1 to 8; rows 1, 2, 4 or 8; block a multiple of tokens up to 256; prefetch
      from 0 to 1048576; chunk 16, 32, 64 or 128; register_rows from 1 to 16; and
      tokens = 1, max_tokens ≤ 1 and rows ≤ 4 where a recurrent one has state =
      memory; tokens = 1, rows = 1 and a value_slice where it has state = registers;
      with matrix = amx chunk is at least 32 and columns 16 or 32; with matrix = mma
      staging is two_stage, chunk 32 or 64, warps at least 1, value_slice a multiple
      of 16 · warps, intra_warps from 0 to 16 and stages 1 or 2; warps from 0 to 16,
      at least 1 with state = registers or matrix = mma, and 0 in others, whose
      intra_warps are 0 and stages 1. A field of the other algorithm has its default.

    ```mlir
    #deltanet.schedule<recurrent, tokens = 2, columns = 16, rows = 2, block = 64>
    #deltanet.schedule<chunked, min_tokens = 16, chunk = 64, staging = two_stage>
    ```
  }];
  let parameters = (ins
    EnumParameter<DeltaNet_Algorithm>:$algorithm,
    DefaultValuedParameter<"int64_t", "0">:$min_tokens,
    DefaultValuedParameter<"int64_t", "kUnbounded">:$max_tokens,
    DefaultValuedParameter<"int64_t", "0">:$value_slice,
    DefaultValuedParameter<"int64_t", "16">:$columns,
    DefaultValuedParameter<"int64_t", "1">:$tokens,
    DefaultValuedParameter<"int64_t", "1">:$rows,
    DefaultValuedParameter<"int64_t", "64">:$block,
    DefaultValuedParameter<"::mlir::deltanet::Residency",
                           "::mlir::deltanet::Residency::Scratch">:$state,
    DefaultValuedParameter<"int64_t", "0">:$prefetch,
    DefaultValuedParameter<"int64_t", "64">:$chunk,
    DefaultValuedParameter<"::mlir::deltanet::Staging",
                           "::mlir::deltanet::Staging::OnePass">:$staging,
    DefaultValuedParameter<"int64_t", "4">:$register_rows,
    DefaultValuedParameter<"::mlir::deltanet::MatrixUnit",
                           "::mlir::deltanet::MatrixUnit::None">:$matrix,
    DefaultValuedParameter<"int64_t", "0">:$warps,
    DefaultValuedParameter<"int64_t", "0">:$intra_warps,
    DefaultValuedParameter<"int64_t", "1">:$stages);
  let assemblyFormat = [{
    `<` $algorithm (`,` struct($min_tokens, $max_tokens, $value_slice, $columns,
    $tokens, $rows, $block, $state, $prefetch, $chunk, $staging,
    $register_rows, $matrix, $warps, $intra_warps, $stages)^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// max_tokens of a schedule without an upper limit.
    static constexpr int64_t kUnbounded = INT64_MAX;
    /// Work items are blocks of threads.
    bool isForGpu() const { return getWarps() > 0; }
  }];
}
def DeltaNet_ScheduleArrayAttr
    : TypedArrayAttrBase<DeltaNet_ScheduleAttr, "array of schedules">;

def DeltaNet_KernelAttr : DeltaNet_Attr<"Kernel", "kernel"> {
  let summary = "what a kernel function computes, kept while it is lowered";
  let description = [{
    The static facts of the `deltanet.delta_rule` that a kernel function was made
    from; the descriptor of the C ABI repeats them. `tokens` is T where it is
    static, `l2norm_eps` and `cu_seqlens` (an index type) are absent where the
    rule has none, `schedules` appears once they are chosen.

    - C24: a `#deltanet.kernel` has io, h, hv, k, v and tokens, -1 for a dynamic T,
      within C3, C4 and C5; scale and l2norm_eps of f32 within C11; cu_seqlens i32
      or i64; and schedules that are such.

    ```mlir
    #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv,
                     h = 2, hv = 4, k = 64, v = 64, io = bf16,
                     scale = 1.250000e-01 : f32, cu_seqlens = i32>
    ```
  }];
  let parameters = (ins
    EnumParameter<DeltaNet_Rule>:$rule,
    EnumParameter<DeltaNet_HeadMap>:$head_map,
    EnumParameter<DeltaNet_StateLayout>:$state_layout,
    "int64_t":$h, "int64_t":$hv, "int64_t":$k, "int64_t":$v,
    "::mlir::Type":$io,
    "::mlir::FloatAttr":$scale,
    OptionalParameter<"::mlir::FloatAttr">:$l2norm_eps,
    OptionalParameter<"::mlir::Type">:$cu_seqlens,
    DefaultValuedParameter<"int64_t", "-1">:$tokens,
    OptionalParameter<"::mlir::ArrayAttr">:$schedules);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def DeltaNet_DomainAttr : DeltaNet_Attr<"Domain", "domain"> {
  let summary = "which phases a parallel loop computes, and over which axes";
  let description = [{
    The `deltanet.domain` of a parallel loop: the phases of the chunked algorithm
    in it, in order, and the meaning of each of its dimensions. A sequential loop
    inside names its axis by `deltanet.axis`. Fusion decides by these names.

    ```mlir
    #deltanet.domain<[gather, gram], [chunk, key_head]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::deltanet::Phase">:$phases,
    ArrayRefParameter<"::mlir::deltanet::Axis">:$axes);
  let assemblyFormat = "`<` `[` $phases `]` `,` `[` $axes `]` `>`";
  let extraClassDeclaration = [{
    /// Attribute of the parallel loop.
    static constexpr ::llvm::StringLiteral kName = "deltanet.domain";
    /// Attribute of a sequential loop: its `#deltanet<axis …>`.
    static constexpr ::llvm::StringLiteral kAxisName = "deltanet.axis";
  }];
}

#endif // DELTANET_ATTRS
