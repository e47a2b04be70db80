// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraint C15: #deltanet.schedule.

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

// expected-error@+2 {{expected 1 to 16 warps in a chunked schedule with state = scratch and matrix = mma, got 0}}
func.func private @no_warps_of_chunks() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma>}

// -----

// expected-error@+2 {{expected 1 to 16 warps in a chunked schedule with state = scratch and matrix = mma, got 17}}
func.func private @many_warps_of_chunks() attributes {
    a = #deltanet.schedule<chunked, value_slice = 272, staging = two_stage, matrix = mma, warps = 17>}

// -----

// expected-error@+2 {{expected 0 to 0 warps in a chunked schedule with state = scratch and matrix = amx, got 1}}
func.func private @warps_of_amx() attributes {
    a = #deltanet.schedule<chunked, columns = 32, matrix = amx, warps = 1>}

// -----

// expected-error@+2 {{expected staging = two_stage, a chunk of 32 or 64 and a value_slice as a multiple of 16 * warps (32) with matrix = mma, got one_pass, 64 and 32}}
func.func private @one_pass() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, matrix = mma, warps = 2>}

// -----

// expected-error@+2 {{with matrix = mma, got two_stage, 128 and 32}}
func.func private @large_chunk() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, chunk = 128, staging = two_stage, matrix = mma, warps = 2>}

// -----

// expected-error@+2 {{expected a chunk of at least 32 tokens with matrix = mma, got 16}}
func.func private @small_chunk() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, chunk = 16, staging = two_stage, matrix = mma, warps = 2>}

// -----

// expected-error@+2 {{expected 0 to 16 intra_warps with matrix = mma, got 17}}
func.func private @many_intra_warps() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2, intra_warps = 17>}

// -----

// expected-error@+2 {{expected 0 to 16 intra_warps with matrix = mma, got -1}}
func.func private @negative_intra_warps() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2, intra_warps = -1>}

// -----

// expected-error@+2 {{expected 0 to 0 intra_warps with matrix = none, got 4}}
func.func private @intra_warps_of_cpu() attributes {
    a = #deltanet.schedule<chunked, intra_warps = 4>}

// -----

// expected-error@+2 {{expected 1 to 2 stages with matrix = mma, got 3}}
func.func private @many_stages() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2, stages = 3>}

// -----

// expected-error@+2 {{expected 1 to 2 stages with matrix = mma, got 0}}
func.func private @no_stages() attributes {
    a = #deltanet.schedule<chunked, value_slice = 32, staging = two_stage, matrix = mma, warps = 2, stages = 0>}

// -----

// expected-error@+2 {{expected 1 to 1 stages with matrix = amx, got 2}}
func.func private @stages_of_amx() attributes {
    a = #deltanet.schedule<chunked, columns = 32, matrix = amx, stages = 2>}

// -----

// expected-error@+2 {{as a multiple of 16 * warps (48) with matrix = mma, got two_stage, 64 and 64}}
func.func private @slice_of_warps() attributes {
    a = #deltanet.schedule<chunked, value_slice = 64, staging = two_stage, matrix = mma, warps = 3>}

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
