//===- Targets.td - Known machines --------------------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
// Hardware as data: the rows that the names of targets refer to.
//
// Cache sizes are those of one core. Units are the vector operations of full
// width that a core begins in a cycle: 1 where 512 bits are done in halves.
// Streams are the sequences of lines in which one core reads and writes memory
// fastest, as far as they were measured (docs/performance.md); four is what
// loses least where it is not the best.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"

class KnownTarget<string name, string arch, string isa, int vectorBits,
                  int vectorRegisters, int vectorUnits, bit fma, int l1Bytes,
                  int l2Bytes, int streams, string matrix = "none"> {
  string Name = name;
  string ArchName = arch;
  string IsaName = isa;
  bits<16> VectorBits = vectorBits;
  bits<8> VectorRegisters = vectorRegisters;
  bits<8> VectorUnits = vectorUnits;
  bit Fma = fma;
  bits<32> L1Bytes = l1Bytes;
  bits<32> L2Bytes = l2Bytes;
  bits<8> Streams = streams;
  string MatrixName = matrix;
}

// The levels themselves: what any machine of the level has.
def : KnownTarget<"generic", "x86_64", "generic", 128, 16, 2, 0, 32768, 262144,
                  4>;
def : KnownTarget<"avx2", "x86_64", "avx2", 256, 16, 2, 1, 32768, 262144, 4>;
def : KnownTarget<"avx512", "x86_64", "avx512", 512, 32, 1, 1, 32768, 1048576,
                  1>;
def : KnownTarget<"avx512_bf16", "x86_64", "avx512_bf16", 512, 32, 1, 1, 32768,
                  1048576, 1>;
def : KnownTarget<"amx", "x86_64", "amx", 512, 32, 2, 1, 49152, 2097152, 1,
                  "amx">;
def : KnownTarget<"generic-aarch64", "aarch64", "generic", 128, 32, 2, 1, 32768,
                  524288, 4>;

// Machines.
def : KnownTarget<"haswell", "x86_64", "avx2", 256, 16, 2, 1, 32768, 262144, 4>;
def : KnownTarget<"alderlake-e", "x86_64", "avx2", 256, 16, 2, 1, 32768, 2097152,
                  4>;
def : KnownTarget<"znver2", "x86_64", "avx2", 256, 16, 2, 1, 32768, 524288, 4>;
def : KnownTarget<"znver3", "x86_64", "avx2", 256, 16, 2, 1, 32768, 524288, 4>;

def : KnownTarget<"icelake-server", "x86_64", "avx512", 512, 32, 2, 1, 49152,
                  1310720, 1>;
def : KnownTarget<"znver4", "x86_64", "avx512_bf16", 512, 32, 1, 1, 32768,
                  1048576, 1>;
def : KnownTarget<"sapphirerapids", "x86_64", "amx", 512, 32, 2, 1, 49152,
                  2097152, 1, "amx">;
def : KnownTarget<"graniterapids", "x86_64", "amx", 512, 32, 2, 1, 49152,
                  2097152, 1, "amx">;

// GPUs. Shared memory and threads: CUDA C++ Programming Guide, technical
// specifications per compute capability; multiprocessors: those of the largest
// product that is widely used (A100, A10, L40S, H200, B200, RTX 5090).
class KnownGpu<string chip, int multiprocessors, int threads, int sharedBytes,
               int sharedBytesInAll, string tensorCore, string asyncCopy> {
  string ChipName = chip;
  bits<16> Multiprocessors = multiprocessors;
  bits<16> Threads = threads;
  bits<32> SharedBytes = sharedBytes;
  bits<32> SharedBytesInAll = sharedBytesInAll;
  string TensorCoreName = tensorCore;
  string AsyncCopyName = asyncCopy;
}

def : KnownGpu<"sm_80", 108, 2048, 166912, 167936, "mma", "cp_async">;
def : KnownGpu<"sm_86", 72, 1536, 101376, 102400, "mma", "cp_async">;
def : KnownGpu<"sm_89", 142, 1536, 101376, 102400, "mma", "cp_async">;
def : KnownGpu<"sm_90a", 132, 2048, 232448, 233472, "wgmma", "tma">;
def : KnownGpu<"sm_100a", 148, 2048, 232448, 233472, "tcgen05", "tma">;
def : KnownGpu<"sm_120a", 170, 1536, 101376, 102400, "mma", "tma">;

def KnownGpus : GenericTable {
  let FilterClass = "KnownGpu";
  let CppTypeName = "KnownGpu";
  let Fields = ["ChipName", "Multiprocessors", "Threads", "SharedBytes",
                "SharedBytesInAll", "TensorCoreName", "AsyncCopyName"];
}

def KnownTargets : GenericTable {
  let FilterClass = "KnownTarget";
  let CppTypeName = "KnownTarget";
  let Fields = ["Name", "ArchName", "IsaName", "VectorBits", "VectorRegisters",
                "VectorUnits", "Fma", "L1Bytes", "L2Bytes", "Streams",
                "MatrixName"];
}

def lookupKnownTarget : SearchIndex {
  let Table = KnownTargets;
  let Key = ["Name"];
}
