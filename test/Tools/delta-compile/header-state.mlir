// RUN: delta-compile %s -o %t.o --header - | FileCheck %s

// The header on standard output, of a kernel without an initial state.

// CHECK:     // kernels.h - Kernels made by delta-compile
// CHECK:     #ifndef DELTANET_KERNELS_KERNELS_H
// CHECK:     ///   beta       f32 [T, 1]
// CHECK-NOT: state_in
// CHECK:     ///   state_out  f32 [1, 1, 16, 32], rows are key channels
// CHECK-NOT: state_in
// CHECK:     /// There is one sequence: dn_args.sequences is 1.
func.func @f(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
             %v: tensor<?x1x32xf32>,
             %b: tensor<?x1xf32>) -> (tensor<?x1x32xf32>, tensor<1x1x16x32xf32>) {
  %o, %s = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x32xf32>,
         tensor<?x1xf32>) -> (tensor<?x1x32xf32>, tensor<1x1x16x32xf32>)
  return %o, %s : tensor<?x1x32xf32>, tensor<1x1x16x32xf32>
}
