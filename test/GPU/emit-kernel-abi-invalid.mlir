// RUN: delta-opt %s --deltanet-gpu-emit-kernel-abi --split-input-file --verify-diagnostics

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
module {
// expected-error@-1 {{expected a #deltanet.gpu_target in 'deltanet.target', got none}}
func.func private @f.stage0(%w: memref<?xi8, 1>, %s: memref<0xi8, 3>, %b: index, %e: index) {
  return
}
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func private @f() attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0],
  deltanet.items = [@f.count], deltanet.workspace = @f.count}
}

// -----

// Memory as a CPU has it.
#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
func.func private @f.stage0(%w: memref<?xi8>, %s: memref<0xi8>, %b: index, %e: index) {
  return
}
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
// expected-error@+1 {{expected '@f.stage0' to be a function of the arguments of the kernel in the memory space 1, memref<?xi8>, a static memref of i8 in the memory space 3, index and index without results, got '(memref<?xi8>, memref<0xi8>, index, index) -> ()'}}
func.func private @f() attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0],
  deltanet.items = [@f.count], deltanet.workspace = @f.count}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_80, multiprocessors = 108,
    threads = 2048, shared_bytes = 166912, shared_bytes_in_all = 167936, tensor_core = mma,
    async_copy = cp_async>} {
// expected-error@+1 {{expected 'deltanet.threads' on a stage, got none}}
func.func private @f.stage0(%w: memref<?xi8, 1>, %s: memref<0xi8, 3>, %b: index, %e: index) {
  return
}
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func private @f() attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0],
  deltanet.items = [@f.count], deltanet.workspace = @f.count}
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_86, multiprocessors = 72,
    threads = 1536, shared_bytes = 101376, shared_bytes_in_all = 102400, tensor_core = mma,
    async_copy = cp_async>} {
// expected-error@+1 {{expected at most 101376 bytes of scratch on sm_86, got 101377}}
func.func private @f.stage0(%w: memref<?xi8, 1>, %s: memref<101377xi8, 3>, %b: index, %e: index)
    attributes {deltanet.threads = 32 : i64} {
  return
}
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func private @f() attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0],
  deltanet.items = [@f.count], deltanet.workspace = @f.count}
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_80, multiprocessors = 108,
    threads = 2048, shared_bytes = 166912, shared_bytes_in_all = 167936, tensor_core = mma,
    async_copy = cp_async>} {
func.func private @f.stage0(%w: memref<?xi8, 1>, %s: memref<0xi8, 3>, %b: index, %e: index)
    attributes {deltanet.threads = 32 : i64} {
  // expected-error@+1 {{expected a stage without symbols, got '@f.count'}}
  %n = func.call @f.count() : () -> index
  return
}
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func private @f() attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0],
  deltanet.items = [@f.count], deltanet.workspace = @f.count}
}

// -----

#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 2.5e-01 : f32>
module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_80, multiprocessors = 108,
    threads = 2048, shared_bytes = 166912, shared_bytes_in_all = 167936, tensor_core = mma,
    async_copy = cp_async>} {
// expected-error@+1 {{expected a function like this one in 'deltanet.unaligned', got @f.count}}
func.func private @f.stage0(%w: memref<?xi8, 1>, %s: memref<0xi8, 3>, %b: index, %e: index)
    attributes {deltanet.threads = 32 : i64, deltanet.unaligned = @f.count} {
  return
}
func.func private @f.count() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func private @f() attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@f.stage0],
  deltanet.items = [@f.count], deltanet.workspace = @f.count}
}
