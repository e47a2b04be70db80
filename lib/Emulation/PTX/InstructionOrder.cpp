//===- InstructionOrder.cpp - Where threads that parted wait --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "InstructionOrder.h"
#include "Control.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::deltanet::ptx;

namespace {

/// Instructions that are executed one after the other.
struct CodeBlock {
  uint32_t begin, end;
  /// Blocks that come next, the one further down first.
  llvm::SmallVector<uint32_t, 2> next;
};

} // namespace

static std::vector<CodeBlock> findBlocks(llvm::ArrayRef<Instruction> code) {
  std::vector<bool> begins(code.size());
  for (const Instruction &instruction : code) {
    if (isBranch(instruction) && instruction.target < code.size())
      begins[instruction.target] = true;
    if ((isBranch(instruction) || isEnd(instruction)) &&
        instruction.index + 1 < code.size())
      begins[instruction.index + 1] = true;
  }
  std::vector<CodeBlock> blocks;
  std::vector<uint32_t> blockOf(code.size());
  for (uint32_t at : llvm::seq<uint32_t>(0, code.size())) {
    if (at == 0 || begins[at])
      blocks.push_back({at, at, {}});
    blocks.back().end = at + 1;
    blockOf[at] = blocks.size() - 1;
  }
  for (CodeBlock &block : blocks) {
    const Instruction &last = code[block.end - 1];
    auto add = [&](uint32_t place) {
      if (place < code.size())
        block.next.push_back(blockOf[place]);
    };
    if (isBranch(last))
      add(last.target);
    if (last.guard || !(isBranch(last) || isEnd(last)))
      add(block.end);
    llvm::sort(block.next, std::greater<>());
  }
  return blocks;
}

/// Of the blocks that the first one leads to, each after those that were found
/// from it.
static std::vector<uint32_t> getPostorder(llvm::ArrayRef<CodeBlock> blocks) {
  struct Visit {
    uint32_t block;
    size_t searched = 0;
  };
  std::vector<Visit> path{{0}};
  std::vector<bool> visited(blocks.size());
  visited[0] = true;
  std::vector<uint32_t> order;
  while (!path.empty()) {
    Visit &visit = path.back();
    llvm::ArrayRef<uint32_t> next = blocks[visit.block].next;
    if (visit.searched == next.size()) {
      order.push_back(visit.block);
      path.pop_back();
      continue;
    }
    uint32_t found = next[visit.searched++];
    if (!visited[found]) {
      visited[found] = true;
      path.push_back({found});
    }
  }
  return order;
}

void mlir::deltanet::ptx::rankInstructions(
    llvm::MutableArrayRef<Instruction> code) {
  if (code.empty())
    return;
  std::vector<CodeBlock> blocks = findBlocks(code);
  std::vector<uint32_t> order = getPostorder(blocks);
  uint32_t rank = 0;
  for (uint32_t block : llvm::reverse(order))
    for (uint32_t at : llvm::seq(blocks[block].begin, blocks[block].end))
      code[at].rank = rank++;
}
