// REQUIRES: asm-x86
// RUN: not delta-compile %s --from=buffers --isa=avx2 -o %t.o 2>&1 | FileCheck %s

// Kernels live on a small stack.

// CHECK: stack.mlir:{{[0-9]+}}:{{[0-9]+}}: error: code generation: {{.*}}stack frame size{{.*}}gdn.run
#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
func.func @gdn(%scale: f32 {deltanet.role = #deltanet<role scale>},
               %o: memref<?x1x16xf32, strided<[?, ?, 1]>> {deltanet.role = #deltanet<role o>})
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%i) in (4) {
    // All rows are read before the first one is written.
    %x = vector.transfer_read %o[%c0, %c0, %c0], %z {in_bounds = [true, true],
          permutation_map = affine_map<(t, h, k) -> (t, k)>}
        : memref<?x1x16xf32, strided<[?, ?, 1]>>, vector<300x16xf32>
    vector.transfer_write %x, %o[%i, %c0, %c0] {in_bounds = [true, true],
          permutation_map = affine_map<(t, h, k) -> (t, k)>}
        : vector<300x16xf32>, memref<?x1x16xf32, strided<[?, ?, 1]>>
  }
  return
}
