//===- DeltaNetEnums.td - Enumerations ----------------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ENUMS
#define DELTANET_ENUMS

include "deltanet/DeltaNetDialect.td"
include "mlir/IR/EnumAttr.td"

class DeltaNet_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::deltanet";
  let genSpecializedAttr = 0;
}
class DeltaNet_EnumAttr<DeltaNet_Enum info, string mnemonic>
    : EnumAttr<DeltaNet_Dialect, info, mnemonic>;

// The numbers of Rule, HeadMap, StateLayout and Isa are those of kernel_abi.h.

def DeltaNet_Rule : DeltaNet_Enum<"Rule", "recurrence of a layer", [
  I32EnumAttrCase<"Delta", 0, "delta">,   // S ← S + k δᵀ
  I32EnumAttrCase<"Gated", 1, "gated">    // S ← e^g S + k δᵀ, g per value head
]>;
def DeltaNet_RuleAttr : DeltaNet_EnumAttr<DeltaNet_Rule, "rule">;

def DeltaNet_HeadMap : DeltaNet_Enum<"HeadMap", "key head of a value head", [
  I32EnumAttrCase<"Grouped", 0, "grouped">, // h = hv / (HV/H)
  I32EnumAttrCase<"Tiled", 1, "tiled">      // h = hv mod H
]>;
def DeltaNet_HeadMapAttr : DeltaNet_EnumAttr<DeltaNet_HeadMap, "head_map">;

def DeltaNet_StateLayout : DeltaNet_Enum<"StateLayout",
    "memory order of one head's state", [
  I32EnumAttrCase<"KV", 0, "kv">, // [K,V]
  I32EnumAttrCase<"VK", 1, "vk">  // [V,K]
]>;
def DeltaNet_StateLayoutAttr
    : DeltaNet_EnumAttr<DeltaNet_StateLayout, "state_layout">;

def DeltaNet_Role : DeltaNet_Enum<"Role", "meaning of a kernel argument", [
  I32EnumAttrCase<"Q", 0, "q">,
  I32EnumAttrCase<"K", 1, "k">,
  I32EnumAttrCase<"V", 2, "v">,
  I32EnumAttrCase<"G", 3, "g">,
  I32EnumAttrCase<"Beta", 4, "beta">,
  I32EnumAttrCase<"StateIn", 5, "state_in">,
  I32EnumAttrCase<"CuSeqlens", 6, "cu_seqlens">,
  I32EnumAttrCase<"Scale", 7, "scale">,
  I32EnumAttrCase<"O", 8, "o">,
  I32EnumAttrCase<"StateOut", 9, "state_out">
]>;
def DeltaNet_RoleAttr : DeltaNet_EnumAttr<DeltaNet_Role, "role">;

def DeltaNet_Algorithm : DeltaNet_Enum<"Algorithm", "form of the recurrence", [
  I32EnumAttrCase<"Recurrent", 0, "recurrent">, // token by token, B a pass
  I32EnumAttrCase<"Chunked", 1, "chunked">      // matrix form, C tokens a chunk
]>;

def DeltaNet_Residency : DeltaNet_Enum<"Residency",
    "where a recurrent schedule keeps the state", [
  I32EnumAttrCase<"Scratch", 0, "scratch">, // blocked copy, stored at the end
  I32EnumAttrCase<"Memory", 1, "memory">,   // updated where it lies
  I32EnumAttrCase<"Registers", 2, "registers"> // of the threads of a GPU block
]>;

def DeltaNet_Staging : DeltaNet_Enum<"Staging",
    "kernels of a chunked schedule", [
  I32EnumAttrCase<"OnePass", 0, "one_pass">,  // (sequence, key head)
  I32EnumAttrCase<"TwoStage", 1, "two_stage"> // (chunk, key head), then
                                              // (sequence, value head)
]>;

def DeltaNet_Isa : DeltaNet_Enum<"Isa", "instruction set level", [
  I32EnumAttrCase<"Generic", 0, "generic">,       // baseline of the architecture
  I32EnumAttrCase<"Avx2", 1, "avx2">,             // AVX2, FMA, F16C, BMI2
  I32EnumAttrCase<"Avx512", 2, "avx512">,         // AVX-512 F, BW, DQ, VL
  I32EnumAttrCase<"Avx512Bf16", 3, "avx512_bf16">, // AVX512-BF16
  I32EnumAttrCase<"Amx", 4, "amx">                 // AMX-TILE, AMX-BF16
]>;

def DeltaNet_Arch : DeltaNet_Enum<"Arch", "processor architecture", [
  I32EnumAttrCase<"X86_64", 0, "x86_64">,
  I32EnumAttrCase<"AArch64", 1, "aarch64">
]>;

def DeltaNet_MatrixUnit : DeltaNet_Enum<"MatrixUnit", "matrix unit", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Amx", 1, "amx">, // tiles of 16 rows by 64 bytes
  I32EnumAttrCase<"Mma", 2, "mma">  // tensor cores of a GPU, by warps
]>;

// The numbers are those of compute capabilities. Those with an a have what only
// this one has.
def DeltaNet_Chip : DeltaNet_Enum<"Chip", "kind of GPU", [
  I32EnumAttrCase<"Sm80", 80, "sm_80">,     // A100
  I32EnumAttrCase<"Sm86", 86, "sm_86">,     // A10, RTX 30
  I32EnumAttrCase<"Sm89", 89, "sm_89">,     // L4, L40, RTX 40
  I32EnumAttrCase<"Sm90a", 90, "sm_90a">,   // H100, H200
  I32EnumAttrCase<"Sm100a", 100, "sm_100a">, // B200
  I32EnumAttrCase<"Sm120a", 120, "sm_120a"> // RTX 50
]>;

def DeltaNet_TensorCore : DeltaNet_Enum<"TensorCore",
    "what multiplies matrices on a GPU, each with those before", [
  I32EnumAttrCase<"Mma", 0, "mma">,        // by warps, fragments in registers
  I32EnumAttrCase<"Wgmma", 1, "wgmma">,    // by warpgroups, from shared memory
  I32EnumAttrCase<"Tcgen05", 2, "tcgen05"> // by blocks, with a memory of its own
]>;

def DeltaNet_AsyncCopy : DeltaNet_Enum<"AsyncCopy",
    "copies to shared memory beside the threads, each with those before", [
  I32EnumAttrCase<"CpAsync", 0, "cp_async">, // 16 bytes a thread
  I32EnumAttrCase<"Tma", 1, "tma">           // tiles, by one thread
]>;

def DeltaNet_Axis : DeltaNet_Enum<"Axis", "independent dimension of work", [
  I32EnumAttrCase<"Sequence", 0, "sequence">, // N sequences
  I32EnumAttrCase<"Chunk", 1, "chunk">,       // chunks of all sequences; those
                                              // of one, in order, inside it
  I32EnumAttrCase<"KeyHead", 2, "key_head">,  // H key heads
  I32EnumAttrCase<"Member", 3, "member">,     // HV/H value heads of a key head
  I32EnumAttrCase<"Columns", 4, "columns">    // slices of V columns
]>;
def DeltaNet_AxisAttr : DeltaNet_EnumAttr<DeltaNet_Axis, "axis">;

def DeltaNet_Phase : DeltaNet_Enum<"Phase", "step of the chunked algorithm", [
  I32EnumAttrCase<"Gather", 0, "gather">,   // q, k rows to contiguous tiles
  I32EnumAttrCase<"Gram", 1, "gram">,       // k kᵀ and q kᵀ
  I32EnumAttrCase<"Gates", 2, "gates">,     // beta, decay and its exponentials
  I32EnumAttrCase<"Inverse", 3, "inverse">, // (I + stril(beta k kᵀ))⁻¹
  I32EnumAttrCase<"Weights", 4, "weights">, // T = D ⊙ inverse ⊙ beta, P
  I32EnumAttrCase<"Scan", 5, "scan">        // chunk after chunk: o and the state
]>;

#endif // DELTANET_ENUMS
