// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraint C16: the threads of a block.

func.func private @least() attributes {deltanet.threads = 32 : i64}
func.func private @most() attributes {deltanet.threads = 1024 : i64}

// -----

// expected-error@+1 {{expected a multiple of 32 up to 1024, an i64, of a function in 'deltanet.threads', got 0 : i64}}
func.func private @none() attributes {deltanet.threads = 0 : i64}

// -----

// expected-error@+1 {{expected a multiple of 32 up to 1024, an i64, of a function in 'deltanet.threads', got -32 : i64}}
func.func private @negative() attributes {deltanet.threads = -32 : i64}

// -----

// expected-error@+1 {{expected a multiple of 32 up to 1024, an i64, of a function in 'deltanet.threads', got 48 : i64}}
func.func private @part_of_a_warp() attributes {deltanet.threads = 48 : i64}

// -----

// expected-error@+1 {{expected a multiple of 32 up to 1024, an i64, of a function in 'deltanet.threads', got 1056 : i64}}
func.func private @too_many() attributes {deltanet.threads = 1056 : i64}

// -----

// expected-error@+1 {{expected a multiple of 32 up to 1024, an i64, of a function in 'deltanet.threads', got 64 : i32}}
func.func private @other_type() attributes {deltanet.threads = 64 : i32}

// -----

// expected-error@+1 {{expected a multiple of 32 up to 1024, an i64, of a function in 'deltanet.threads', got "64"}}
func.func private @text() attributes {deltanet.threads = "64"}

// -----

// expected-error@+1 {{expected a multiple of 32 up to 1024, an i64, of a function in 'deltanet.threads', got 64 : i64}}
module attributes {deltanet.threads = 64 : i64} {}
