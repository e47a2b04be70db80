//===- CallBuffers.cpp - The memory of one kernel call --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CallBuffers.h"
#include "deltanet/Verification/ElementTypes.h"
#include "deltanet/Verification/StateLayout.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

static constexpr size_t alignment = 64;
static constexpr size_t guardBytes = 4096;
/// Odd numbers, so that padded rows begin at every alignment.
static constexpr int64_t rowGap = 3, outerGap = 5;

CallBuffers::CallBuffers(const dn_kernel &kernel, const Problem &problem,
                         const MemoryLayout &layout)
    : kernel(kernel), problem(problem), layout(layout) {
  const RuleFacts &facts = problem.facts;
  int64_t tokens = problem.tokens, sequences = problem.sequences;
  auto shape = [](StridedTensor &tensor, const char *name, dn_type type,
                  int64_t outer, int64_t middle, int64_t row) {
    tensor.name = name;
    tensor.type = type;
    tensor.outer = outer;
    tensor.middle = middle;
    tensor.row = row;
  };
  auto io = static_cast<dn_type>(kernel.io_type);
  shape(q, "q", io, tokens, facts.h, facts.k);
  shape(k, "k", io, tokens, facts.h, facts.k);
  shape(v, "v", io, tokens, facts.hv, facts.v);
  shape(o, "o", io, tokens, facts.hv, facts.v);
  shape(g, "g", DN_TYPE_F32, tokens, 1, facts.hv);
  shape(beta, "beta", DN_TYPE_F32, tokens, 1, facts.hv);
  int64_t state = facts.k * facts.v;
  shape(stateIn, "state_in", DN_TYPE_F32, sequences, facts.hv, state);
  shape(stateOut, "state_out", DN_TYPE_F32, sequences, facts.hv, state);
  shape(cuSeqlens, "cu_seqlens", static_cast<dn_type>(kernel.index_type), 1, 1,
        sequences + 1);

  if (layout.strides == Strides::QKV)
    placeSideBySide();
  else
    for (StridedTensor *tensor : {&q, &k, &v})
      place(*tensor);
  place(beta);
  place(o);
  if (kernel.operands & DN_OPERAND_G)
    place(g);
  if (kernel.operands & DN_OPERAND_CU_SEQLENS)
    place(cuSeqlens);
  if (kernel.operands & DN_OPERAND_STATE_IN)
    place(stateIn);
  if (kernel.operands & DN_OPERAND_STATE_OUT) {
    if (layout.inPlaceState)
      stateOut = stateIn;
    else
      place(stateOut);
  }
  describe();
}

GuardedMemory &CallBuffers::addMemory(size_t bytes, size_t guardBytes,
                                      size_t offset) {
  memories.emplace_back(
      std::piecewise_construct, std::forward_as_tuple(),
      std::forward_as_tuple(bytes, guardBytes, alignment, offset));
  return memories.back().second;
}

/// Chooses strides and memory for a tensor that stands alone.
void CallBuffers::place(StridedTensor &tensor) {
  bool gaps = layout.strides == Strides::Padded;
  if (layout.strides == Strides::Heads && tensor.middle > 1) {
    tensor.outerStride = tensor.row;
    tensor.middleStride = tensor.outer * tensor.row;
  } else {
    tensor.middleStride = tensor.row + (gaps ? rowGap : 0);
    tensor.outerStride =
        tensor.middle * tensor.middleStride + (gaps ? outerGap : 0);
  }
  size_t element = elementBytes(tensor.type);
  // A guard holds a whole outer row, so that one too many is noticed.
  size_t guard =
      llvm::alignTo(guardBytes + tensor.outerStride * element, alignment);
  tensor.memory = &addMemory(tensor.extent() * element, guard,
                             llvm::alignTo(layout.misalign, element));
  memories.back().first = tensor.name;
  tensor.data = tensor.memory->data();
}

/// q, k and v as slices of one tensor [T, 2 H K + HV V].
void CallBuffers::placeSideBySide() {
  int64_t width = 2 * q.middle * q.row + v.middle * v.row;
  size_t element = elementBytes(q.type);
  GuardedMemory &memory =
      addMemory(q.outer * width * element,
                llvm::alignTo(guardBytes + width * element, alignment),
                llvm::alignTo(layout.misalign, element));
  memories.back().first = "qkv";
  char *at = memory.data();
  for (StridedTensor *tensor : {&q, &k, &v}) {
    tensor->middleStride = tensor->row;
    tensor->outerStride = width;
    tensor->memory = &memory;
    tensor->data = at;
    at += tensor->middle * tensor->row * element;
  }
}

/// Fills in dn_args, the workspace last: its size is the kernel's answer to the
/// counts.
void CallBuffers::describe() {
  dn_args &args = callArgs;
  args.size = sizeof(dn_args);
  args.tokens = problem.tokens;
  args.sequences = problem.sequences;
  args.q = q.data;
  args.k = k.data;
  args.v = v.data;
  args.g = reinterpret_cast<const float *>(g.data);
  args.beta = reinterpret_cast<const float *>(beta.data);
  args.state_in = reinterpret_cast<const float *>(stateIn.data);
  args.cu_seqlens = cuSeqlens.data;
  args.o = o.data;
  args.state_out = reinterpret_cast<float *>(stateOut.data);
  args.q_token_stride = q.outerStride;
  args.q_head_stride = q.middleStride;
  args.k_token_stride = k.outerStride;
  args.k_head_stride = k.middleStride;
  args.v_token_stride = v.outerStride;
  args.v_head_stride = v.middleStride;
  args.o_token_stride = o.outerStride;
  args.o_head_stride = o.middleStride;
  args.g_token_stride = g.outerStride;
  args.beta_token_stride = beta.outerStride;
  args.state_in_sequence_stride = stateIn.outerStride;
  args.state_in_head_stride = stateIn.middleStride;
  args.state_out_sequence_stride = stateOut.outerStride;
  args.state_out_head_stride = stateOut.middleStride;
  if (float(problem.facts.scale) != kernel.scale) {
    args.scale = float(problem.facts.scale);
    args.flags |= DN_FLAG_SCALE;
  }
  args.workspace_bytes = kernel.workspace_bytes(&args);
  if (args.workspace_bytes == 0)
    return;
  GuardedMemory &memory = addMemory(args.workspace_bytes, guardBytes, 0);
  memories.back().first = "workspace";
  args.workspace = memory.data();
}

void CallBuffers::prepare() {
  q.store(problem.q);
  k.store(problem.k);
  v.store(problem.v);
  beta.store(problem.beta);
  if (g.data)
    g.store(problem.g);
  if (cuSeqlens.data)
    cuSeqlens.storeIndices(problem.cuSeqlens);
  o.poison();
  if (stateOut.data)
    stateOut.poison();
  if (stateIn.data) {
    std::vector<float> zeros;
    if (problem.stateIn.empty())
      zeros.resize(problem.stateElements());
    const std::vector<float> &state =
        problem.stateIn.empty() ? zeros : problem.stateIn;
    bool vk = kernel.state_layout == DN_STATE_LAYOUT_VK;
    stateIn.store(vk ? transposeStates(state, problem.facts.k, problem.facts.v)
                     : state);
  }
  for (auto &[name, memory] : memories)
    memory.remember();
}

std::vector<float> CallBuffers::loadOutput() const {
  std::vector<float> values(o.outer * o.middle * o.row);
  o.load(values);
  // What no sequence owns is not specified.
  std::fill(values.begin() + problem.cuSeqlens.back() * o.middle * o.row,
            values.end(), 0.f);
  return values;
}

std::vector<float> CallBuffers::loadFinalState() const {
  std::vector<float> values;
  if (!stateOut.data)
    return values;
  values.resize(problem.stateElements());
  stateOut.load(values);
  if (kernel.state_layout == DN_STATE_LAYOUT_VK)
    values = transposeStates(values, problem.facts.v, problem.facts.k);
  return values;
}

void CallBuffers::collect(RunResult &result) {
  result.o = loadOutput();
  result.finalState = loadFinalState();
  auto report = [&](const std::string &name, std::optional<std::string> text) {
    if (text)
      result.faults.push_back(name + ": " + *text);
  };
  int64_t used = problem.cuSeqlens.back();
  report("o", o.unwritten([&](int64_t token) { return token < used; }));
  o.acceptWrites();
  if (stateOut.data) {
    report("state_out", stateOut.unwritten([](int64_t) { return true; }));
    stateOut.acceptWrites();
  }
  for (auto &[name, memory] : memories) {
    if (name == "workspace")
      memory.accept(memory.data(), memory.size());
    report(name, memory.damage());
  }
}

bool CallBuffers::sameOutputs(const RunResult &result) const {
  auto same = [](const std::vector<float> &x, const std::vector<float> &y) {
    return x.size() == y.size() &&
           (x.empty() ||
            std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0);
  };
  return same(loadOutput(), result.o) &&
         same(loadFinalState(), result.finalState);
}
