//===- Targets.td - Known machines --------------------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
// Hardware as data: the rows that `--target=NAME` and the ISA levels refer to.
// Cache sizes are those of one core.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"

class KnownTarget<string name, string arch, string isa, int vectorBits,
                  int vectorRegisters, bit fma, int l1Bytes, int l2Bytes> {
  string Name = name;
  string ArchName = arch;
  string IsaName = isa;
  bits<16> VectorBits = vectorBits;
  bits<8> VectorRegisters = vectorRegisters;
  bit Fma = fma;
  bits<32> L1Bytes = l1Bytes;
  bits<32> L2Bytes = l2Bytes;
}

// The levels themselves: what any machine of the level has.
def : KnownTarget<"generic", "x86_64", "generic", 128, 16, 0, 32768, 262144>;
def : KnownTarget<"avx2", "x86_64", "avx2", 256, 16, 1, 32768, 262144>;
def : KnownTarget<"generic-aarch64", "aarch64", "generic", 128, 32, 1, 32768,
                  524288>;

// Machines.
def : KnownTarget<"haswell", "x86_64", "avx2", 256, 16, 1, 32768, 262144>;
def : KnownTarget<"alderlake-e", "x86_64", "avx2", 256, 16, 1, 32768, 2097152>;
def : KnownTarget<"znver2", "x86_64", "avx2", 256, 16, 1, 32768, 524288>;
def : KnownTarget<"znver3", "x86_64", "avx2", 256, 16, 1, 32768, 524288>;

def KnownTargets : GenericTable {
  let FilterClass = "KnownTarget";
  let CppTypeName = "KnownTarget";
  let Fields = ["Name", "ArchName", "IsaName", "VectorBits", "VectorRegisters",
                "Fma", "L1Bytes", "L2Bytes"];
}

def lookupKnownTarget : SearchIndex {
  let Table = KnownTargets;
  let Key = ["Name"];
}
