// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraints C14, C16, C24 and C29: #deltanet.target, #deltanet.kernel,
// #deltanet.gpu_target and where attributes belong. First C14.

// expected-error@+2 {{expected vector_bits of 128, 256 or 512, got 64}}
func.func private @vector_bits() attributes {
    a = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 64, vector_registers = 16, vector_units = 2,
        fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>}

// -----

// expected-error@+2 {{expected 8 to 64 vector_registers, got 4}}
func.func private @vector_registers() attributes {
    a = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 4, vector_units = 2,
        fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>}

// -----

// expected-error@+2 {{expected l1_bytes of at least 4096 and l2_bytes of at least l1_bytes, got 1024 and 524288}}
func.func private @l1_bytes() attributes {
    a = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
        fma = true, l1_bytes = 1024, l2_bytes = 524288, streams = 4, matrix = none>}

// -----

// expected-error@+2 {{expected l1_bytes of at least 4096 and l2_bytes of at least l1_bytes, got 32768 and 16384}}
func.func private @l2_bytes() attributes {
    a = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
        fma = true, l1_bytes = 32768, l2_bytes = 16384, streams = 4, matrix = none>}

// -----

// expected-error@+2 {{expected 1 or 2 vector_units, got 4}}
func.func private @units() attributes {
    a = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 4,
        fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>}

// -----

// expected-error@+2 {{expected 1, 2 or 4 streams, got 3}}
func.func private @streams() attributes {
    a = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
        fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 3, matrix = none>}

// -----

// expected-error@+2 {{expected a matrix that isa avx512_bf16 has, got amx}}
func.func private @matrix() attributes {
    a = #deltanet.target<arch = x86_64, isa = avx512_bf16, vector_bits = 512, vector_registers = 32, vector_units = 2,
        fma = true, l1_bytes = 49152, l2_bytes = 2097152, streams = 1, matrix = amx>}

// -----

// expected-error@+2 {{expected a matrix that isa amx has, got mma}}
func.func private @matrix_of_a_gpu() attributes {
    a = #deltanet.target<arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32, vector_units = 2,
        fma = true, l1_bytes = 49152, l2_bytes = 2097152, streams = 1, matrix = mma>}

// -----

// expected-error@+2 {{expected isa generic on aarch64, got avx2}}
func.func private @isa() attributes {
    a = #deltanet.target<arch = aarch64, isa = avx2, vector_bits = 256, vector_registers = 16, vector_units = 2,
        fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, matrix = none>}

// -----

func.func private @arch() attributes {
    // expected-error@+1 {{expected ::mlir::deltanet::Arch to be one of: x86_64, aarch64}}
    a = #deltanet.target<arch = riscv64>}
// expected-error@-1 {{failed to parse DeltaNet_TargetAttr parameter 'arch'}}

// -----

// expected-error@+2 {{expected ','}}
func.func private @missing() attributes {
    a = #deltanet.target<arch = x86_64, isa = generic>}

// -----

// C24

// expected-error@+2 {{expected h and hv from 1 to 1024, hv as a multiple of h, got 2 and 3}}
func.func private @kernel_heads() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 2, hv = 3, k = 16, v = 16, io = f32, scale = 1.0 : f32>}

// -----

// expected-error@+2 {{expected k and v as multiples of 16 from 16 to 256, got 16 and 272}}
func.func private @kernel_channels() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 1, hv = 1, k = 16, v = 272, io = f32, scale = 1.0 : f32>}

// -----

// expected-error@+2 {{expected io of bf16, f16 or f32, got 'f64'}}
func.func private @kernel_io() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 1, hv = 1, k = 16, v = 16, io = f64, scale = 1.0 : f32>}

// -----

// expected-error@+2 {{expected a finite scale of f32, got 1.000000e+00 : f64}}
func.func private @kernel_scale() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f64>}

// -----

// expected-error@+2 {{expected a finite l2norm_eps >= 0 of f32, got -1.000000e+00 : f32}}
func.func private @kernel_eps() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32,
        l2norm_eps = -1.0 : f32>}

// -----

// expected-error@+2 {{expected cu_seqlens of i32 or i64, got 'i16'}}
func.func private @kernel_cu_seqlens() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32,
        cu_seqlens = i16>}

// -----

// expected-error@+2 {{expected tokens from 1 to 1099511627776, or -1, got -2}}
func.func private @kernel_tokens() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32,
        tokens = -2>}

// -----

// expected-error@+2 {{expected schedules as an array of #deltanet.schedule, got [64]}}
func.func private @kernel_schedules() attributes {
    a = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
        h = 1, hv = 1, k = 16, v = 16, io = f32, scale = 1.0 : f32,
        schedules = [64]>}

// -----

// C16

// expected-error@+1 {{expected a #deltanet.target or #deltanet.gpu_target in 'deltanet.target', got "avx2"}}
module attributes {deltanet.target = "avx2"} {}

// -----

// expected-error@+1 {{expected a #deltanet.kernel in 'deltanet.kernel', got unit}}
func.func private @kernel() attributes {deltanet.kernel}

// -----

// expected-error@+1 {{expected a #deltanet<role> in 'deltanet.role' of argument 1, got "q"}}
func.func private @role(f32, f32 {deltanet.role = "q"})

// -----

// Constraint C29: #deltanet.gpu_target.

module attributes {
    // expected-error@+1 {{expected at least 1 of multiprocessors, got 0}}
    a = #deltanet.gpu_target<chip = sm_80, multiprocessors = 0, threads = 2048, shared_bytes = 166912,
        shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {}

// -----

module attributes {
    // expected-error@+1 {{expected 1024, 1536 or 2048 threads, got 1000}}
    a = #deltanet.gpu_target<chip = sm_80, multiprocessors = 1, threads = 1000, shared_bytes = 166912,
        shared_bytes_in_all = 167936, tensor_core = mma, async_copy = cp_async>} {}

// -----

module attributes {
    // expected-error@+1 {{expected shared_bytes of at least 49152 and shared_bytes_in_all of at least 1024 more, got 166912 and 166912}}
    a = #deltanet.gpu_target<chip = sm_80, multiprocessors = 1, threads = 2048, shared_bytes = 166912,
        shared_bytes_in_all = 166912, tensor_core = mma, async_copy = cp_async>} {}

// -----

module attributes {
    // expected-error@+1 {{shared_bytes_in_all of at least 1024 more, got 9223372036854775807 and 9223372036854775807}}
    a = #deltanet.gpu_target<chip = sm_80, multiprocessors = 1, threads = 2048, shared_bytes = 9223372036854775807,
        shared_bytes_in_all = 9223372036854775807, tensor_core = mma, async_copy = cp_async>} {}

// -----

module attributes {
    // expected-error@+1 {{expected a tensor_core that sm_89 has, got wgmma}}
    a = #deltanet.gpu_target<chip = sm_89, multiprocessors = 1, threads = 1536, shared_bytes = 101376,
        shared_bytes_in_all = 102400, tensor_core = wgmma, async_copy = cp_async>} {}

// -----

module attributes {
    // expected-error@+1 {{expected async_copy cp_async on sm_86, got tma}}
    a = #deltanet.gpu_target<chip = sm_86, multiprocessors = 1, threads = 1536, shared_bytes = 101376,
        shared_bytes_in_all = 102400, tensor_core = mma, async_copy = tma>} {}

// -----

module attributes {
    // expected-error@+1 {{expected ::mlir::deltanet::Chip to be one of: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a}}
    a = #deltanet.gpu_target<chip = sm_75>} {}
// expected-error@-1 {{failed to parse DeltaNet_GpuTargetAttr parameter 'chip'}}
