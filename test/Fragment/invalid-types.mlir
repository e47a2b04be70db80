// RUN: delta-opt -split-input-file -verify-diagnostics %s

// C30 to C33: layouts and what tiles they spread.

// expected-error@+1 {{expected rows and columns of 32 lanes, got [2, 8]}}
#layout = #fragment.lanes<lanes = [2, 8], warps = [4, 1]>

// -----

// expected-error@+1 {{expected rows and columns of 32 lanes, got [-4, -8]}}
#layout = #fragment.lanes<lanes = [-4, -8], warps = [4, 1]>

// -----

// expected-error@+1 {{expected rows and columns of 32 lanes, got [32]}}
#layout = #fragment.lanes<lanes = [32], warps = [4, 1]>

// -----

// expected-error@+1 {{expected rows and columns of 1 to 32 warps, got [8, 8]}}
#layout = #fragment.lanes<lanes = [1, 32], warps = [8, 8]>

// -----

// expected-error@+1 {{expected rows and columns of 1 to 32 warps, got [4294967296, 4294967296]}}
#layout = #fragment.accumulator<warps = [4294967296, 4294967296]>

// -----

// expected-error@+1 {{expected rows and columns of 1 to 32 warps, got [0, 1]}}
#layout = #fragment.left<warps = [0, 1]>

// -----

// expected-error@+1 {{expected rows and columns of 1 to 1024, got [32]}}
func.func private @rank(!fragment.tile<32xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>)

// -----

// expected-error@+1 {{expected rows and columns of 1 to 1024, got [0, 128]}}
func.func private @empty(!fragment.tile<0x128xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>)

// -----

// expected-error@+1 {{expected elements of f32, bf16 or f16, got 'i32'}}
func.func private @element(!fragment.tile<32x128xi32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>)

// -----

// expected-error@+1 {{expected rows in multiples of 16 with #fragment.lanes<lanes = [4, 8], warps = [4, 1]>, or one, got 24}}
func.func private @rows(!fragment.tile<24x128xf32, #fragment.lanes<lanes = [4, 8], warps = [4, 1]>>)

// -----

// expected-error@+1 {{expected columns in multiples of 64 with #fragment.lanes<lanes = [4, 8], warps = [1, 2]>, or one, got 96}}
func.func private @columns(!fragment.tile<32x96xf32, #fragment.lanes<lanes = [4, 8], warps = [1, 2]>>)

// -----

// expected-error@+1 {{expected rows in multiples of 64 with #fragment.accumulator<warps = [4, 1]>, or one, got 32}}
func.func private @pieces(!fragment.tile<32x8xf32, #fragment.accumulator<warps = [4, 1]>>)

// -----

// expected-error@+1 {{expected columns in multiples of 16 with #fragment.accumulator<warps = [1, 2]>, or one, got 8}}
func.func private @piece_columns(!fragment.tile<16x8xf32, #fragment.accumulator<warps = [1, 2]>>)

// -----

// expected-error@+1 {{expected columns in multiples of 8 with #fragment.left<warps = [1, 1]>, or one, got 12}}
func.func private @left_f32(!fragment.tile<16x12xf32, #fragment.left<warps = [1, 1]>>)

// -----

// expected-error@+1 {{expected columns in multiples of 16 with #fragment.left<warps = [1, 2]>, or one, got 24}}
func.func private @left_columns(!fragment.tile<16x24xf16, #fragment.left<warps = [1, 2]>>)

// -----

// expected-error@+1 {{expected rows and columns of 1 to 1024, got [32, 1152]}}
func.func private @large(!fragment.tile<32x1152xf32, #fragment.lanes<lanes = [1, 32], warps = [4, 1]>>)

// -----

// expected-error@+2 {{invalid kind of attribute specified}}
// expected-error@+1 {{failed to parse Fragment_TileType parameter 'layout'}}
func.func private @no_layout(!fragment.tile<32x128xf32, 5>)
