// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraint C20 of deltanet.recurrence_pass.

func.func @state_rank(
    %s: tensor<128xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{'deltanet.recurrence_pass' op expected state as a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64, got 'tensor<128xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @state_element(
    %s: tensor<128x16xbf16>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64, got 'tensor<128x16xbf16>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xbf16>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xbf16>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @state_encoding(
    %s: tensor<128x16xf32, 0 : i32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64, got 'tensor<128x16xf32, 0 : i32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32, 0 : i32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32, 0 : i32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @no_rows(
    %s: tensor<0x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64, got 'tensor<0x16xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<0x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<0x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @odd_columns(
    %s: tensor<128x12xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64, got 'tensor<128x12xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x12xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x12xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @many_columns(
    %s: tensor<128x72xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64, got 'tensor<128x72xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x72xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x72xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @dynamic_state(
    %s: tensor<?x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [K,W] of f32 with W a multiple of 8 from 8 to 64, got 'tensor<?x16xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<?x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<?x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @dynamic_tokens(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<?x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected current as a tensor [B,2,K] of f32 with B from 1 to 8, got 'tensor<?x2x128xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<?x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @many_tokens(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<9x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected current as a tensor [B,2,K] of f32 with B from 1 to 8, got 'tensor<9x2x128xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<9x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @current(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x1x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected current as 'tensor<2x2x128xf32>', got 'tensor<2x1x128xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x1x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @previous(
    %s: tensor<128x16xf32>, %p: tensor<2x2x64xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected previous as 'tensor<2x2x128xf32>', got 'tensor<2x2x64xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x64xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @delta(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<16x2xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected delta as 'tensor<2x16xf32>', got 'tensor<16x2xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<16x2xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @values(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xbf16>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected values as 'tensor<2x16xf32>', got 'tensor<2x16xbf16>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xbf16>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @coefficients(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<12xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected coefficients as 'tensor<13xf32>', got 'tensor<12xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<12xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @new_state(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected the new state as 'tensor<128x16xf32>', got 'tensor<128x8xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x8xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @out(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected out as 'tensor<2x16xf32>', got 'tensor<1x16xf32>'}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 2 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<1x16xf32>)
  return
}

// -----

func.func @rows(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected 1 to 8 rows that divide K (128), got 3}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 3 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @negative_rows(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected 1 to 8 rows that divide K (128), got -1}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = -1 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @many_rows(
    %s: tensor<128x16xf32>, %p: tensor<2x2x128xf32>, %c: tensor<2x2x128xf32>,
    %d: tensor<2x16xf32>, %v: tensor<2x16xf32>, %f: tensor<13xf32>,
    %o: tensor<2x16xf32>) {
  // expected-error@+1 {{expected 1 to 8 rows that divide K (128), got 16}}
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 16 : i64}
      : (tensor<128x16xf32>, tensor<2x2x128xf32>, tensor<2x2x128xf32>,
         tensor<2x16xf32>, tensor<2x16xf32>, tensor<13xf32>, tensor<2x16xf32>)
      -> (tensor<128x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
  return
}
