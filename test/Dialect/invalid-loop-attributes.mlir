// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraint C16: what says how to compile an operation, and marks.

func.func @loop() {
  // expected-error@+1 {{expected a #deltanet.schedule in 'deltanet.schedule', got 5 : i32}}
  scf.forall (%n) in (1) {
  } {deltanet.schedule = 5 : i32}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a #deltanet<axis> in 'deltanet.axis', got "chunk"}}
  scf.forall (%n) in (1) {
  } {deltanet.axis = "chunk"}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.matrix_tiles', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.matrix_tiles = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.reduction', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.reduction = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.keep_loop', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.keep_loop = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.prefetch_here', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.prefetch_here = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.together', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.together = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.scratch', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.scratch = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.workspace', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.workspace = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.tf32', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.tf32 = false}
  return
}

// -----

func.func @loop() {
  // expected-error@+1 {{expected a unit attribute as 'deltanet.causal', got false}}
  scf.forall (%n) in (1) {
  } {deltanet.causal = false}
  return
}
