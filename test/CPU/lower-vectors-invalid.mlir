// RUN: not delta-opt %s --deltanet-cpu-lower-vectors 2>&1 | FileCheck %s

// What a machine can do is not guessed.
// CHECK: :[[#]]:1: error: expected a #deltanet.target in 'deltanet.target', got none
module {}
