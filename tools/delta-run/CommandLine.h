//===- CommandLine.h - The options of delta-run -----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_DELTA_RUN_COMMANDLINE_H
#define DELTANET_TOOLS_DELTA_RUN_COMMANDLINE_H

#include "Options.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::deltanet::verification {

namespace cl = llvm::cl;

/// The options live in an object, not in globals: LLVM's dynamic library brings
/// options of its own, some with the same names, which must be gone before.
struct CommandLine {
  cl::OptionCategory category{"delta-run options"};

  cl::opt<std::string> file{cl::Positional, cl::Required,
                            cl::desc("LIBRARY.so or MODULE.mlir"),
                            cl::cat(category)};
  cl::opt<bool> list{"list", cl::desc("List the kernels of the library"),
                     cl::cat(category)};
  cl::opt<std::string> kernel{"kernel", cl::desc("Kernel to run"),
                              cl::value_desc("name"), cl::cat(category)};
  cl::opt<dn_isa> isa{
      "isa", cl::desc("Variant to run (default: the best for this machine)"),
      cl::values(
          clEnumValN(DN_ISA_GENERIC, "generic", "baseline of the architecture"),
          clEnumValN(DN_ISA_AVX2, "avx2", "AVX2 and FMA"),
          clEnumValN(DN_ISA_AVX512, "avx512", "AVX-512 F, BW, DQ and VL"),
          clEnumValN(DN_ISA_AVX512_BF16, "avx512_bf16", "AVX512-BF16"),
          clEnumValN(DN_ISA_AMX, "amx", "AMX-TILE and AMX-BF16")),
      cl::cat(category)};
  cl::opt<std::string> emulate{
      "emulate", cl::ValueOptional,
      cl::desc("Run the variant of a level (default: the highest) in an "
               "emulator that checks every access, whatever this machine is"),
      cl::value_desc("level"), cl::cat(category)};
  cl::opt<std::string> device{
      "device",
      cl::desc(
          "Run the variant for a GPU: on a simulated one that checks every "
          "access (sim, or sim:sm_90 for another than sm_80), or on one of "
          "this machine (cuda, or cuda:1 for the second)"),
      cl::value_desc("sim|cuda"), cl::cat(category)};
  cl::opt<std::string> estimate{
      "estimate",
      cl::desc("Estimate the least time that each stage of the variant for a "
               "GPU takes there: what it must move and compute at the peaks of "
               "its data sheet. Nothing runs"),
      cl::value_desc("gpu"), cl::cat(category)};
  cl::opt<std::string> counts{
      "counts",
      cl::desc("Write how many instructions of each kind ran (--emulate, "
               "--device=sim)"),
      cl::value_desc("file.json"), cl::cat(category)};

  cl::opt<std::string> stage{
      "stage",
      cl::desc("Execute the IR of a stage as scalar code: rule, chunks, fused, "
               "and for CPUs layout, tiles, vectors or buffers. The passes up "
               "to it run first, unless the kernels already are in canonical "
               "form"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> target{
      "target",
      cl::desc("Target of the passes (default: the module's own, or native)"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> sm{
      "sm",
      cl::desc("GPU as the target of the passes: 80, 86, 89, 90a, 100a or "
               "120a, with or without sm_"),
      cl::value_desc("GPU"), cl::cat(category)};
  cl::opt<std::string> schedule{
      "schedule", cl::desc("Schedules for the passes, separated by ';'"),
      cl::value_desc("#deltanet.schedule<…>"), cl::cat(category)};

  cl::opt<std::string> inputs{
      "inputs",
      cl::desc("Recorded inputs and results (docs/recorded.md); states are "
               "[N,HV,K,V] for vk kernels too"),
      cl::value_desc("file.npz"), cl::cat(category)};
  cl::opt<std::string> shape{
      "shape",
      cl::desc("N generated sequences of T tokens (default T=64, N=1)"),
      cl::value_desc("T=tokens,N=sequences"), cl::cat(category)};
  cl::opt<std::string> lengths{"lengths",
                               cl::desc("Generated sequences of these lengths; "
                                        "none: a call without sequences"),
                               cl::value_desc("5,0,70"), cl::cat(category)};
  cl::opt<Gates> gates{
      "gates", cl::desc("Generated log decays"), cl::init(Gates::Realistic),
      cl::values(
          clEnumValN(Gates::Realistic, "realistic",
                     "rates of 0 to 16 a head; about -1e-4 to below -20"),
          clEnumValN(Gates::Weak, "weak", "-3e-3 to -1e-5"),
          clEnumValN(Gates::Strong, "strong", "-20"),
          clEnumValN(Gates::Mixed, "mixed", "-20 or 0"),
          clEnumValN(Gates::Reset, "reset", "weak with sudden -20, -60, -200"),
          clEnumValN(Gates::Huge, "huge", "-1e5 to -1e3"),
          clEnumValN(Gates::Zero, "zero", "0"),
          clEnumValN(Gates::NegInf, "neginf", "weak with some -inf")),
      cl::cat(category)};
  cl::opt<Betas> betas{
      "beta", cl::desc("Generated step sizes"), cl::init(Betas::Uniform),
      cl::values(clEnumValN(Betas::Uniform, "uniform", "0 to 1"),
                 clEnumValN(Betas::Zero, "zero", "0"),
                 clEnumValN(Betas::One, "one", "1"),
                 clEnumValN(Betas::Two, "two", "0 to 2")),
      cl::cat(category)};
  cl::opt<Keys> keys{
      "keys", cl::desc("Generated keys"), cl::init(Keys::Normal),
      cl::values(clEnumValN(Keys::Normal, "normal", "independent"),
                 clEnumValN(Keys::Correlated, "correlated",
                            "one direction with 1 % noise"),
                 clEnumValN(Keys::Zero, "zero", "every 7th q and k zero")),
      cl::cat(category)};
  cl::opt<bool> zeroState{"zero-state",
                          cl::desc("Generated initial states are zero"),
                          cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("Seed of generated inputs"),
                         cl::init(0), cl::cat(category)};

  cl::opt<Strides> strides{
      "strides", cl::desc("Memory layout of the tensors"),
      cl::init(Strides::Packed),
      cl::values(
          clEnumValN(Strides::Packed, "packed", "C order"),
          clEnumValN(Strides::Padded, "padded", "gaps after every row"),
          clEnumValN(Strides::Heads, "heads", "head-major"),
          clEnumValN(Strides::QKV, "qkv", "q, k, v slices of one tensor")),
      cl::cat(category)};
  cl::opt<unsigned> misalign{
      "misalign", cl::desc("Bytes that tensors begin after alignment"),
      cl::init(0), cl::value_desc("bytes"), cl::cat(category)};
  cl::opt<bool> inPlace{
      "in-place", cl::desc("Let the final state overwrite the initial one"),
      cl::cat(category)};
  cl::opt<unsigned> threads{"threads", cl::desc("Threads (default 1)"),
                            cl::init(1), cl::cat(category)};
  cl::opt<unsigned> repeat{
      "repeat",
      cl::desc("Timed runs, after one that is not; all must give the same "
               "bits. On a simulated GPU, runs in so many orders of warps"),
      cl::init(1), cl::cat(category)};
  cl::opt<bool> steps{
      "steps", cl::desc("Feed the tokens one by one, carrying the state"),
      cl::cat(category)};
  cl::opt<unsigned> tokensPerCall{
      "tokens-per-call",
      cl::desc("Feed so many tokens at a time, carrying the state"),
      cl::init(0), cl::cat(category)};

  cl::opt<bool> noVerify{"no-verify",
                         cl::desc("Do not compare with the reference"),
                         cl::cat(category)};
  cl::opt<Algorithm> limits{
      "limits",
      cl::desc("Error limits (default: those of the schedule that ran)"),
      cl::values(
          clEnumValN(Algorithm::Recurrent, "recurrent", "token by token"),
          clEnumValN(Algorithm::Chunked, "chunked", "f32 matrix form"),
          clEnumValN(Algorithm::ChunkedMatrix, "chunked-matrix",
                     "16-bit matrix units")),
      cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("Print JSON instead of tables"),
                     cl::cat(category)};
  cl::opt<std::string> output{"output", cl::desc("Write the results as arrays"),
                              cl::value_desc("file.npz"), cl::cat(category)};

  std::vector<int64_t> parseLengths();
  Stage parseStageName();
  dn_isa parseEmulatedIsa();
  DeviceChoice parseDevice();
  void checkValues();
  void checkCombinations();
  void checkFiles();
  void refuse(llvm::ArrayRef<cl::Option *> options, llvm::StringRef expected,
              llvm::StringRef got);
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_TOOLS_DELTA_RUN_COMMANDLINE_H
