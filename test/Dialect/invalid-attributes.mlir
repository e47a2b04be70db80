// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraints C14 to C16 and C24: #deltanet.target, #deltanet.schedule,
// #deltanet.kernel and where attributes belong. First C15.

func.func private @algorithm() attributes {
    // expected-error@+2 {{expected ::mlir::deltanet::Algorithm to be one of: recurrent, chunked}}
    // expected-error@+1 {{failed to parse DeltaNet_ScheduleAttr parameter 'algorithm'}}
    a = #deltanet.schedule<blocked>}

// -----

// expected-error@+2 {{duplicate or unknown struct parameter name: unroll}}
func.func private @field() attributes {
    a = #deltanet.schedule<recurrent, unroll = 2>}

// -----

// expected-error@+2 {{duplicate or unknown struct parameter name: tokens}}
func.func private @twice() attributes {
    a = #deltanet.schedule<recurrent, tokens = 2, tokens = 2>}

// -----

func.func private @large() attributes {
    // expected-error@+2 {{integer value too large}}
    // expected-error@+1 {{failed to parse DeltaNet_ScheduleAttr parameter 'tokens'}}
    a = #deltanet.schedule<recurrent, tokens = 18446744073709551616>}

// -----

func.func private @residency() attributes {
    // expected-error@+2 {{expected one of [scratch, memory, registers]}}
    // expected-error@+1 {{failed to parse DeltaNet_ScheduleAttr parameter 'state'}}
    a = #deltanet.schedule<recurrent, state = register>}

// -----

func.func private @staging() attributes {
    // expected-error@+2 {{expected one of [one_pass, two_stage]}}
    // expected-error@+1 {{failed to parse DeltaNet_ScheduleAttr parameter 'staging'}}
    a = #deltanet.schedule<chunked, staging = three_stage>}

// -----

// expected-error@+2 {{expected 0 <= min_tokens <= max_tokens, got -1 and 9223372036854775807}}
func.func private @negative_min() attributes {
    a = #deltanet.schedule<recurrent, min_tokens = -1>}

// -----

// expected-error@+2 {{expected 0 <= min_tokens <= max_tokens, got 2 and 1}}
func.func private @empty_range() attributes {
    a = #deltanet.schedule<recurrent, min_tokens = 2, max_tokens = 1>}

// -----

// expected-error@+2 {{expected 1 to 16 warps in a recurrent schedule with state = registers and matrix = none, got 0}}
func.func private @no_warps() attributes {
    a = #deltanet.schedule<recurrent, value_slice = 32, state = registers>}

// -----

// expected-error@+2 {{expected 0 to 0 warps in a recurrent schedule with state = scratch and matrix = none, got 4}}
func.func private @warps_of_cpu() attributes {
    a = #deltanet.schedule<recurrent, warps = 4>}

// -----

// expected-error@+2 {{expected 0 to 0 warps in a chunked schedule with state = scratch and matrix = none, got 17}}
func.func private @many_warps() attributes {
    a = #deltanet.schedule<chunked, warps = 17>}

// -----

// expected-error@+2 {{expected tokens = 1, rows = 1 and a value_slice with state = registers, got 2, 1 and 0}}
func.func private @registers() attributes {
    a = #deltanet.schedule<recurrent, tokens = 2, state = registers, warps = 4>}

// -----

// expected-error@+2 {{expected columns as a multiple of 8 up to 64, got 12}}
func.func private @columns() attributes {
    a = #deltanet.schedule<recurrent, columns = 12>}

// -----

// expected-error@+2 {{expected columns as a multiple of 8 up to 64, got 72}}
func.func private @many_columns() attributes {
    a = #deltanet.schedule<recurrent, columns = 72>}

// -----

// expected-error@+2 {{expected columns as a multiple of 8 up to 64, got 0}}
func.func private @no_columns() attributes {
    a = #deltanet.schedule<recurrent, columns = 0>}

// -----

// expected-error@+2 {{expected value_slice as a multiple of columns (16), got 24}}
func.func private @value_slice() attributes {
    a = #deltanet.schedule<recurrent, value_slice = 24>}

// -----

// expected-error@+2 {{expected value_slice as a multiple of columns (16), got -16}}
func.func private @negative_slice() attributes {
    a = #deltanet.schedule<chunked, value_slice = -16>}

// -----

// expected-error@+2 {{expected 1 to 8 tokens a pass, got 0}}
func.func private @no_tokens() attributes {
    a = #deltanet.schedule<recurrent, tokens = 0>}

// -----

// expected-error@+2 {{expected 1 to 8 tokens a pass, got 9}}
func.func private @many_tokens() attributes {
    a = #deltanet.schedule<recurrent, tokens = 9>}

// -----

// expected-error@+2 {{expected 1, 2, 4 or 8 rows a turn, got 3}}
func.func private @rows() attributes {
    a = #deltanet.schedule<recurrent, rows = 3>}

// -----

// expected-error@+2 {{expected block as a multiple of tokens (3) up to 256, got 64}}
func.func private @block() attributes {
    a = #deltanet.schedule<recurrent, tokens = 3>}

// -----

// expected-error@+2 {{expected block as a multiple of tokens (1) up to 256, got 257}}
func.func private @large_block() attributes {
    a = #deltanet.schedule<recurrent, block = 257>}

// -----

// expected-error@+2 {{expected prefetch from 0 to 1048576 bytes, got -64}}
func.func private @prefetch() attributes {
    a = #deltanet.schedule<recurrent, prefetch = -64>}

// -----

// expected-error@+2 {{expected a chunk of 16, 32, 64 or 128 tokens, got 48}}
func.func private @chunk() attributes {
    a = #deltanet.schedule<chunked, chunk = 48>}

// -----

// expected-error@+2 {{expected 1 to 16 register_rows, got 0}}
func.func private @register_rows() attributes {
    a = #deltanet.schedule<chunked, register_rows = 0>}

// -----

// expected-error@+2 {{expected a chunk of at least 32 tokens with matrix = amx, got 16}}
func.func private @matrix_chunk() attributes {
    a = #deltanet.schedule<chunked, columns = 32, chunk = 16, matrix = amx>}

// -----

// expected-error@+2 {{expected 16 or 32 columns with matrix = amx, got 8}}
func.func private @matrix_columns() attributes {
    a = #deltanet.schedule<chunked, columns = 8, matrix = amx>}

// -----

// expected-error@+2 {{expected no matrix in a recurrent schedule, got one}}
func.func private @matrix_of_a_recurrence() attributes {
    a = #deltanet.schedule<recurrent, matrix = amx>}

// -----

// expected-error@+2 {{expected one token a pass with state = memory, got 2}}
func.func private @memory() attributes {
    a = #deltanet.schedule<recurrent, tokens = 2, state = memory>}

// -----

// expected-error@+2 {{expected no prefetch in a chunked schedule, got one}}
func.func private @prefetch_chunked() attributes {
    a = #deltanet.schedule<chunked, prefetch = 65536>}

// -----

// expected-error@+2 {{expected no staging in a recurrent schedule, got one}}
func.func private @staging_recurrent() attributes {
    a = #deltanet.schedule<recurrent, staging = two_stage>}

// -----

// expected-error@+2 {{expected max_tokens of at most 1 with state = memory, got 9223372036854775807}}
func.func private @memory_range() attributes {
    a = #deltanet.schedule<recurrent, state = memory>}

// -----

// C14

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
