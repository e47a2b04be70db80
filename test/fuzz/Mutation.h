//===- Mutation.h - Changes of words in IR text ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_FUZZ_MUTATION_H
#define DELTANET_TEST_FUZZ_MUTATION_H

#include <random>
#include <string>

namespace mlir::deltanet {

/// Replaces one word or number of `text`, everywhere or once, by another of its
/// kind, so that much of the result is still IR. False if there is none.
bool mutateWord(std::string &text, std::minstd_rand &random);

} // namespace mlir::deltanet

#endif // DELTANET_TEST_FUZZ_MUTATION_H
