// REQUIRES: asm-x86
// RUN: not delta-compile %s --from=buffers -o %t.o 2>&1 | FileCheck %s

// A kernel that would need a symbol of another object is refused by name.

// CHECK: calls.mlir:{{[0-9]+}}:{{[0-9]+}}: error: expected kernels without calls, got one of 'mystery'
#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
func.func private @mystery(f32) -> f32
func.func @f(%scale: f32 {deltanet.role = #deltanet<role scale>},
             %o: memref<?x1x16xf32, strided<[?, ?, 1]>> {deltanet.role = #deltanet<role o>})
    attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (4) {
    %x = func.call @mystery(%scale) : (f32) -> f32
    memref.store %x, %o[%i, %c0, %c0] : memref<?x1x16xf32, strided<[?, ?, 1]>>
  }
  return
}
