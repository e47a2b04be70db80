//===- CallTensors.cpp - The tensors of one call in memory ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CallTensors.h"
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

CallTensors::CallTensors(const RunnerTraits &traits, const Problem &problem,
                         const MemoryLayout &layout)
    : traits(traits), problem(problem), layout(layout) {
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
  shape(q, "q", facts.ioType, tokens, facts.h, facts.k);
  shape(k, "k", facts.ioType, tokens, facts.h, facts.k);
  shape(v, "v", facts.ioType, tokens, facts.hv, facts.v);
  shape(o, "o", facts.ioType, tokens, facts.hv, facts.v);
  shape(g, "g", DN_TYPE_F32, tokens, 1, facts.hv);
  shape(beta, "beta", DN_TYPE_F32, tokens, 1, facts.hv);
  int64_t state = facts.k * facts.v;
  shape(stateIn, "state_in", DN_TYPE_F32, sequences, facts.hv, state);
  shape(stateOut, "state_out", DN_TYPE_F32, sequences, facts.hv, state);
  shape(cuSeqlens, "cu_seqlens", traits.indexType, 1, 1, sequences + 1);

  if (layout.strides == Strides::QKV)
    placeSideBySide();
  else
    for (StridedTensor *tensor : {&q, &k, &v})
      place(*tensor);
  place(beta);
  place(o);
  if (facts.rule == DN_RULE_GATED)
    place(g);
  if (traits.takesCuSeqlens())
    place(cuSeqlens);
  if (traits.takesState)
    place(stateIn);
  if (traits.givesState) {
    if (layout.inPlaceState)
      stateOut = stateIn;
    else
      place(stateOut);
  }
}

GuardedMemory &CallTensors::addBlock(llvm::StringRef name, size_t bytes,
                                     size_t guard, size_t offset,
                                     bool writable) {
  blocks.push_back(
      {name.str(), GuardedMemory(bytes, guard, alignment, offset), writable});
  return blocks.back().memory;
}

char *CallTensors::addWorkspace(size_t bytes) {
  return addBlock("workspace", bytes, guardBytes, 0, /*writable=*/true).data();
}

/// Chooses strides and memory for a tensor that stands alone.
void CallTensors::place(StridedTensor &tensor) {
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
  tensor.memory =
      &addBlock(tensor.name, tensor.extent() * element, guard,
                llvm::alignTo(layout.misalign, element), /*writable=*/false);
  tensor.data = tensor.memory->data();
}

/// q, k and v as slices of one tensor [T, 2 H K + HV V].
void CallTensors::placeSideBySide() {
  int64_t width = 2 * q.middle * q.row + v.middle * v.row;
  size_t element = elementBytes(q.type);
  GuardedMemory &memory =
      addBlock("qkv", q.outer * width * element,
               llvm::alignTo(guardBytes + width * element, alignment),
               llvm::alignTo(layout.misalign, element), /*writable=*/false);
  char *at = memory.data();
  for (StridedTensor *tensor : {&q, &k, &v}) {
    tensor->middleStride = tensor->row;
    tensor->outerStride = width;
    tensor->memory = &memory;
    tensor->data = at;
    at += tensor->middle * tensor->row * element;
  }
}

void CallTensors::prepare() {
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
    bool vk = traits.stateLayout == DN_STATE_LAYOUT_VK;
    stateIn.store(vk ? transposeStates(state, problem.facts.k, problem.facts.v)
                     : state);
  }
  for (Block &block : blocks)
    block.memory.remember();
}

std::vector<CallTensors::Extent> CallTensors::extents() {
  std::vector<Extent> extents;
  for (Block &block : blocks) {
    bool output = block.writable || &block.memory == o.memory ||
                  &block.memory == stateOut.memory;
    extents.push_back({block.name, block.memory.data(), block.memory.size(),
                       block.memory.guard(), output, block.writable});
  }
  return extents;
}

void CallTensors::visitInputRows(
    llvm::function_ref<void(const char *, size_t)> visit) const {
  for (const StridedTensor *tensor :
       {&q, &k, &v, &g, &beta, &cuSeqlens, &stateIn})
    if (tensor->data)
      tensor->forEachRow([&](int64_t, int64_t, const char *row) {
        visit(row, tensor->row * elementBytes(tensor->type));
      });
}

std::vector<float> CallTensors::loadOutput() const {
  std::vector<float> values(o.outer * o.middle * o.row);
  o.load(values);
  // What no sequence owns is not specified.
  std::fill(values.begin() + problem.cuSeqlens.back() * o.middle * o.row,
            values.end(), 0.f);
  return values;
}

std::vector<float> CallTensors::loadFinalState() const {
  std::vector<float> values;
  if (!stateOut.data)
    return values;
  values.resize(problem.stateElements());
  stateOut.load(values);
  if (traits.stateLayout == DN_STATE_LAYOUT_VK)
    values = transposeStates(values, problem.facts.v, problem.facts.k);
  return values;
}

void CallTensors::collect(RunResult &result) {
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
  for (Block &block : blocks) {
    if (block.writable)
      block.memory.accept(block.memory.data(), block.memory.size());
    report(block.name, block.memory.damage());
  }
}

bool CallTensors::sameOutputs(const RunResult &result) const {
  auto same = [](const std::vector<float> &x, const std::vector<float> &y) {
    return x.size() == y.size() &&
           (x.empty() ||
            std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0);
  };
  return same(loadOutput(), result.o) &&
         same(loadFinalState(), result.finalState);
}
