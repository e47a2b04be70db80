//===- BochsHooks.cpp - Where Bochs calls this library --------------------===//
//
// Part of the Delta-Net project.
//
// The library with Bochs calls its hooks, and takes the addresses of its
// instructions, by the dynamic linker's symbols. Definitions here come before
// its own, so they replace them.
//
// Hooks end an execution by a long jump out of Bochs. It passes their frames,
// which therefore hold nothing that has a destructor.
//
//===----------------------------------------------------------------------===//

#include "BochsHooks.h"
#include "Execution.h"
#include "FusedMultiplyAdd.h"
#include "llvm/Support/FormatVariadic.h"
#include <dlfcn.h>

using namespace mlir::deltanet::emulation;

/// The one mutable global: Bochs is one itself, and hands its hooks no context.
static Execution *running = nullptr;

HookScope::HookScope(Execution &execution) { running = &execution; }
HookScope::~HookScope() { running = nullptr; }

static void leaveUnless(bool goesOn) {
  if (!goesOn)
    running->leave();
}

#define EXPORTED extern "C" __attribute__((visibility("default")))
#define HOOK EXPORTED void

HOOK bx_instr_before_execution(unsigned, void *instruction) {
  leaveUnless(running->beforeInstruction(instruction));
}

HOOK bx_instr_lin_access(unsigned, uint64_t linear, uint64_t, unsigned bytes,
                         unsigned, unsigned kind) {
  enum : unsigned { Read, Write, Fetch, Modify };
  if (kind == Read)
    leaveUnless(running->read(linear, bytes));
  else if (kind == Write)
    leaveUnless(running->write(linear, bytes));
  else if (kind == Modify)
    leaveUnless(running->modify(linear, bytes));
}

HOOK bx_instr_exception(unsigned, unsigned vector, unsigned code) {
  running->exception(vector, code);
  running->leave();
}

// Hooks of events that no function of a program causes.
HOOK bx_instr_init_env() {}
HOOK bx_instr_exit_env() {}
HOOK bx_instr_initialize(unsigned) {}
HOOK bx_instr_exit(unsigned) {}
HOOK bx_instr_hlt(unsigned) {}
HOOK bx_instr_reset(unsigned, unsigned) {}
HOOK bx_instr_mwait(unsigned, uint64_t, unsigned, unsigned) {}
HOOK bx_instr_cnear_branch_taken(unsigned, uint64_t, uint64_t) {}
HOOK bx_instr_cnear_branch_not_taken(unsigned, uint64_t, uint64_t) {}
HOOK bx_instr_ucnear_branch(unsigned, unsigned, uint64_t, uint64_t) {}
HOOK bx_instr_far_branch(unsigned, unsigned, uint16_t, uint64_t, uint16_t,
                         uint64_t) {}
HOOK bx_instr_opcode(unsigned, void *, const uint8_t *, unsigned, unsigned,
                     unsigned) {}
HOOK bx_instr_interrupt(unsigned, unsigned) {}
HOOK bx_instr_hwinterrupt(unsigned, unsigned, uint16_t, uint64_t) {}
HOOK bx_instr_tlb_cntrl(unsigned, unsigned, uint64_t) {}
HOOK bx_instr_cache_cntrl(unsigned, unsigned) {}
HOOK bx_instr_prefetch_hint(unsigned, unsigned, unsigned, uint64_t) {}
HOOK bx_instr_clflush(unsigned, uint64_t, uint64_t) {}
HOOK bx_instr_after_execution(unsigned, void *) {}
HOOK bx_instr_repeat_iteration(unsigned, void *) {}
HOOK bx_instr_inp(uint16_t, unsigned) {}
HOOK bx_instr_inp2(uint16_t, unsigned, unsigned) {}
HOOK bx_instr_outp(uint16_t, unsigned, unsigned) {}
HOOK bx_instr_phy_access(unsigned, uint64_t, unsigned, unsigned, unsigned) {}
HOOK bx_instr_wrmsr(unsigned, unsigned, uint64_t) {}
HOOK bx_instr_vmexit(unsigned, unsigned, uint64_t) {}

// Instructions, by the mangled names of BX_CPU_C's member functions.

/// BxError: what Bochs does not know, AMX among it.
HOOK _ZN8BX_CPU_C7BxErrorEP15bxInstruction_c(void *) {
  leaveUnless(running->unknownInstruction());
}

/// CPUID.
HOOK _ZN8BX_CPU_C5CPUIDEP15bxInstruction_c(void *instruction) {
  if (!running->answerCpuid())
    running->bochs.executeCpuid(instruction);
}

/// VCVTNE2PS2BF16 of registers and of loaded memory.
HOOK _ZN8BX_CPU_C30VCVTNE2PS2BF16_MASK_VphHpsWpsREP15bxInstruction_c(void *) {
  leaveUnless(running->convertTwoToBf16());
}

/// f32_mulAdd, of all fused multiply-adds of single precision. `status` begins
/// with the rounding mode.
EXPORTED uint32_t _Z10f32_mulAddjjjhP18softfloat_status_t(
    uint32_t a, uint32_t b, uint32_t c, uint8_t operation, uint8_t *status) {
  constexpr uint8_t toNearest = 0;
  if (*status == toNearest && hasFusedMultiplyAdd())
    if (std::optional<uint32_t> result = fuseMultiplyAdd(a, b, c, operation))
      return *result;
  return running->bochs.multiplyAdd(a, b, c, operation, status);
}

llvm::Error mlir::deltanet::emulation::checkHooksAreVisible() {
  for (auto [name, hook] :
       {std::pair<const char *, void *>{
            "bx_instr_before_execution",
            reinterpret_cast<void *>(&bx_instr_before_execution)},
        {"bx_instr_lin_access",
         reinterpret_cast<void *>(&bx_instr_lin_access)}})
    if (dlsym(RTLD_DEFAULT, name) != hook)
      return llvm::createStringError(llvm::formatv(
          "bochs: expected this library's {0} to be the first, got {1}", name,
          dlsym(RTLD_DEFAULT, name) ? "another" : "none"));
  return llvm::Error::success();
}
